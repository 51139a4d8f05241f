import type { Snowflake } from 'discord-api-types/v10';
import type { Message } from '../world/entities.ts';
import { byAge } from '../world/snowflake.ts';
import type { World } from '../world/world.ts';

/** How long to wait, and from where. */
export interface MessageWait {
  /** 2,000 when left out. */
  readonly timeoutMs?: number;
  /** Only messages newer than this one count; without it, those already written count too. */
  readonly after?: Snowflake;
}

const DEFAULT_TIMEOUT_MS = 2_000;

/** What was written, by people and by bots, as it stands now: edits show, deleted messages stay and say so. */
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

  /** How many messages were made with this nonce. Requests that were de-duplicated made none. */
  deliveriesOf(nonce: string): number {
    return this.#world.messages.deliveriesOf(nonce);
  }

  /**
   * Tells of every message that is written, edited or deleted from now on.
   *
   * @returns stops telling
   */
  watch(listener: (message: Message) => void): () => void {
    return this.#world.changes.subscribe((change) => {
      if ('message' in change) listener(change.message);
    });
  }

  /**
   * The first message that fits, now or as soon as it is written or edited to fit.
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
