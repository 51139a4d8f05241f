import { retryAfterOf, slugOf, statusOf } from './problem.ts';

/** The meaning of a failed call for the person, and its remedy. */
export type FailureKind =
  /** The session has ended: log in again. */
  | 'session-over'
  /** The person may not manage the guild. */
  | 'forbidden'
  /** The bot is not in the guild: invite it. */
  | 'bot-absent'
  | 'not-found'
  /** Another person has changed the same setting. */
  | 'conflict'
  /** The input is not valid: the problem has the issues. */
  | 'invalid'
  /** Too many requests: wait for `retryAfter` seconds. */
  | 'limited'
  /** Without a connection of this device. */
  | 'offline'
  /** The service, or Discord behind it, does not respond: try again later. */
  | 'unavailable'
  /** A mistake of the program. */
  | 'unexpected';

export interface Failure {
  readonly kind: FailureKind;
  /** Seconds until a retry may succeed. */
  readonly retryAfter: number | undefined;
}

/** Returns true if the same request may succeed later. */
export function isRetryable({ kind }: Failure): boolean {
  return kind === 'limited' || kind === 'offline' || kind === 'unavailable';
}

/** Returns what an error of a call means. */
export function failureOf(error: unknown): Failure {
  return { kind: kindOf(error), retryAfter: retryAfterOf(error) };
}

function kindOf(error: unknown): FailureKind {
  const status = statusOf(error);
  if (status === undefined) return navigator.onLine ? 'unavailable' : 'offline';
  if (slugOf(error) === 'bot-absent') return 'bot-absent';
  switch (status) {
    case 400:
    case 413:
      return 'invalid';
    case 401:
      return 'session-over';
    case 403:
      return 'forbidden';
    case 404:
      return 'not-found';
    case 409:
    case 412:
      return 'conflict';
    case 429:
      return 'limited';
    default:
      return status === 408 || status >= 502 ? 'unavailable' : 'unexpected';
  }
}
