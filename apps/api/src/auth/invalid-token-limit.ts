import { isIPv6 } from 'node:net';
import { ProblemError } from '@guild-settings/contract';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

/** Discord bans an address for an hour or more after 10,000 refused calls in ten minutes; this stays far below. */
const WINDOW_SECONDS = 600;
const PER_ADDRESS = 100;
const ALTOGETHER = 5_000;

/**
 * Counts the tokens that Discord refused, by the client that sent them, and stops asking Discord for a client that
 * sends too many.
 * @see https://docs.discord.com/developers/topics/rate-limits#invalid-request-limit-aka-cloudflare-bans
 */
export interface InvalidTokenLimit {
  /** @throws ProblemError rate-limited */
  check(address: string): Promise<void>;
  /** Notes that Discord refused a token of this client. */
  count(address: string): Promise<void>;
}

/** A new count, kept in memory: it holds at most one entry for each of the calls that are allowed altogether. */
export function createInvalidTokenLimit(): InvalidTokenLimit {
  const byAddress = new RateLimiterMemory({ points: PER_ADDRESS, duration: WINDOW_SECONDS, keyPrefix: 'address' });
  const altogether = new RateLimiterMemory({ points: ALTOGETHER, duration: WINDOW_SECONDS, keyPrefix: 'all' });
  return {
    async check(address) {
      const counts = await Promise.all([byAddress.get(network(address)), altogether.get('')]);
      const spent = counts.find((count) => count !== null && count.remainingPoints <= 0);
      if (spent) throw tooMany(spent);
    },
    async count(address) {
      await Promise.all([spend(byAddress, network(address)), spend(altogether, '')]);
    },
  };
}

async function spend(limiter: RateLimiterMemory, key: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (error) {
    // Already over the limit: the call was under way when the limit was reached.
    if (!(error instanceof RateLimiterRes)) throw error;
  }
}

function tooMany(count: RateLimiterRes): ProblemError {
  return new ProblemError('rate-limited', {
    detail: 'Too many invalid access tokens came from this address. Wait for the seconds that Retry-After says.',
    retryAfter: Math.ceil(count.msBeforeNext / 1_000),
  });
}

/** An IPv6 client commands a whole /64, so that is what is counted. */
function network(address: string): string {
  if (!isIPv6(address)) return address;
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [head = '', tail] = address.split('::');
  const left = head.split(':').filter(Boolean);
  const right = tail?.split(':').filter(Boolean) ?? [];
  const zeros = Array.from({ length: tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length) }, () => '0');
  return [...left, ...zeros, ...right].slice(0, 4).join(':');
}
