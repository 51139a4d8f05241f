import { type GuildId, ProblemError, type Snowflake } from '@guild-settings/contract';
import { LRUCache } from 'lru-cache';
import { DiscordUnavailableError } from '../auth/discord-api.ts';
import type { BotRequests } from './bot-requests.ts';

const MAX_PAUSED = 1_000;

/** Discord does not show the guild, the member or the user to the bot. */
export const ABSENT = 'absent';

export interface GuildLookup {
  readonly id: GuildId;
  readonly person: Snowflake | undefined;
}

export interface KnownPresence {
  /** The presence of the bot in the guild. A result from before a change of it is not reused. */
  readonly presence: string;
}

/** Runs look-ups about guilds within the limits of the bot's requests, and pauses those of a guild whose rate Discord limits. */
export class GuildLookups {
  readonly #requests: BotRequests;
  readonly #monotonicMs: () => number;
  /** Until when a guild is not requested, because Discord limits the rate. */
  readonly #paused = new LRUCache<GuildId, number>({ max: MAX_PAUSED });

  constructor(requests: BotRequests, monotonicMs: () => number) {
    this.#requests = requests;
    this.#monotonicMs = monotonicMs;
  }

  /**
   * Runs a look-up. Discord refuses guilds and members that the bot cannot see, with 403 or 404.
   * @throws ProblemError bot-token-missing, rate-limited
   * @throws DiscordUnavailableError
   */
  async run<T>({ id, person }: GuildLookup, work: (signal: AbortSignal) => Promise<T>): Promise<T | typeof ABSENT> {
    const pauseMs = (this.#paused.get(id) ?? 0) - this.#monotonicMs();
    if (pauseMs > 0) throw new DiscordUnavailableError('rate-limited', { retryAfterMs: pauseMs });
    try {
      return await this.#requests.run(person, work);
    } catch (error) {
      if (!(error instanceof DiscordUnavailableError)) throw error;
      if (error.status === 403 || error.status === 404) return ABSENT;
      if (error.fault === 'rate-limited') this.#paused.set(id, this.#monotonicMs() + error.retryAfterMs);
      throw error;
    }
  }
}

/** Options of a cache whose values are looked up. They expire by the service's clock; an evicted look-up is not aborted. */
export function cacheOptions(ttlMs: number, monotonicMs: () => number) {
  return { ttl: ttlMs, ttlResolution: 0, perf: { now: monotonicMs }, ignoreFetchAbort: true } as const;
}

/** Rethrows an error of look-ups. An outage is a problem that names what could not be read. */
export function problemOfLookup(error: unknown, what: string): never {
  if (!(error instanceof DiscordUnavailableError)) throw error;
  const reason =
    error.fault === 'overloaded' ? 'too many requests are sent to Discord' : 'Discord does not respond as it should';
  throw new ProblemError('discord-unavailable', {
    detail: `${what} could not be read, because ${reason}. Try again.`,
    retryAfter: error.retryAfter,
    cause: error,
  });
}
