import { isIPv6, SocketAddress } from 'node:net';
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

/** An IPv6 client commands a whole /64, so that is what is counted; an IPv4 address may come wrapped into IPv6. */
function network(address: string): string {
  if (!isIPv6(address)) return address;
  // Node's canonical form: lower case, no leading zeros, the longest run of zeros as "::".
  const canonical = new SocketAddress({ address, family: 'ipv6' }).address;
  const wrapped = /^::ffff:([\d.]+)$/.exec(canonical)?.[1];
  if (wrapped !== undefined) return wrapped;
  const [left = [], right = []] = canonical.split('::').map((half) => half.split(':').filter((group) => group !== ''));
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0');
  return [...left, ...zeros, ...right].slice(0, 4).join(':');
}
