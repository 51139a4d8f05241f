import type { Message } from '@guild-settings/discord-sim';
import { BOT, PEOPLE, type Role, type SandboxGuild, tokenOf } from '../world.ts';
import type { Stage } from './stage.ts';
import type { Line } from './transcript.ts';

/** How long anybody waits for the bot, in milliseconds. */
const PATIENCE = 5_000;

/** A step of the story came out otherwise than it is told. */
export class StoryDiffersError extends Error {
  override readonly name = 'StoryDiffersError';
}

type Person = keyof typeof PEOPLE;

/** What people do in the story. Each thing is told as it happens, and compared with what is to come of it. */
export class Actors {
  readonly #stage: Stage;
  readonly #tell: (line: Line) => void;

  constructor(stage: Stage, tell: (line: Line) => void) {
    this.#stage = stage;
    this.#tell = tell;
  }

  /**
   * Somebody writes in a guild, and the bot replies.
   * @param expected what the reply holds
   * @throws StoryDiffersError
   */
  async ask(
    person: Person,
    { channels: { general } }: SandboxGuild,
    text: string,
    ...expected: string[]
  ): Promise<string> {
    const said = this.#say(person, general, text);
    const reply = await this.#replyTo(said);
    if (!reply) throw new StoryDiffersError(`Expected an answer to ${JSON.stringify(text)}; none came`);
    this.#hear(reply);
    for (const part of expected) requireIn(reply.content, part);
    return reply.content;
  }

  /**
   * Changes a guild over REST, and writes to the bot until it answers by the change.
   * @param probe what is written, and what an answer holds that goes by the change
   * @throws StoryDiffersError
   */
  async change(
    guild: SandboxGuild,
    patch: object,
    probe: { readonly text: string; readonly shows: string },
  ): Promise<void> {
    await this.request('manager', 'PATCH', guild, { status: 200, body: patch });
    const answered = performance.now();
    while (performance.now() < answered + PATIENCE) {
      const said = this.#stage.discord.people.say(PEOPLE.manager.id, guild.channels.general, probe.text);
      const reply = await this.#replyTo(said, 50);
      if (!reply?.content.includes(probe.shows)) continue;
      const milliseconds = performance.now() - answered;
      this.#tell({ kind: 'said', who: PEOPLE.manager.username, where: said.channelId, text: said.content });
      this.#hear(reply);
      this.#tell({ kind: 'first-use', what: Object.keys(patch).join(', '), milliseconds });
      return;
    }
    throw new StoryDiffersError(`Expected the bot to use ${JSON.stringify(patch)} within ${PATIENCE} ms; it did not`);
  }

  /** Calls the api over REST, and gives the body of the answer. */
  async request(
    role: Role,
    method: 'GET' | 'PATCH',
    { id }: SandboxGuild,
    { status, body }: { readonly status: number; readonly body?: object },
  ): Promise<unknown> {
    const path = `/guilds/${id}`;
    const response = await fetch(`${this.#stage.apiUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${tokenOf(role)}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer: unknown = await response.json();
    this.#tell({ kind: 'request', role, method, path, ...(body && { body }), status: response.status });
    if (response.status !== status)
      throw new StoryDiffersError(`Expected status ${status}; received ${response.status}: ${JSON.stringify(answer)}`);
    return answer;
  }

  /** Waits for something that the bot writes on its own. */
  async hears(channelId: string, text: string): Promise<Message> {
    const { messages } = this.#stage.discord;
    const fits = (message: Message) =>
      message.authorId === BOT.userId &&
      message.channelId === channelId &&
      message.replyTo === null &&
      message.content.includes(text);
    const found = await messages.waitFor(fits, { timeoutMs: 2 * PATIENCE }).catch(() => null);
    if (!found) throw new StoryDiffersError(`Expected the bot to write ${JSON.stringify(text)}; it did not`);
    this.#hear(found);
    return found;
  }

  event(text: string): void {
    this.#tell({ kind: 'event', text });
  }

  #say(person: Person, channelId: string, text: string): Message {
    this.#tell({ kind: 'said', who: PEOPLE[person].username, where: channelId, text });
    return this.#stage.discord.people.say(PEOPLE[person].id, channelId, text);
  }

  #replyTo(said: Message, timeoutMs = PATIENCE): Promise<Message | null> {
    const fits = ({ replyTo, authorId }: Message) => replyTo === said.id && authorId === BOT.userId;
    return this.#stage.discord.messages.waitFor(fits, { timeoutMs }).catch(() => null);
  }

  #hear({ content, channelId }: Message): void {
    this.#tell({ kind: 'said', who: BOT.username, where: channelId, text: content });
  }
}

/** @throws StoryDiffersError when a text does not hold a part */
function requireIn(text: string, part: string): void {
  if (text.includes(part)) return;
  throw new StoryDiffersError(`Expected ${JSON.stringify(part)} in the answer; received ${JSON.stringify(text)}`);
}
