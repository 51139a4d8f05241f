import { Actor, Conflict, Problem, ProblemIssue, ReceivedGuild } from '@guild-settings/contract';
import { z } from 'zod';

/**
 * A problem document as clients read it: fields that a newer service adds are ignored, and so is a detail in a form that this
 * version does not know.
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
