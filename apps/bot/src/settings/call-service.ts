import {
  hasProblem,
  isGuildSettingsError,
  NetworkError,
  problemOf,
  problemSlugOf,
  TokenError,
  UnexpectedResponseError,
} from '@guild-settings/client';
import type { Conflict, ProblemSlug } from '@guild-settings/contract';

/** Problems with status 503 after which nothing was changed. One of a newer service may say something else. */
const NOTHING_CHANGED: readonly ProblemSlug[] = ['discord-unavailable', 'store-unavailable'];

export type ServiceFailure =
  /** Without a change: the service, or Discord behind it, could not be reached. */
  | { readonly kind: 'unreachable' }
  /** The request was sent and no response came. */
  | { readonly kind: 'unconfirmed' }
  | ServiceRefusal;

export interface ServiceRefusal {
  readonly kind: 'refused';
  /** `undefined`: a problem that this version does not know. */
  readonly slug: ProblemSlug | undefined;
  /** The fields that the problem is about. */
  readonly fields: readonly string[];
  readonly conflicts: readonly Conflict[];
  /** The error with the problem document, which is for programs. */
  readonly error: Error;
}

export type CallOutcome<Result> = { readonly kind: 'result'; readonly result: Result } | ServiceFailure;

export async function callService<Result>(call: () => Promise<Result>): Promise<CallOutcome<Result>> {
  try {
    return { kind: 'result', result: await call() };
  } catch (error) {
    if (!isGuildSettingsError(error)) throw error;
    const problem = problemOf(error);
    const isTemporary =
      (problem?.status === 429 && !hasProblem(error, 'change-log-full')) || hasProblem(error, 'request-timeout');
    if (problem !== undefined && problem.status < 500 && !isTemporary) {
      const { issues = [], conflicts = [] } = problem;
      // The last part of the path may be the position in a list.
      const fields = issues.map(({ path }) => path.filter((part) => typeof part === 'string').join('.'));
      return { kind: 'refused', slug: problemSlugOf(error), fields, conflicts, error };
    }
    const isUnavailable = isTemporary || NOTHING_CHANGED.some((slug) => hasProblem(error, slug));
    return isUnavailable || wasNotSent(error.cause) ? { kind: 'unreachable' } : { kind: 'unconfirmed' };
  }
}

/** Calls the service for a read: where no response came, nothing was changed. */
export async function readService<Result>(
  call: () => Promise<Result>,
): Promise<Exclude<CallOutcome<Result>, { kind: 'unconfirmed' }>> {
  const outcome = await callService(call);
  return outcome.kind === 'unconfirmed' ? { kind: 'unreachable' } : outcome;
}

/** Returns whether nothing was changed because the guild has changed since the revision that the call named. */
export function isMismatch(outcome: { readonly kind: string; readonly slug?: ProblemSlug | undefined }): boolean {
  return outcome.kind === 'refused' && outcome.slug === 'revision-mismatch';
}

function wasNotSent(cause: unknown): boolean {
  if (cause instanceof UnexpectedResponseError) return cause.isRedirect;
  return cause instanceof TokenError || (cause instanceof NetworkError && !cause.maybeSent);
}
