import { PROBLEMS, type ProblemSlug } from '@guild-settings/contract';
import type { Operation } from '@trpc/client';
import { Answer } from './buffered-response.ts';
import { isGuildSettingsError, problemOf, problemSlugOf } from './problem-of.ts';
import { TokenError } from './token-error.ts';
import { DeadlineError, NetworkError, UnexpectedAnswerError } from './transport-errors.ts';

/** The service says these before it does anything. */
const REFUSED_AT_THE_DOOR: readonly (ProblemSlug | undefined)[] = ['rate-limited', 'discord-unavailable'];

/** What something between us and the service says when it cannot reach it, or has had enough of us. */
const PASSING_STATUSES: readonly (number | undefined)[] = [429, 502, 503, 504];

/**
 * Whether another try is safe and may help. A change is tried again only when the service certainly did not act on the
 * last try: it said so, or it was never reached.
 */
export function mayRetry(type: Operation['type'], error: unknown): boolean {
  if (type === 'subscription' || !isGuildSettingsError(error)) return false;
  const slug = problemSlugOf(error);
  const { cause } = error;
  if (REFUSED_AT_THE_DOOR.includes(slug)) return true;
  if (cause instanceof NetworkError && !cause.maybeSent) return true;
  if (cause instanceof TokenError) return cause.fault === 'unavailable';
  if (type === 'mutation') return false;
  if (slug !== undefined) return PROBLEMS[slug].retryable;
  if (cause instanceof NetworkError || cause instanceof DeadlineError) return true;
  return PASSING_STATUSES.includes(statusOf(error));
}

/** The seconds that whoever answered asks to wait. */
export function requestedWait(error: unknown): number | undefined {
  if (!isGuildSettingsError(error)) return undefined;
  const { cause } = error;
  if (cause instanceof TokenError || cause instanceof UnexpectedAnswerError) return cause.retryAfter;
  return problemOf(error)?.retryAfter ?? answerOf(error)?.retryAfter;
}

function statusOf(error: unknown): number | undefined {
  if (!isGuildSettingsError(error)) return undefined;
  return error.cause instanceof UnexpectedAnswerError ? error.cause.status : answerOf(error)?.status;
}

function answerOf({ meta }: { readonly meta?: Record<string, unknown> | undefined }): Answer | undefined {
  const response = meta?.response;
  return response instanceof Answer ? response : undefined;
}
