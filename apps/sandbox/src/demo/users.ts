import type { Message } from '@guild-settings/discord-sim';
import {
  APPLICATION,
  BOT,
  PEOPLE,
  type Role,
  type SandboxGuild,
  tokenOf,
} from '@guild-settings/discord-sim/testing/world';
import type { DemoServices } from './services.ts';

/** Time limit for the bot's reply, on a machine that may be slow or busy. */
const REPLY_TIMEOUT_MS = 30_000;

/** Time between two probes of a change: the bot ignores commands with a prefix that it does not know yet. */
const PROBE_INTERVAL_MS = 50;

export class UnexpectedResultError extends Error {
  override readonly name = 'UnexpectedResultError';
}

export interface Probe {
  readonly text: string;
  readonly shows: string;
}

export interface RequestOptions {
  readonly status: number;
  /** The rest of the path, and the query. */
  readonly subpath?: string;
  readonly body?: object;
  readonly ifMatch?: string;
  readonly waitSeconds?: number;
}

type UserName = keyof typeof PEOPLE;

/** The actions of the demo's users. Each is written to the transcript, and its result is checked. */
export class DemoUsers {
  readonly #services: DemoServices;
  readonly #write: (line: TranscriptLine) => void;

  constructor(services: DemoServices, write: (line: TranscriptLine) => void) {
    this.#services = services;
    this.#write = write;
  }

  /**
   * Writes a message in a guild, or uses a slash command without options, and waits for the bot's reply.
   * @param expected texts that the reply must contain
   * @throws UnexpectedResultError
   */
  async sendCommand(
    user: UserName,
    { channels: { general } }: SandboxGuild,
    text: string,
    ...expected: string[]
  ): Promise<Message> {
    this.#write({ kind: 'said', who: PEOPLE[user].username, where: general, text });
    const reply = await this.#replyTo(PEOPLE[user].id, general, text);
    if (!reply) throw new UnexpectedResultError(`Expected a reply to ${JSON.stringify(text)}, received none`);
    this.#writeMessage(reply);
    for (const part of expected) requireIn(reply.content, part);
    return reply;
  }

  /**
   * Presses a button of the bot's message, and waits until the bot has edited the message.
   * @param expected a text that the message must then contain
   * @throws UnexpectedResultError
   */
  async pressButton(user: UserName, message: Message, label: string, expected: string): Promise<void> {
    const buttons = message.components.flatMap((row): readonly object[] => ('components' in row ? row.components : []));
    const button = buttons.find((one) => 'label' in one && one.label === label);
    if (button === undefined || !('custom_id' in button) || typeof button.custom_id !== 'string') {
      throw new UnexpectedResultError(`Expected a button ${JSON.stringify(label)}, received ${message.content}`);
    }
    this.logEvent(`${PEOPLE[user].username} presses the button ${label}`);
    this.#services.discord.people.press(PEOPLE[user].id, message.id, button.custom_id);
    const edited = await this.#find(({ id, editedAt }) => id === message.id && editedAt !== null, REPLY_TIMEOUT_MS);
    if (edited === null) throw new UnexpectedResultError(`Expected the bot to handle the button ${label}`);
    this.#writeMessage(edited);
    requireIn(edited.content, expected);
  }

  /**
   * Changes a guild over REST, and sends a command until the bot replies with the new settings.
   * @param probe the command, and a text in its reply with the new settings
   * @throws UnexpectedResultError
   */
  async changeSettings(guild: SandboxGuild, patch: object, probe: Probe): Promise<void> {
    await this.request('manager', 'PATCH', guild, { status: 200, body: patch, waitSeconds: 2 });
    await this.waitForUse(guild, Object.keys(patch).join(', '), probe);
  }

