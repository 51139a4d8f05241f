import { DeadlineError, isGuildSettingsError, NetworkError, UnexpectedResponseError } from '@guild-settings/client';
import { ProblemError } from '@guild-settings/contract';
import type { Procedure } from './procedures.ts';

/** A response of the service that refuses a call, in tRPC's envelope. */
export interface ServiceRefusal {
  readonly status: number;
  readonly body: { readonly error: unknown };
}

/** Returns the service's own refusal of a call; undefined where the error is no response of the service. */
export function refusalOf(error: unknown): ServiceRefusal | undefined {
  if (!isGuildSettingsError(error)) return undefined;
  const { shape } = error;
  return shape ? { status: shape.data.httpStatus, body: { error: shape } } : undefined;
}

/** Returns the problem where the service has not responded, or an error of this server. */
export function failureOf(error: unknown, type: Procedure['type']): unknown {
  const cause = isGuildSettingsError(error) ? error.cause : error;
  if (!isGuildSettingsError(error) || !cause) return error;
  if (cause instanceof NetworkError && !cause.maybeSent) return unreachable(cause);
  if (cause instanceof NetworkError || cause instanceof DeadlineError || cause instanceof UnexpectedResponseError) {
    return type === 'query' ? unreachable(cause) : unconfirmed(cause);
  }
  // JSON.stringify, which is recursive: the call was not sent.
  if (cause instanceof RangeError)
    return new ProblemError('invalid-body', { detail: 'The input is nested too deeply.', cause });
  return cause;
}

/** Returns the problem of a service that cannot be reached. */
export function unreachable(cause: unknown): ProblemError {
  const detail = 'The settings service does not respond. Nothing was changed; try again.';
  return new ProblemError('store-unavailable', { detail, cause });
}

function unconfirmed(cause: unknown): ProblemError {
  const detail =
    'The settings service did not respond to the change, which it may have made. Read the record before trying again.';
  return new ProblemError('write-unconfirmed', { detail, cause });
}
