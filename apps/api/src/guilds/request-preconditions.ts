import { ProblemError } from '@guild-settings/contract';
import type { Context } from '../context.ts';
import type { Precondition } from '../domain/precondition.ts';
import { readPrecondition } from './preconditions.ts';

/**
 * The conditions of this request. Headers are for the whole request, so a batch cannot have any: ignoring If-Match there
 * would drop the protection that the caller asked for.
 * @throws ProblemError invalid-request
 */
export function preconditionOf({ request }: Context): Precondition | undefined {
  const precondition = readPrecondition(request);
  if (precondition !== undefined && request.calls > 1) {
    throw new ProblemError('invalid-request', {
      detail: 'If-Match and If-None-Match apply to one call. Send the call unbatched.',
    });
  }
  return precondition;
}
