import { ProblemError } from '@guild-settings/contract';
import { clientNetwork } from '@guild-settings/runtime/http-server';
import { createWindows, secondsLeft, type Window } from './windows.ts';

const WINDOW_MS = 600_000;

/** Clients that are counted at a time. */
export const MAX_CLIENTS = 10_000;

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
  begin(clientIp: string): void;
  /** Counts a login that a client completes as a failed one. @returns takes that back @throws ProblemError rate-limited */
  complete(clientIp: string): () => void;
}

/** Creates a limit whose counts are kept for ten minutes. Clients are IPv4 addresses, and IPv6 networks of 64 bits. */
export function createLoginLimit(monotonicMs: () => number): LoginLimit {
  const windows = (maxClients: number) => createWindows({ windowMs: WINDOW_MS, maxClients, monotonicMs });
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
