import { randomUUID } from 'node:crypto';
import type { RecordSettings } from '@guild-settings/contract';
import type { DeclaredSettings } from '@guild-settings/contract/settings';
import type { Interaction } from 'discord.js';
import { FormRefusal, Refusal } from '../../i18n/text.ts';
import type { CommandPath, Vocabulary } from '../../i18n/translator.ts';
import type { Command, CommandServices } from '../command.ts';
import type { FilledIn, Invocation, Reply } from '../invocation.ts';
import { nameOf } from '../options.ts';

/**
 * The way in which a command was used: as a slash command, by a message with the prefix, by a button of its reply, or
 * by its form.
 */
type Trigger = 'slash' | 'prefix' | 'button' | 'form';

/**
 * The outcome of a command. `done`, `refused`, `failed`: the reply was delivered. `undelivered`: Discord rejected the
 * reply. `limited`: refused by the cooldown. `dropped`: not run, because the channel has too many pending replies.
 */
export type CommandOutcome = CommandReply['outcome'] | 'undelivered' | 'limited' | 'dropped';

/** The sources of a guild's settings and of the language of a reply. */
export interface InvocationOptions {
  readonly commands: readonly Command[];
  readonly vocabulary: Vocabulary;
  readonly settingsOf: (guildId: string) => Readonly<RecordSettings>;
  readonly declared: () => DeclaredSettings;
  readonly isSynced: () => boolean;
}

export interface DispatchOptions<Services extends CommandServices> extends InvocationOptions {
  readonly commands: readonly Command<Services>[];
  readonly services: Services;
  /** Returns true if an interaction is for these commands; absent: for all interactions with their names. */
  readonly isAnswered?: (interaction: Interaction) => boolean;
  /** The guilds whose messages are read; all unless given. */
  readonly guilds?: readonly string[] | undefined;
  readonly cooldown: Cooldown;
  readonly replies: ChannelReplies;
  /** True: commands can also be used in messages, with the prefix of the guild or a mention of the bot. */
  readonly readsMessages: boolean;
  /** Returns the reply to a message that mentions the bot without a command; absent: no reply. */
  readonly mentionHint?: (invocation: Invocation) => string;
  readonly onOutcome: (path: CommandPath, outcome: CommandOutcome, trigger: Trigger) => void;
  readonly onError: (error: unknown, reference?: string) => void;
}

export interface CommandReply extends Reply {
  readonly outcome: 'done' | 'refused' | 'failed';
  /** True: it concerns values entered in a form, which would be lost. */
  readonly isOfForm?: boolean;
}

/** Discord's limit for a message, in code points. */
const MAX_LENGTH = 2_000;

interface ActionRun {
  readonly invocation: Invocation;
  readonly perform: () => Promise<Reply>;
  readonly onError: (error: unknown, reference: string) => void;
}

export async function runAction(run: ActionRun): Promise<CommandReply> {
  const { invocation, perform, onError } = run;
  try {
    const reply = await perform();
    return { ...reply, content: truncate(reply.content), outcome: 'done' };
  } catch (error) {
    if (error instanceof Refusal) {
      return { content: truncate(error.message), outcome: 'refused', isOfForm: error instanceof FormRefusal };
    }
    const reference = randomUUID().slice(0, 8);
    onError(error, reference);
    return { content: invocation.translator.t('errors.unexpected', { reference }), outcome: 'failed', isOfForm: true };
  }
}

/** Returns a reply that repeats the texts of a form for copying: below the reply, or in additional messages. */
export function givingBack(message: string, filledIn: FilledIn): { content: string; further: string[] } {
  const typed = Object.values(filledIn).filter((value) => typeof value === 'string' && value.trim() !== '') as string[];
  const content = [message, ...typed].join('\n\n');
  if ([...content].length <= MAX_LENGTH) return { content, further: [] };
  const further = typed.flatMap((text) => {
    const characters = [...text];
    const starts = Array.from({ length: Math.ceil(characters.length / MAX_LENGTH) }, (_, at) => at * MAX_LENGTH);
    return starts.map((start) => characters.slice(start, start + MAX_LENGTH).join(''));
  });
  return { content: truncate(message), further: further.filter((text) => text.trim() !== '') };
}

export function cooldownReply(invocation: Invocation, command: string, waitMs: number) {
  // Rounded up to whole seconds, so that a later use is allowed.
  const relative = invocation.translator.relative(Math.ceil(waitMs / 1_000) * 1_000);
  const content = invocation.translator.t('errors.tooOften', { command: nameOf(invocation, [command]), relative });
  return { content, outcome: 'limited' as const };
}