  /**
   * Sends a command until the bot replies with the changed settings.
   * @param what the change, for the transcript
   * @throws UnexpectedResultError
   */
  async waitForUse(guild: SandboxGuild, what: string, { text, shows }: Probe): Promise<void> {
    const start = performance.now();
    const probes = new Map<string, Message>();
    while (performance.now() < start + REPLY_TIMEOUT_MS) {
      const sent = this.#services.discord.people.sendMessage(PEOPLE.manager.id, guild.channels.general, text);
      probes.set(sent.id, sent);
      const isReply = ({ replyTo, content }: Message) => probes.has(replyTo ?? '') && content.includes(shows);
      const reply = await this.#find(isReply, PROBE_INTERVAL_MS);
      const message = probes.get(reply?.replyTo ?? '');
      if (!reply || !message) continue;
      const milliseconds = performance.now() - start;
      this.#write({ kind: 'said', who: PEOPLE.manager.username, where: message.channelId, text: message.content });
      this.#writeMessage(reply);
      this.#write({ kind: 'first-use', what, milliseconds });
      return;
    }
    throw new UnexpectedResultError(`Expected the bot to use ${what} within ${REPLY_TIMEOUT_MS} ms`);
  }

  /**
   * Sends a REST request for a guild, or for a path below it, and returns the body of the response.
   * @throws UnexpectedResultError for another status
   */
  async request(
    role: Role,
    method: 'GET' | 'PATCH' | 'POST' | 'DELETE',
    { id }: SandboxGuild,
    { status, subpath = '', body, ifMatch, waitSeconds }: RequestOptions,
  ): Promise<unknown> {
    const path = `/guilds/${id}${subpath}`;
    const response = await fetch(`${this.#services.apiUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${tokenOf(role)}`,
        ...(body && { 'content-type': 'application/json' }),
        ...(ifMatch !== undefined && { 'if-match': ifMatch }),
        ...(waitSeconds !== undefined && { prefer: `wait=${waitSeconds}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const arrival = response.headers.get('arrival') ?? undefined;
    const sent = { role, method, path, ...(body && { body }) };
    this.#write({ kind: 'request', ...sent, status: response.status, ...(arrival && { arrival }) });
    if (response.status !== status) {
      throw new UnexpectedResultError(`Expected status ${status}, received ${response.status}: ${text}`);
    }
    return text === '' ? undefined : JSON.parse(text);
  }

  async waitForMessage(channelId: string, text: string): Promise<Message> {
    const fits = (message: Message) =>
      message.channelId === channelId && message.replyTo === null && message.content.includes(text);
    const found = await this.#find(fits, REPLY_TIMEOUT_MS);
    if (!found) throw new UnexpectedResultError(`Expected the bot to write ${JSON.stringify(text)}`);
    this.#writeMessage(found);
    return found;
  }

  logEvent(text: string): void {
    this.#write({ kind: 'event', text });
  }

  #replyTo(userId: string, channelId: string, text: string): Promise<Message | null> {
    const { people } = this.#services.discord;
    if (!text.startsWith('/')) {
      const { id } = people.sendMessage(userId, channelId, text);
      return this.#find(({ replyTo }) => replyTo === id, REPLY_TIMEOUT_MS);
    }
    const { id } = people.slash(userId, channelId, text.slice(1));
    return this.#find(({ interactionId, loading }) => interactionId === id && !loading, REPLY_TIMEOUT_MS);
  }

  #find(fits: (message: Message) => boolean, timeoutMs: number): Promise<Message | null> {
    const isFound = (message: Message) => message.authorId === BOT.userId && fits(message);
    return this.#services.discord.messages.waitFor(isFound, { timeoutMs }).catch(() => null);
  }

  #writeMessage({ content, channelId }: Message): void {
    this.#write({ kind: 'said', who: APPLICATION.name, where: channelId, text: content });
  }
}

function requireIn(text: string, part: string): void {
  if (text.includes(part)) return;
  throw new UnexpectedResultError(`Expected ${JSON.stringify(part)} in the reply, received ${JSON.stringify(text)}`);
}

export type TranscriptLine =
  | { readonly kind: 'chapter'; readonly title: string }
  | { readonly kind: 'said'; readonly who: string; readonly where: string; readonly text: string }
  | {
      readonly kind: 'request';
      readonly role: string;
      readonly method: string;
      readonly path: string;
      readonly body?: unknown;
      readonly status: number;
      readonly arrival?: string;
    }
  /** Milliseconds from the response to a change to the bot's first reply with the new settings. */
  | { readonly kind: 'first-use'; readonly what: string; readonly milliseconds: number }
  | { readonly kind: 'event'; readonly text: string };
