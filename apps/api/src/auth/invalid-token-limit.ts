import { isIPv6, SocketAddress } from 'node:net';
import { ProblemError } from '@guild-settings/contract';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { DiscordUnavailableError } from './discord-errors.ts';

/** Discord bans an address for an hour or more after 10,000 refused calls in ten minutes; this stays below. */
const WINDOW_SECONDS = 600;
const PER_ADDRESS = 100;
/** From here on, altogether, no more for clients that have sent a bad token; from there on for no unknown token at all. */
const ALTOGETHER = 5_000;
const ALTOGETHER_AT_MOST = 8_000;

/**
 * Counts the tokens that Discord refused, by the client that sent them, and stops asking Discord for a client that
 * sends too many.
 * @see https://docs.discord.com/developers/topics/rate-limits#invalid-request-limit-aka-cloudflare-bans
 */
export interface InvalidTokenLimit {
  /** @throws ProblemError rate-limited when the client is to blame, DiscordUnavailableError when others are */
  check(address: string): Promise<void>;
  /** Notes that Discord refused a token of this client. */
  count(address: string): Promise<void>;
}

/** A new count, kept in memory: it holds at most one entry for each of the calls that are allowed altogether. */
export function createInvalidTokenLimit(): InvalidTokenLimit {
  const byAddress = new RateLimiterMemory({ points: PER_ADDRESS, duration: WINDOW_SECONDS, keyPrefix: 'address' });
  const altogether = new RateLimiterMemory({ points: ALTOGETHER_AT_MOST, duration: WINDOW_SECONDS, keyPrefix: 'all' });
  return {
    async check(address) {
      const [own, all] = await Promise.all([byAddress.get(network(address)), altogether.get('')]);
      if (own !== null && own.remainingPoints <= 0) {
        throw new ProblemError('rate-limited', {
          detail: 'Too many invalid access tokens came from this address. Wait for the seconds that Retry-After says.',
          retryAfter: seconds(own),
        });
      }
      const allowed = own === null ? ALTOGETHER_AT_MOST : ALTOGETHER;
      if (all !== null && all.consumedPoints >= allowed) {
        throw new DiscordUnavailableError('overloaded', { retryAfter: seconds(all) });
      }
    },
    async count(address) {
      await Promise.all([spend(byAddress, network(address)), spend(altogether, '')]);
    },
  };
}

function seconds(count: RateLimiterRes): number {
  // The limiter measures by the wall clock: after a step of it, never longer than a window.
  return Math.min(WINDOW_SECONDS, Math.max(1, Math.ceil(count.msBeforeNext / 1_000)));
}

async function spend(limiter: RateLimiterMemory, key: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (error) {
    // Already over the limit: the call was under way when the limit was reached.
    if (!(error instanceof RateLimiterRes)) throw error;
  }
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
