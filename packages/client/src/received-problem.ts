import { Conflict, Guild, Problem, ProblemIssue } from '@guild-settings/contract';
import { z } from 'zod';

/**
 * A problem document as clients read it: fields that a newer service adds are ignored, and so is a detail in a form that this
 * version does not know.
 */
export const ReceivedProblem = z.object({
  ...Problem.shape,
  issues: z.array(z.object(ProblemIssue.shape)).optional().catch(undefined),
  current: z.object(Guild.shape).optional().catch(undefined),
  conflicts: z.array(Conflict).optional().catch(undefined),
});
