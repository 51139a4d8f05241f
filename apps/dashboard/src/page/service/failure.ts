import { retryAfterOf, slugOf, statusOf } from './problem.ts';

/** The meaning of a failed call for the person, and its remedy. */
export type FailureKind =
  /** The session has ended: log in again. */
  | 'session-over'
  | 'forbidden'
  | 'bot-absent'
  | 'not-found'
  | 'conflict'
  | 'invalid'
  /** Too many requests: wait for `retryAfter` seconds. */
  | 'limited'
  | 'offline'
  /** The service, or Discord behind it, does not respond: try again later. */
  | 'unavailable'
  | 'unexpected';

export interface Failure {
  readonly kind: FailureKind;
  readonly retryAfter: number | undefined;
}

export function isRetryable({ kind }: Failure): boolean {
  return kind === 'limited' || kind === 'offline' || kind === 'unavailable';
}

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
