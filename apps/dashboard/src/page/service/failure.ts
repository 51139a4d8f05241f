import type { ProblemSlug } from '@guild-settings/contract';
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

/** Problems for which a later attempt may succeed, and after which nothing was changed. */
const NOTHING_CHANGED: readonly string[] = [
  'discord-unavailable',
  'store-unavailable',
  'request-timeout',
] satisfies ProblemSlug[];

/**
 * Returns true if a service that is unavailable has not made a change. A lost response, one without a problem, and one with a
 * problem of a newer service do not say it.
 */
export function isUnchanged(slug: string | undefined): boolean {
  return slug !== undefined && NOTHING_CHANGED.includes(slug);
}

/** Returns true if a change has failed, and may have been made. */
export function isUnconfirmed(error: unknown): boolean {
  return kindOf(error) === 'unavailable' && !isUnchanged(slugOf(error));
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
