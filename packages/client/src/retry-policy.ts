import { PROBLEMS, type ProblemSlug } from '@guild-settings/contract';
import { type Backoff, jitteredBackoffMs } from '@guild-settings/runtime/backoff';
import { type Operation, retryLink, type TRPCClientError, type TRPCLink } from '@trpc/client';
import type { AppRouter } from './app-router.ts';
import { DeadlineError, NetworkError, UnexpectedResponseError } from './fetch.ts';
import { problemOf, problemSlugOf } from './problem-of.ts';
import { BufferedResponse } from './service-fetch.ts';
import { isTokenError } from './token-source.ts';

const BACKOFF: Backoff = { firstMs: 100, longestMs: 2_000 };

/** The longest accepted Retry-After. With a longer one the call fails, and the caller decides. */
const MAX_RETRY_AFTER_SECONDS = 10;

/** Problems with which the service rejects a request before processing it. */
const REJECTED_UNPROCESSED: readonly (ProblemSlug | undefined)[] = ['rate-limited', 'discord-unavailable'];

/** Statuses of proxies that cannot reach the service or limit the rate. */
const TEMPORARY_STATUSES: readonly (number | undefined)[] = [429, 502, 503, 504];

/**
 * Creates a link that retries calls for which `mayRetry` holds.
 * @param maxRetries maximum retries
 */
export function retries(maxRetries: number): TRPCLink<AppRouter> {
  // tRPC calls `retry` and then `retryDelayMs` for an error; only the first receives the error.
  let waitMs: number | undefined;
  return retryLink({
    retry({ op, error, attempts }) {
      const mayRetryNow = attempts <= maxRetries && mayRetry(op.type, error);
      waitMs = mayRetryNow ? retryDelayMs(attempts - 1, requestedSeconds(error)) : undefined;
      return waitMs !== undefined;
    },
    retryDelayMs: () => waitMs ?? 0,
  });
}

/**
 * Returns the delay before a retry: at least the requested one. Undefined: the requested wait is too long.
 * @param failures 0 before the first retry
 * @param requestedSeconds seconds of a Retry-After
 */
export function retryDelayMs(
  failures: number,
  requestedSeconds: number | undefined,
  random = Math.random,
): number | undefined {
  if (requestedSeconds === undefined) return jitteredBackoffMs(failures, BACKOFF, random);
  if (requestedSeconds > MAX_RETRY_AFTER_SECONDS) return undefined;
  return requestedSeconds * 1_000 + jitteredBackoffMs(0, BACKOFF, random);
}

/**
 * Returns true if a retry is safe and may succeed. A mutation is only retried if the service certainly did not process
 * the last attempt: its response says so, or the request was not sent.
 */
function mayRetry(type: Operation['type'], error: TRPCClientError<AppRouter>): boolean {
  if (type === 'subscription') return false;
  const slug = problemSlugOf(error);
  const { cause } = error;
  if (REJECTED_UNPROCESSED.includes(slug)) return true;
  if (cause instanceof NetworkError && !cause.maybeSent) return true;
  if (isTokenError(cause)) return cause.fault === 'unavailable';
  if (type === 'mutation') return false;
  if (slug !== undefined) return PROBLEMS[slug].retryable;
  if (cause instanceof NetworkError || cause instanceof DeadlineError) return true;
  return TEMPORARY_STATUSES.includes(responseOf(error)?.status);
}

/** Returns the wait in seconds that the service, a proxy or the token source requires. */
function requestedSeconds(error: TRPCClientError<AppRouter>): number | undefined {
  if (isTokenError(error.cause)) return error.cause.retryAfter;
  return problemOf(error)?.retryAfter ?? responseOf(error)?.retryAfter;
}

function responseOf({
  cause,
  meta,
}: TRPCClientError<AppRouter>): Pick<BufferedResponse, 'status' | 'retryAfter'> | undefined {
  if (cause instanceof UnexpectedResponseError) return cause;
  return meta?.response instanceof BufferedResponse ? meta.response : undefined;
}
