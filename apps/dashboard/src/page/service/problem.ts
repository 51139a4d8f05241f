import { retryAfterSeconds, sentProblem } from '@guild-settings/client/browser';
import type { Problem } from '@guild-settings/contract';

export class ResponseError extends Error {
  override readonly name = 'ResponseError';
  readonly response: Response;
  readonly problem: Problem | undefined;

  constructor(response: Response, body: unknown) {
    super(`Expected a success of ${response.url}, received the status ${response.status}`);
    this.response = response;
    const { error } = (body ?? {}) as { readonly error?: { readonly data?: Fields } };
    this.problem = readProblem(sentProblem({ data: error?.data, meta: { responseJSON: body } }));
  }
}

export function problemOf(error: unknown): Problem | undefined {
  if (error instanceof ResponseError) return error.problem;
  // An error of tRPC's client, which the first page does not load.
  return readProblem(sentProblem(error ?? {}));
}

export function slugOf(error: unknown): string | undefined {
  return problemOf(error)?.type.split('/').at(-1);
}

export function laterChangeOf(error: unknown): number | undefined {
  const revisions = problemOf(error)?.conflicts?.map(({ revision }) => revision) ?? [];
  return slugOf(error) === 'later-change' && revisions.length > 0 ? Math.max(...revisions) : undefined;
}

export function statusOf(error: unknown): number | undefined {
  return responseOf(error)?.status ?? problemOf(error)?.status;
}

/** Returns the seconds until a retry may succeed; undefined where the response does not have them. */
export function retryAfterOf(error: unknown): number | undefined {
  return problemOf(error)?.retryAfter ?? retryAfterSeconds(responseOf(error)?.headers.get('retry-after') ?? null);
}

export function responseHeaderOf(error: unknown, name: string): string | undefined {
  return responseOf(error)?.headers.get(name) ?? undefined;
}

type Fields = Readonly<Record<string, unknown>>;

function responseOf(error: unknown): Response | undefined {
  const { response, meta } = (error ?? {}) as { readonly response?: unknown; readonly meta?: Fields };
  const found = response ?? meta?.response;
  return found instanceof Response ? found : undefined;
}

/** Reads a problem document without rejecting what a later version adds. */
function readProblem(value: unknown): Problem | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { type, status } = value as Fields;
  return typeof type === 'string' && typeof status === 'number' ? (value as Problem) : undefined;
}
