import type { Bot } from '../world/entities.ts';
import { type Identity, Session } from './session.ts';

const KEPT_SESSIONS = 100;

export interface StartLimit {
  /** The number of shards that may identify in each interval; they are those with the same remainder by this number. */
  readonly maxConcurrency: number;
  readonly identifyIntervalMs: number;
}

/** The sessions that can be resumed, including connected ones. */
export class Sessions {
  readonly #limit: StartLimit;
  readonly #sessions = new Map<string, Session>();
  /** The time of the last start, by bot and remainder of the shard. */
  readonly #startedAt = new Map<string, number>();

  constructor(limit: StartLimit) {
    this.#limit = limit;
  }

  /**
   * Adds a session; above 100, deletes the oldest one without a client.
   *
   * @returns `null` when the shard has to wait
   * @see https://discord.com/developers/docs/events/gateway#sharding-max-concurrency
   */
  start(identity: Identity, now: number): Session | null {
    const key = `${identity.bot.applicationId} ${identity.shard[0] % this.#limit.maxConcurrency}`;
    const startedAt = this.#startedAt.get(key);
    if (startedAt !== undefined && now - startedAt < this.#limit.identifyIntervalMs) return null;
    this.#startedAt.set(key, now);
    const session = new Session(identity);
    this.#sessions.set(session.id, session);
    if (this.#sessions.size > KEPT_SESSIONS) {
      const detached = this.all().find(({ client }) => client === null);
      if (detached) this.end(detached);
    }
    return session;
  }

  find(id: string, bot: Bot | null): Session | null {
    const session = this.#sessions.get(id);
    return session && session.identity.bot.applicationId === bot?.applicationId ? session : null;
  }

  all(): Session[] {
    return [...this.#sessions.values()];
  }

  end(session: Session): void {
    this.#sessions.delete(session.id);
  }
}
