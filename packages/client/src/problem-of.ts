import {
  Actor,
  Conflict,
  isProblemSlug,
  Problem,
  ProblemIssue,
  type ProblemSlug,
  ReceivedGuild,
} from '@guild-settings/contract';
import type { TRPCClientError } from '@trpc/client';
import { z } from 'zod';
import type { AppRouter } from './app-router.ts';
import { sentProblem } from './sent-problem.ts';

/**
 * Returns true for an error thrown by a call of the client. Without a response of the service, its `cause` is a
 * NetworkError, DeadlineError, UnexpectedResponseError or TokenError; otherwise `problemOf` returns the problem.
 */
export function isGuildSettingsError(error: unknown): error is TRPCClientError<AppRouter> {
  // Not compared by class, because packages may contain copies of it.
  return error instanceof Error && error.name === 'TRPCClientError';
}

/** Returns the problem document of the service's response; undefined for every other error. */
export function problemOf(error: unknown): Problem | undefined {
  if (!isGuildSettingsError(error)) return undefined;
  return ReceivedProblem.safeParse(sentProblem(error)).data;
}

/** Returns the slug of the service's problem; undefined also for a slug unknown to this version. */
export function problemSlugOf(error: unknown): ProblemSlug | undefined {
  const slug = problemOf(error)?.type.split('/').at(-1) ?? '';
  return isProblemSlug(slug) ? slug : undefined;
}

/** Returns true if the service responded with this problem. */
export function hasProblem(error: unknown, slug: ProblemSlug): boolean {
  return problemSlugOf(error) === slug;
}

/**
 * A problem document for clients: fields added by a newer service are ignored, and so is a detail in an unknown form.
 */
export const ReceivedProblem = z.object({
  ...Problem.shape,
  issues: z.array(z.object(ProblemIssue.shape)).optional().catch(undefined),
  current: ReceivedGuild.optional().catch(undefined),
  conflicts: z
    .array(z.looseObject({ ...Conflict.shape, actor: z.looseObject(Actor.shape) }))
    .optional()
    .catch(undefined),
  inviteUrl: z.string().optional().catch(undefined),
  retryAfter: Problem.shape.retryAfter.catch(undefined),
});
