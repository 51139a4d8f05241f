import { PROBLEMS, type Problem } from '@guild-settings/contract';
import { TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/rpc';
import { instanceOf, problemFrom } from '../problems.ts';

/**
 * Returns a failure in tRPC's error shape, with the problem document in `data`, from which tRPC takes the HTTP status.
 * Conflicts and the bot's invitation are added beside it.
 * @param url the request target
 */
export function trpcErrorOf(error: unknown, path: string, url: string) {
  const failure = problemFrom(error);
  const { code, status: httpStatus } = PROBLEMS[failure.slug];
  const { conflicts, inviteUrl, ...others } = failure.toProblem(instanceOf(url));
  const problem: Problem = others;
  const data = { code, httpStatus, path, problem, ...(conflicts && { conflicts }), ...(inviteUrl && { inviteUrl }) };
  return { code: TRPC_ERROR_CODES_BY_KEY[code], message: failure.message, data };
}