/** Cuts a text to the length of a message, after a complete line or word if one ends in its second half. */
function truncate(content: string): string {
  const characters = [...content];
  if (characters.length <= MAX_LENGTH) return content;
  const kept = characters.slice(0, MAX_LENGTH - 1).join('');
  const end = [kept.lastIndexOf('\n'), kept.lastIndexOf(' ')].find((place) => place > kept.length / 2) ?? kept.length;
  return `${kept.slice(0, end)}…`;
}

export interface CooldownOptions {
  readonly burst: number;
  /** Time until another use is allowed after the burst, in milliseconds. */
  readonly intervalMs: number;
  /** Returns milliseconds that never decrease; `performance.now` by default. */
  readonly clock?: () => number;
  /** Number of buckets; 20,000 by default. The least recently used one is deleted first. */
  readonly maxKeys?: number;
}

type Admission =
  | { readonly isAllowed: true }
  | {
      readonly isAllowed: false;
      /** True: this is the first refusal since the last allowed use. */
      readonly isFirst: boolean;
      /** Time until the next use is allowed, in milliseconds. */
      readonly waitMs: number;
    };

/** Five uses at once, then one every three seconds. */
export const DEFAULT_COOLDOWN: CooldownOptions = { burst: 5, intervalMs: 3_000 };

interface Bucket {
  fullAt: number;
  wasRefused: boolean;
}

const ALLOWED: Admission = { isAllowed: true };

/**
 * A token bucket per user and command in a guild, stored as the time at which it will be full.
 * @see https://en.wikipedia.org/wiki/Generic_cell_rate_algorithm
 */
export class Cooldown {
  readonly #options: Required<CooldownOptions>;
  readonly #uses = new Map<string, Bucket>();

  constructor({ clock = () => performance.now(), maxKeys = 20_000, ...options }: CooldownOptions) {
    this.#options = { clock, maxKeys, ...options };
  }

  use({ guildId, userId }: { readonly guildId: string; readonly userId: string }, command: string): Admission {
    const { burst, intervalMs, clock, maxKeys } = this.#options;
    const key = `${guildId} ${userId} ${command}`;
    const now = clock();
    const use = this.#uses.get(key) ?? { fullAt: now, wasRefused: false };
    // A Map iterates in insertion order: the least recently used bucket comes first.
    this.#uses.delete(key);
    this.#uses.set(key, use);
    const [oldest] = this.#uses.keys();
    if (this.#uses.size > maxKeys && oldest !== undefined) this.#uses.delete(oldest);

    const fullAt = Math.max(use.fullAt, now);
    const waitMs = fullAt - now - (burst - 1) * intervalMs;
    if (waitMs > 0) {
      const isFirst = !use.wasRefused;
      use.wasRefused = true;
      return { isAllowed: false, isFirst, waitMs };
    }
    use.fullAt = fullAt + intervalMs;
    use.wasRefused = false;
    return ALLOWED;
  }
}

/** Default number of replies that may be prepared, queued or in flight per channel. */
const MAX_PENDING_REPLIES = 20;

const MAX_SENDING = 4;

interface ReplySlot {
  /**
   * Calls `send` when all but a few of the earlier replies are sent or have failed. Rejects with the error of `send`.
   */
  send(send: () => Promise<void>): Promise<void>;
  /** Frees the slot. Must always be called, even if no reply was sent. */
  release(): void;
}

interface ChannelQueue {
  pending: number;
  /** The latest replies passed to discord.js, oldest first. They never reject. */
  sending: Promise<void>[];
}

/**
 * Queues the replies of each channel and passes a few at a time to discord.js. Its queue for a channel has no
 * priorities, so another message for the channel, such as a reminder, only waits for these few replies.
 */
export class ChannelReplies {
  readonly #channels = new Map<string, ChannelQueue>();
  readonly #maxPending: number;

  constructor(maxPending = MAX_PENDING_REPLIES) {
    this.#maxPending = maxPending;
  }

  reserve(channelId: string): ReplySlot | undefined {
    const queue = this.#channels.get(channelId) ?? { pending: 0, sending: [] };
    if (queue.pending >= this.#maxPending) return undefined;
    this.#channels.set(channelId, queue);
    queue.pending += 1;
    return {
      send(send) {
        const earlier = queue.sending.length >= MAX_SENDING ? queue.sending.shift() : undefined;
        const sent = (earlier ?? Promise.resolve()).then(send);
        queue.sending.push(sent.catch(() => {}));
        return sent;
      },
      release: () => {
        queue.pending -= 1;
        if (queue.pending === 0) this.#channels.delete(channelId);
      },
    };
  }
}
