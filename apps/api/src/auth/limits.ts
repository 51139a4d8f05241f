import { ProblemError, type Snowflake } from '@guild-settings/contract';
import { clientNetwork } from '@guild-settings/runtime/http-server';
import { LRUCache } from 'lru-cache';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { DiscordUnavailableError } from './discord-api.ts';
import type { Principal } from './principal.ts';

const WINDOW_SECONDS = 60;

export interface RateLimitState {
  readonly limit: number;
  readonly windowSeconds: number;
  readonly remaining: number;
  readonly resetSeconds: number;
}

export interface PrincipalLimit {
  readonly isOn: boolean;
  /**
   * Counts one call.
   * @param onState called with the state after the call, also if the call is refused; not called without a limit
   * @throws ProblemError rate-limited
   */
  spend(principal: Principal, onState: (state: RateLimitState) => void): void;
  /** Counts one request of a person that is not an operation. @throws ProblemError rate-limited */
  spendOf(userId: Snowflake): void;
}

const MAX_PRINCIPALS = 100_000;

interface PrincipalLimitOptions {
  readonly perMinute: number;
  readonly monotonicMs: () => number;
}

export function createPrincipalLimit({ perMinute, monotonicMs }: PrincipalLimitOptions): PrincipalLimit {
  if (perMinute === 0) return { isOn: false, spend: () => {}, spendOf: () => {} };
  const windowOf = createWindows({ windowMs: WINDOW_SECONDS * 1_000, maxClients: MAX_PRINCIPALS, monotonicMs });
  const count = (key: string, onState: (state: RateLimitState) => void) => {
    const window = windowOf(key);
    window.count += 1;
    const remaining = Math.max(0, perMinute - window.count);
    const resetSeconds = secondsLeft(window, monotonicMs);
    onState({ limit: perMinute, windowSeconds: WINDOW_SECONDS, remaining, resetSeconds });
    if (window.count > perMinute) throw new ProblemError('rate-limited', { retryAfter: resetSeconds });
  };
  return {
    isOn: true,
    spend: (principal, onState) => count(principalKey(principal), onState),
    spendOf: (userId) => count(userKey(userId), () => {}),
  };
}

function userKey(userId: Snowflake): string {
  return `user:${userId}`;
}

function principalKey(principal: Principal): string {
  switch (principal.kind) {
    case 'user':
      return userKey(principal.userId);
    case 'application':
      return `application:${principal.applicationId}:${principal.onBehalfOf ?? ''}`;
  }
}

const LOGIN_WINDOW_MS = 600_000;

export const MAX_CLIENTS = 10_000;

/** Logins that a client may begin. Each makes this server set a cookie. */
const MAX_BEGUN = 300;

/** Logins of a client that may fail at Discord. Each causes a request to Discord. */
const MAX_FAILED = 50;

/**
 * Failed logins of all clients: from the first limit on, clients with a failed login are refused; from the second on,
 * all clients. Together with the invalid tokens that the service sends, the requests from one address stay below the
 * number for which Discord bans it.
 * @see https://docs.discord.com/developers/topics/rate-limits#invalid-request-limit-aka-cloudflare-bans
 */
const MAX_FAILED_FOR_SENDERS = 1_000;
const MAX_FAILED_OF_ALL = 1_500;

/** Limits the cost of clients that are not authenticated yet. */
export interface LoginLimit {
  /** Counts a login that a client begins. @throws ProblemError rate-limited */
  begin(clientIp: string): void;
  /**
   * Counts a login that a client completes as a failed one. @returns a function that uncounts it @throws ProblemError
   * rate-limited
   */
  complete(clientIp: string): () => void;
}

/** Creates a limit whose counts are kept for ten minutes. Clients are IPv4 addresses, and IPv6 networks of 64 bits. */
export function createLoginLimit(monotonicMs: () => number): LoginLimit {
  const windows = (maxClients: number) => createWindows({ windowMs: LOGIN_WINDOW_MS, maxClients, monotonicMs });
  const [begun, failed, ofAll] = [windows(MAX_CLIENTS), windows(MAX_CLIENTS), windows(1)];
  const refusal = (window: Window, reason: string) => {
    const retryAfter = secondsLeft(window, monotonicMs);
    const detail = `${reason} Try again in ${Math.ceil(retryAfter / 60)} minutes.`;
    return new ProblemError('rate-limited', { retryAfter, detail });
  };
  return {
    begin(clientIp) {
      const window = begun(clientNetwork(clientIp));
      if (window.count >= MAX_BEGUN) throw refusal(window, 'Too many logins were begun from this IP address.');
      window.count += 1;
    },
    complete(clientIp) {
      const [own, all] = [failed(clientNetwork(clientIp)), ofAll('')];
      const most = own.count > 0 ? MAX_FAILED_FOR_SENDERS : MAX_FAILED_OF_ALL;
      if (all.count >= most) throw refusal(all, 'Too many logins have failed.');
      if (own.count >= MAX_FAILED) throw refusal(own, 'Too many logins from this IP address have failed.');
      for (const window of [own, all]) window.count += 1;
      return () => {
        for (const window of [own, all]) window.count -= 1;
      };
    },
  };
}

/**
 * Discord bans an IP address for an hour or more after 10,000 rejected requests in ten minutes. These limits stay below
 * that.
 */
const TOKEN_WINDOW_SECONDS = 600;
const MAX_PER_CLIENT = 100;

