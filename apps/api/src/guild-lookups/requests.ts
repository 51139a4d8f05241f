import { type GuildId, ProblemError, type Snowflake } from '@guild-settings/contract';
import { bulkhead } from 'cockatiel';
import { LRUCache } from 'lru-cache';
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { type DiscordGet, DiscordUnavailableError, TokenRejectedError } from '../auth/discord-api.ts';
import { DiscordCircuit, type DiscordObserver, type LookupQueue } from '../auth/discord-lookups.ts';
import type { BotApi } from './bot-api.ts';

const MAX_PAUSED = 1_000;

/** The guild, member or user is not visible to the bot. */
export const ABSENT = 'absent';

export interface GuildLookup {
  readonly id: GuildId;
  readonly person: Snowflake | undefined;
}

export interface LookupParts {
  readonly api: BotApi;
  readonly lookups: GuildLookups;
  readonly monotonicMs: () => number;
}

export interface KnownPresence {
  /** The presence of the bot in the guild. A result is not reused after a change of it. */
  readonly presence: string;
}

/**
 * Runs look-ups of guilds within the limits of the bot's requests, and pauses those of a guild that Discord
 * rate-limits.
 */
export class GuildLookups {
  readonly #requests: BotRequests;
  readonly #monotonicMs: () => number;
  /** The time until which a guild is not requested because of Discord's rate limit. */
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

/** Options of a cache of look-ups. Entries expire by the service's clock; an evicted look-up is not aborted. */
export function cacheOptions(ttlMs: number, monotonicMs: () => number) {
  return { ttl: ttlMs, ttlResolution: 0, perf: { now: monotonicMs }, ignoreFetchAbort: true } as const;
}

/** Rethrows an error of a look-up. An outage becomes a problem that names what could not be read. */
export function problemOfLookup(error: unknown, what: string): never {
  if (!(error instanceof DiscordUnavailableError)) throw error;
  const reason =
    error.fault === 'overloaded' ? 'too many requests are sent to Discord' : 'Discord does not respond as expected';
  throw new ProblemError('discord-unavailable', {
    detail: `${what} could not be read, because ${reason}. Try again.`,
    retryAfter: error.retryAfter,
    cause: error,
  });
}

/** Time for which a token is not sent again after Discord rejected it. */
const REJECTED_MS = 60_000;

/**
 * Refused look-ups (401, 403, 429) within ten minutes after which look-ups stop. Each sends up to four requests.
 * Discord bans an IP address after 10,000 refusals, of which the token checks use up to 8,000.
 */
const MAX_REFUSALS = 400;
/** Maximum share of a person: one person can manage 100 guilds that the bot is not in. */
const MAX_REFUSALS_OF_PERSON = 50;
const WINDOW_SECONDS = 600;

/**
 * Concurrent look-ups. Each sends up to four requests, of which 20 begin per second, so the last one waits for some
 * seconds. The callers are people. The application is limited only by the total.
 */
export const BOT_LOOKUPS = { running: 24, waiting: 8, perCaller: 8 } as const;

/** Concurrent look-ups of roles, with one request each. They decide permissions, so they have their own slots. */
export const ROLE_LOOKUPS = { running: 24, waiting: 96, perCaller: 2 } as const;

interface BotRequestsOptions {
  readonly queue: LookupQueue;
  readonly monotonicMs: () => number;
  readonly observer: DiscordObserver<DiscordUnavailableError | TokenRejectedError>;
}

/** Runs requests with the bot's token within Discord's limits. */
interface BotRequests {
  /**
   * Runs work that sends requests, with a deadline. A network fault is retried once, and a short rate limit is waited
   * for.
   * @param person the person who caused the work; undefined: the application
   * @throws ProblemError bot-token-missing when Discord rejects the token; rate-limited when it has refused too many
   * look-ups of this person
   * @throws DiscordUnavailableError, also when too many look-ups are running
   */
  run<T>(person: Snowflake | undefined, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
}

/**
 * Creates the limits of the bot's requests. They are separate from those of the token checks, which must work without
 * the bot.
 */
export function createBotRequests({ queue, monotonicMs, observer }: BotRequestsOptions): BotRequests {
  const circuit = new DiscordCircuit(monotonicMs, observer);
  const limiter = (keyPrefix: string, points: number) =>
    new RateLimiterMemory({ points, duration: WINDOW_SECONDS, keyPrefix });
  const refusals = limiter('all', MAX_REFUSALS);
  const refusalsOfPerson = limiter('person', MAX_REFUSALS_OF_PERSON);
  let rejectedUntilMs = Number.NEGATIVE_INFINITY;

  async function requireAllowed(person: Snowflake | undefined): Promise<void> {
    if (monotonicMs() < rejectedUntilMs) throw tokenRejected();
    circuit.requirePauseOver();
    const [own, all] = await Promise.all([
      person === undefined ? null : refusalsOfPerson.get(person),
      refusals.get(''),
    ]);
    if (own !== null && own.remainingPoints <= 0) throw tooManyRefusals(own);
    if (all !== null && all.remainingPoints <= 0)
      throw new DiscordUnavailableError('overloaded', { retryAfterMs: waitMs(all) });
  }

  async function count(person: Snowflake | undefined, error: unknown): Promise<void> {
    const isRefused =
      error instanceof DiscordUnavailableError && (error.fault === 'refused' || error.fault === 'rate-limited');
    if (error instanceof TokenRejectedError) rejectedUntilMs = monotonicMs() + REJECTED_MS;
    else if (!isRefused) return;
    await Promise.all([refusals.penalty(''), person !== undefined && refusalsOfPerson.penalty(person)]);
  }

  return {
    async run(person, work) {
      try {
        return await queue.run(person, async (signal) => {
          await requireAllowed(person);
          try {
            return await circuit.run(() => circuit.send(() => work(signal), signal));
          } catch (error) {
            await count(person, error);
            throw error;
          }
        });
      } catch (error) {
        if (error instanceof TokenRejectedError) {
          observer.onFailure(error);
          throw tokenRejected(error);
        }
        const isKnown = error instanceof DiscordUnavailableError && ['refused', 'circuit-open'].includes(error.fault);
        if (error instanceof DiscordUnavailableError && !isKnown) observer.onFailure(error);
        throw error;
      }
    },
  };
}

function tokenRejected(cause?: unknown): ProblemError {
  return new ProblemError('bot-token-missing', {
    detail:
      'Discord rejects the bot token of this service. Its operator has to set DISCORD_BOT_TOKEN to the current one.',
    cause,
  });
}

function tooManyRefusals(own: RateLimiterRes): ProblemError {
  return new ProblemError('rate-limited', {
    detail:
      'Discord has refused too many of your requests for guilds that the bot cannot see. Retry after the seconds in Retry-After.',
    retryAfter: Math.max(1, Math.ceil(waitMs(own) / 1_000)),
  });
}

/**
 * Returns the time until a count restarts. The limiter uses the wall clock; if that was set, the result is still at
 * most one window.
 */
function waitMs({ msBeforeNext }: RateLimiterRes): number {
  return Math.min(msBeforeNext, WINDOW_SECONDS * 1_000);
}

/** The number of requests that may begin together, and the time after which each allows another one. */
export interface Pace {
  readonly burst: number;
  readonly burstMs: number;
}

/** 20 requests per second. Discord's global limit is 50 per second, which is shared with the bot. */
const PACE: Pace = { burst: 4, burstMs: 200 };

/**
 * Returns a sender of requests with the bot's token that begins 20 per second unless another pace is given. Further
 * requests wait for their turn. The caller limits their number.
 * @see https://docs.discord.com/developers/topics/rate-limits#global-rate-limit
 */
export function paced(send: DiscordGet, { burst, burstMs }: Pace = PACE): DiscordGet {
  const slots = bulkhead(burst, Number.POSITIVE_INFINITY);
  /** Begins a request in its turn. A request that was aborted while it waited passes its turn on. */
  const begin = (signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      void slots.execute(() => {
        resolve();
        return signal.aborted ? undefined : new Promise((end) => setTimeout(end, burstMs));
      });
    });
  return async (request) => {
    await begin(request.signal);
    if (request.signal.aborted) throw new DiscordUnavailableError('timeout');
    return send(request);
  };
}
