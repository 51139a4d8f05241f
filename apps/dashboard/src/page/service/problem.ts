import type { Problem } from '@guild-settings/contract';
import { TRPCClientError } from '@trpc/client';
import { readRetryAfter } from './response-headers.ts';

/** Thrown for a response of the page's server that is not a success. */
export class ResponseError extends Error {
  override readonly name = 'ResponseError';
  readonly response: Response;
  readonly problem: Problem | undefined;

  constructor(response: Response, body: unknown) {
    super(`Expected a success of ${response.url}, received the status ${response.status}`);
    this.response = response;
    this.problem = readProblem(body);
  }
}

/** Returns the problem document of a response; undefined for every other error. */
export function problemOf(error: unknown): Problem | undefined {
  if (error instanceof ResponseError) return error.problem;
  if (!(error instanceof TRPCClientError)) return undefined;
  // Before a procedure is found, the response is the problem document without tRPC's envelope.
  const { data, meta } = error as { data?: Fields; meta?: Fields };
  const problem = readProblem(data?.problem) ?? readProblem(meta?.responseJSON);
  // The service sends conflicts beside the problem.
  return problem && data?.conflicts
    ? { ...problem, conflicts: data.conflicts as NonNullable<Problem['conflicts']> }
    : problem;
}

/** Returns the slug of a problem, such as `bot-absent`. */
export function slugOf(error: unknown): string | undefined {
  return problemOf(error)?.type.split('/').at(-1);
}

/** Returns the HTTP status of a response; undefined where there was none. */
export function statusOf(error: unknown): number | undefined {
  return responseOf(error)?.status ?? problemOf(error)?.status;
}

/** Returns the seconds until a retry may succeed; undefined where the response does not have them. */
export function retryAfterOf(error: unknown): number | undefined {
  return problemOf(error)?.retryAfter ?? readRetryAfter(responseOf(error)?.headers.get('retry-after') ?? null);
}

type Fields = Readonly<Record<string, unknown>>;

function responseOf(error: unknown): Response | undefined {
  const response = error instanceof TRPCClientError ? error.meta?.response : (error as Fields | null)?.response;
  return response instanceof Response ? response : undefined;
}

/** Reads a problem document without rejecting what a later version adds. */
function readProblem(value: unknown): Problem | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { type, status } = value as Fields;
  return typeof type === 'string' && typeof status === 'number' ? (value as Problem) : undefined;
}