/**
 * Rejected tokens of all clients: from the first limit on, clients that have sent one are refused; from the second on,
 * all clients.
 */
const MAX_TOTAL_FOR_SENDERS = 5_000;
const MAX_TOTAL = 8_000;

/**
 * Counts the tokens that Discord rejected, by client, and refuses look-ups for a client that has sent too many.
 * @see https://docs.discord.com/developers/topics/rate-limits#invalid-request-limit-aka-cloudflare-bans
 */
export interface InvalidTokenLimit {
  /** @throws ProblemError rate-limited when the client sent too many, DiscordUnavailableError when other clients did */
  check(clientIp: string): Promise<void>;
  count(clientIp: string): Promise<void>;
}

export function createInvalidTokenLimit(): InvalidTokenLimit {
  const limiter = (keyPrefix: string, limit: number) =>
    new RateLimiterMemory({ points: limit, duration: TOKEN_WINDOW_SECONDS, keyPrefix });
  const byClient = limiter('address', MAX_PER_CLIENT);
  const total = limiter('all', MAX_TOTAL);
  return {
    async check(clientIp) {
      const [own, all] = await Promise.all([byClient.get(clientNetwork(clientIp)), total.get('')]);
      if (own !== null && own.remainingPoints <= 0) {
        throw new ProblemError('rate-limited', {
          detail:
            'Too many invalid access tokens were sent from this IP address. Retry after the seconds in Retry-After.',
          retryAfter: seconds(own),
        });
      }
      const allowed = own === null ? MAX_TOTAL : MAX_TOTAL_FOR_SENDERS;
      if (all !== null && all.consumedPoints >= allowed) {
        throw new DiscordUnavailableError('overloaded', { retryAfterMs: seconds(all) * 1_000 });
      }
    },
    async count(clientIp) {
      await Promise.all([spend(byClient, clientNetwork(clientIp)), spend(total, '')]);
    },
  };
}

function seconds(count: RateLimiterRes): number {
  // The limiter uses the wall clock. If that was set, the result is still at most one window.
  return Math.min(TOKEN_WINDOW_SECONDS, Math.max(1, Math.ceil(count.msBeforeNext / 1_000)));
}

async function spend(limiter: RateLimiterMemory, key: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (error) {
    // Already over the limit: the request was in flight when the limit was reached.
    if (!(error instanceof RateLimiterRes)) throw error;
  }
}

interface InProgressOptions {
  readonly perPerson: number;
  /** The maximum for the application; that of all unless given. */
  readonly ofApplication?: number;
  /** The maximum for all callers together; unlimited unless given. */
  readonly ofAll?: number;
  readonly refusal: () => Error;
}

export class InProgress {
  readonly #options: InProgressOptions;
  readonly #counts = new Map<string | undefined, number>();
  #sum = 0;

  constructor(options: InProgressOptions) {
    this.#options = options;
  }

  /**
   * Counts more of a caller.
   * @param person undefined: the application
   * @param amount one unless given
   * @returns a function to call at the end
   * @throws the refusal
   */
  begin(person: string | undefined, amount = 1): () => void {
    const { perPerson, ofApplication = Number.POSITIVE_INFINITY, ofAll = Number.POSITIVE_INFINITY } = this.#options;
    const count = (this.#counts.get(person) ?? 0) + amount;
    const isTooMuch = count > (person === undefined ? ofApplication : perPerson) || this.#sum + amount > ofAll;
    if (isTooMuch) throw this.#options.refusal();
    this.#add(person, amount);
    let isOver = false;
    return () => {
      if (!isOver) this.#add(person, -amount);
      isOver = true;
    };
  }

  #add(person: string | undefined, amount: number): void {
    const count = (this.#counts.get(person) ?? 0) + amount;
    if (count > 0) this.#counts.set(person, count);
    else this.#counts.delete(person);
    this.#sum += amount;
  }
}

interface Window {
  count: number;
  bytes: number;
  /** In monotonic milliseconds. */
  readonly endsAtMs: number;
}

interface WindowsOptions {
  readonly windowMs: number;
  /** Clients that are counted at a time. Beyond it, the least recently counted one is dropped. */
  readonly maxClients: number;
  readonly monotonicMs: () => number;
}

/**
 * Returns a function that returns the current window of a client. Counts are kept in memory for a bounded number of
 * clients.
 */
export function createWindows({ windowMs, maxClients, monotonicMs }: WindowsOptions): (client: string) => Window {
  // `max` would allocate memory for all entries at the start.
  const windows = new LRUCache<string, Window>({ maxSize: maxClients, sizeCalculation: () => 1 });
  return (client) => {
    const known = windows.get(client);
    if (known !== undefined && known.endsAtMs > monotonicMs()) return known;
    const window = { count: 0, bytes: 0, endsAtMs: monotonicMs() + windowMs };
    windows.set(client, window);
    return window;
  };
}

/** Returns the seconds until a window ends, at least 1. */
export function secondsLeft({ endsAtMs }: Window, monotonicMs: () => number): number {
  return Math.max(1, Math.ceil((endsAtMs - monotonicMs()) / 1_000));
}

export function createStreamLimit(): InProgress {
  const refusal = () => new ProblemError('too-many-streams', { retryAfter: 60 });
  return new InProgress({ perPerson: 5, ofApplication: 1_000, refusal });
}
