import { ProblemError } from '@guild-settings/contract';
import { clientNetwork } from '@guild-settings/runtime/http-server';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { DiscordUnavailableError } from './discord-errors.ts';

/** Discord bans an IP address for an hour or more after 10,000 rejected requests in ten minutes. The limits stay below. */
const WINDOW_SECONDS = 600;
const MAX_PER_CLIENT = 100;

/** Rejected tokens of all clients from which on clients that have sent one are refused, and from which on all are. */
const MAX_TOTAL_FOR_SENDERS = 5_000;
const MAX_TOTAL = 8_000;

/**
 * Counts the tokens that Discord rejected, by client, and refuses further look-ups for a client that has sent too many.
 * @see https://docs.discord.com/developers/topics/rate-limits#invalid-request-limit-aka-cloudflare-bans
 */
export interface InvalidTokenLimit {
  /** @throws ProblemError rate-limited when the client is to blame, DiscordUnavailableError when others are */
  check(clientIp: string): Promise<void>;
  count(clientIp: string): Promise<void>;
}

export function createInvalidTokenLimit(): InvalidTokenLimit {
  const limiter = (keyPrefix: string, limit: number) =>
    new RateLimiterMemory({ points: limit, duration: WINDOW_SECONDS, keyPrefix });
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
  // The limiter uses the wall clock. After the clock was set, the time is still at most a window.
  return Math.min(WINDOW_SECONDS, Math.max(1, Math.ceil(count.msBeforeNext / 1_000)));
}

async function spend(limiter: RateLimiterMemory, key: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (error) {
    // Already over the limit: the request was running when the limit was reached.
    if (!(error instanceof RateLimiterRes)) throw error;
  }
}
