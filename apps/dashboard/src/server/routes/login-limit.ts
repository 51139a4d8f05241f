import { ProblemError } from '@guild-settings/contract';
import { clientNetwork } from '@guild-settings/http-server';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

const WINDOW_SECONDS = 600;

/** Logins that a client may begin. Each costs this server a cookie. */
const MAX_BEGUN = 300;

/** Logins of a client that may fail at Discord. Each costs Discord a request. */
const MAX_FAILED = 50;

/**
 * Failed logins of all clients from which on clients that have one are refused, and from which on all are. Together with the
 * invalid tokens that the service sends, the requests of one address stay below those for which Discord bans it.
 * @see https://docs.discord.com/developers/topics/rate-limits#invalid-request-limit-aka-cloudflare-bans
 */
const MAX_FAILED_FOR_SENDERS = 1_000;
const MAX_FAILED_OF_ALL = 1_500;

/** Bounds what clients cost before it is known who they are. */
export interface LoginLimit {
  /** Counts a login that a client begins. @throws ProblemError rate-limited */
  begin(clientIp: string): Promise<void>;
  /** Counts a login that a client completes as a failed one. @returns takes that back @throws ProblemError rate-limited */
  complete(clientIp: string): Promise<() => Promise<void>>;
}

/** Creates a limit whose counts are kept in memory. Clients are IPv4 addresses, and IPv6 networks of 64 bits. */
export function createLoginLimit(): LoginLimit {
  const options = { duration: WINDOW_SECONDS };
  const begun = new RateLimiterMemory({ ...options, points: MAX_BEGUN, keyPrefix: 'begun' });
  const failed = new RateLimiterMemory({ ...options, points: MAX_FAILED, keyPrefix: 'failed' });
  const all = new RateLimiterMemory({ ...options, points: MAX_FAILED_OF_ALL, keyPrefix: 'all' });
  return {
    async begin(clientIp) {
      await spend(begun, clientNetwork(clientIp), 'Too many logins were begun from this IP address.');
    },
    async complete(clientIp) {
      const client = clientNetwork(clientIp);
      const total = await all.get('');
      const own = await failed.get(client);
      const isRefused =
        own !== null && own.consumedPoints > 0 && (total?.consumedPoints ?? 0) >= MAX_FAILED_FOR_SENDERS;
      if (isRefused && total) throw limited(total, TOO_MANY_FAILED);
      await spend(failed, client, TOO_MANY_FAILED);
      await spend(all, '', 'Too many logins have failed.');
      return async () => void (await Promise.all([failed.reward(client), all.reward('')]));
    },
  };
}

const TOO_MANY_FAILED = 'Too many logins from this IP address have failed.';

async function spend(limiter: RateLimiterMemory, key: string, reason: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (error) {
    throw error instanceof RateLimiterRes ? limited(error, reason) : error;
  }
}

function limited({ msBeforeNext }: RateLimiterRes, reason: string): ProblemError {
  // The limiter uses the wall clock. After the clock was set, the time is still at most a window.
  const retryAfter = Math.min(WINDOW_SECONDS, Math.max(1, Math.ceil(msBeforeNext / 1_000)));
  const minutes = Math.ceil(retryAfter / 60);
  return new ProblemError('rate-limited', { detail: `${reason} Try again in ${minutes} minutes.`, retryAfter });
}
