import { ProblemError } from '@guild-settings/contract';
import { RedirectError } from '../http/service-requests.ts';

/** Codes of a name look-up or a connection that has failed: the service has not received the request. */
const CONNECT_CODES: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]);

export function withoutResponse(cause: unknown, method: 'GET' | 'POST'): ProblemError {
  const isUnsent =
    cause instanceof RedirectError || CONNECT_CODES.has((cause as Partial<NodeJS.ErrnoException> | undefined)?.code);
  return method === 'GET' || isUnsent ? unreachable(cause) : unconfirmed(cause);
}

export function unreachable(cause: unknown): ProblemError {
  const detail = 'The settings service does not respond. Nothing was changed. Try again.';
  return new ProblemError('store-unavailable', { detail, cause });
}

function unconfirmed(cause: unknown): ProblemError {
  const detail =
    'The settings service did not respond to the change, which it may have made. Read the record before trying again.';
  return new ProblemError('write-unconfirmed', { detail, cause });
}
