import { isProblemSlug, Problem, type ProblemSlug } from '@guild-settings/contract';
import { TRPCClientError } from '@trpc/client';
import type { AppRouter } from './app-router.ts';

/**
 * Whether this is what a call of the client throws. Its `cause` is a NetworkError, DeadlineError, UnexpectedAnswerError
 * or TokenError when the service was not heard; otherwise problemOf tells what the service said.
 */
export function isGuildSettingsError(error: unknown): error is TRPCClientError<AppRouter> {
  return error instanceof TRPCClientError;
}

/** The problem document that the service answered with; undefined for every other error. */
export function problemOf(error: unknown): Problem | undefined {
  if (!isGuildSettingsError(error)) return undefined;
  // What the service refuses before a procedure is found comes as a problem document alone.
  const { data } = Problem.safeParse(error.data?.problem ?? error.meta?.responseJSON);
  return data;
}

/** The kind of problem that the service answered with; undefined also for a kind that this version does not know. */
export function problemSlugOf(error: unknown): ProblemSlug | undefined {
  const slug = problemOf(error)?.type.split('/').at(-1) ?? '';
  return isProblemSlug(slug) ? slug : undefined;
}

/** Whether the service answered with this kind of problem. */
export function hasProblem(error: unknown, slug: ProblemSlug): boolean {
  return problemSlugOf(error) === slug;
}
