import { clientNetwork } from '@guild-settings/runtime/http-server';
import { BoundedLimit } from './bounded-limit.ts';

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
  begin(clientIp: string): Promise<void>;
  /** Counts a login that a client completes as a failed one. @returns takes that back @throws ProblemError rate-limited */
  complete(clientIp: string): Promise<() => Promise<void>>;
}

/** Creates a limit whose counts are kept in memory. Clients are IPv4 addresses, and IPv6 networks of 64 bits. */
export function createLoginLimit(): LoginLimit {
  const begun = new BoundedLimit({
    points: MAX_BEGUN,
    windowSeconds: WINDOW_SECONDS,
    reason: 'Too many logins were begun from this IP address.',
  });
  const failed = new BoundedLimit({
    points: MAX_FAILED,
    windowSeconds: WINDOW_SECONDS,
    reason: 'Too many logins from this IP address have failed.',
  });
  const all = new BoundedLimit({
    points: MAX_FAILED_OF_ALL,
    windowSeconds: WINDOW_SECONDS,
    reason: 'Too many logins have failed.',
  });
  return {
    begin: (clientIp) => begun.spend(clientNetwork(clientIp)),
    async complete(clientIp) {
      const client = clientNetwork(clientIp);
      const [total, own] = await Promise.all([all.spent(ALL), failed.spent(client)]);
      if (own > 0 && total >= MAX_FAILED_FOR_SENDERS) await all.refuse(ALL);
      await failed.spend(client);
      await all.spend(ALL);
      return async () => void (await Promise.all([failed.giveBack(client), all.giveBack(ALL)]));
    },
  };
}

const ALL = '';
