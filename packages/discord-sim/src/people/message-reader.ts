import type { Snowflake } from 'discord-api-types/v10';
import type { Message } from '../world/entities.ts';
import { byAge } from '../world/snowflake.ts';
import type { World } from '../world/world.ts';

/** Options of a wait. */
export interface MessageWait {
  /** 30,000 unless given: for messages that never come, on a machine that may be slow. */
  readonly timeoutMs?: number;
  /** Only messages newer than this one match; without it, existing ones match as well. */
  readonly after?: Snowflake;
}

const DEFAULT_TIMEOUT_MS = 30_000;

/** Reads the messages of users and bots in their current state; deleted messages are marked. */
export class MessageReader {
  readonly #world: World;
  readonly #closing: AbortSignal;

  /** @internal */
  constructor(world: World, closing: AbortSignal) {
    this.#world = world;
    this.#closing = closing;
  }

  /** The last 20,000 messages, oldest first. */
  all(): Message[] {
    return this.#world.messages.all();
  }

  /** The messages of one channel, oldest first, ephemeral ones included. */
  in(channelId: Snowflake): Message[] {
    return this.all().filter((message) => message.channelId === channelId);
  }

  /** Counts the messages created with this nonce, without de-duplicated requests. */
  deliveriesOf(nonce: string): number {
    return this.#world.messages.deliveriesOf(nonce);
  }

  /**
   * Calls a listener for every message that is posted, edited or deleted from now on.
   *
   * @returns stops telling
   */
  watch(listener: (message: Message) => void): () => void {
    return this.#world.changes.subscribe((change) => {
      if ('message' in change) listener(change.message);
    });
  }

  /**
   * Resolves with the first matching message, existing or future.
   *
   * @throws {Error} when none does in time, or the simulator closes
   */
  waitFor(fits: (message: Message) => boolean, { timeoutMs = DEFAULT_TIMEOUT_MS, after }: MessageWait = {}) {
    const matches = (message: Message): boolean =>
      (after === undefined || byAge(message.id, after) > 0) && fits(message);
    return new Promise<Message>((resolve, reject) => {
      const present = this.all().find(matches);
      if (present) return resolve(present);
      const end = (): void => {
        clearTimeout(timer);
        unsubscribe();
        this.#closing.removeEventListener('abort', abandon);
      };
      const fail = (reason: string): void => {
        end();
        reject(new Error(reason));
      };
      const abandon = (): void => fail('The simulator was closed before the message came');
      const timer = setTimeout(() => fail(`No message that fits within ${timeoutMs} ms`), timeoutMs);
      const unsubscribe = this.watch((message) => {
        try {
          if (!matches(message)) return;
        } catch (error) {
          end();
          return reject(error);
        }
        end();
        resolve(message);
      });
      this.#closing.addEventListener('abort', abandon);
      if (this.#closing.aborted) abandon();
    });
  }
}
