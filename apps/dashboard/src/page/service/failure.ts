import { retryAfterSeconds, sentProblem } from '@guild-settings/client/browser';
import type { Problem, ProblemSlug } from '@guild-settings/contract';

/** The meaning of a failed call for the person, and its remedy. */
export type FailureKind =
  /** The session has ended: log in again. */
  | 'session-over'
  | 'forbidden'
  | 'bot-absent'
  | 'not-found'
  | 'conflict'
  | 'invalid'
  /** Too many requests: wait for `retryAfter` seconds. */
  | 'limited'
  | 'offline'
  /** The service, or Discord behind it, does not respond: try again later. */
  | 'unavailable'
  | 'unexpected';

interface Failure {
  readonly kind: FailureKind;
  readonly retryAfter: number | undefined;
}

export function isRetryable({ kind }: Failure): boolean {
  return kind === 'limited' || kind === 'offline' || kind === 'unavailable';
}

/** Problems after which nothing was changed, and a later attempt may succeed. */
const NOTHING_CHANGED: readonly string[] = [
  'discord-unavailable',
  'store-unavailable',
  'request-timeout',
] satisfies ProblemSlug[];

/**
 * Returns true if an unavailable service has certainly not made a change. A lost response, a response without a
 * problem, and a problem of a newer service do not guarantee it.
 */
export function isUnchanged(slug: string | undefined): boolean {
  return slug !== undefined && NOTHING_CHANGED.includes(slug);
}

/** Returns true if a change has failed but may have been made. */
export function isUnconfirmed(error: unknown): boolean {
  return kindOf(error) === 'unavailable' && !isUnchanged(slugOf(error));
}

export function failureOf(error: unknown): Failure {
  return { kind: kindOf(error), retryAfter: retryAfterOf(error) };
}

function kindOf(error: unknown): FailureKind {
  const status = statusOf(error);
  if (status === undefined) return navigator.onLine ? 'unavailable' : 'offline';
  if (slugOf(error) === 'bot-absent') return 'bot-absent';
  switch (status) {
    case 400:
    case 413:
      return 'invalid';
    case 401:
      return 'session-over';
    case 403:
      return 'forbidden';
    case 404:
      return 'not-found';
    case 409:
    case 412:
      return 'conflict';
    case 429:
      return 'limited';
    default:
      // A success that is not of the service is of a proxy, which may have passed the request on.
      return status < 300 || status === 408 || status >= 502 ? 'unavailable' : 'unexpected';
  }
}

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
  return error instanceof ResponseError ? error.problem : undefined;
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

/** Returns the seconds until a retry may succeed; undefined if the response does not have them. */
function retryAfterOf(error: unknown): number | undefined {
  return problemOf(error)?.retryAfter ?? retryAfterSeconds(responseOf(error)?.headers.get('retry-after') ?? null);
}

export function responseHeaderOf(error: unknown, name: string): string | undefined {
  return responseOf(error)?.headers.get(name) ?? undefined;
}

type Fields = Readonly<Record<string, unknown>>;

function responseOf(error: unknown): Response | undefined {
  return error instanceof ResponseError ? error.response : undefined;
}

/** Reads a problem document, accepting additions of later versions. */
function readProblem(value: unknown): Problem | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { type, status } = value as Fields;
  return typeof type === 'string' && typeof status === 'number' ? (value as Problem) : undefined;
}
