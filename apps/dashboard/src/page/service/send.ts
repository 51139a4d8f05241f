import type { AppRouter } from '@guild-settings/client';
import type { Operation, TRPCLink, TRPCProcedureOptions } from '@trpc/client';
import { observable } from '@trpc/server/observable';
import { type Arrival, nextBefore, readArrival } from './response-headers.ts';

/** Seconds that the service waits until an undo, a restore, an import or an erasure is in use, before it responds. */
export const REVERT_WAIT_SECONDS = 2;

/** Options of one call beside its input. */
export interface RequestOptions {
  /** Changes the record only if it has this entity tag, such as `"7"` with its quotes. */
  readonly ifMatch?: string | undefined;
  /** The reason of the change, which the history keeps. */
  readonly auditReason?: string | undefined;
  /** Seconds, up to 10, for which the service waits until the change is in use. */
  readonly waitSeconds?: number | undefined;
  /** Asks Discord anew, where the service would respond from its cache. */
  readonly isFresh?: boolean | undefined;
  /** Aborts the call. */
  readonly signal?: AbortSignal | undefined;
}

/** The result of a call, and what the headers of its response say. */
export interface Received<T> {
  readonly data: T;
  /** The entity tag of the record in the result. */
  readonly etag: string | undefined;
  /** Whether the change is in use, if `waitSeconds` was given. */
  readonly arrival: Arrival | undefined;
  /** With a part of a history: the next part is before this revision. */
  readonly before: number | undefined;
}

/**
 * Sends a call with request headers, and returns its result with response headers.
 * @example
 * const { etag } = await send((options) => service.guilds.update.mutate({ guild, prefix: '?' }, options), { ifMatch: '"7"' });
 */
export async function send<T>(
  call: (options: TRPCProcedureOptions) => Promise<T>,
  { signal, ...request }: RequestOptions = {},
): Promise<Received<T>> {
  const exchange = new Exchange(requestHeaders(request));
  const data = await call({ context: { [KEY]: exchange }, ...(signal && { signal }) });
  const headers = exchange.response;
  return {
    data,
    etag: headers?.get('etag') ?? undefined,
    arrival: readArrival(headers?.get('arrival') ?? ''),
    before: nextBefore(headers?.get('link') ?? ''),
  };
}

const KEY = 'exchange';

/** The headers of one call. */
class Exchange {
  readonly request: Record<string, string>;
  response: Headers | undefined;

  constructor(request: Record<string, string>) {
    this.request = request;
  }
}

function exchangeOf(op: Operation): Exchange | undefined {
  const exchange = op.context[KEY];
  return exchange instanceof Exchange ? exchange : undefined;
}

/** Returns the headers that `send` has set for a call. */
export function headersOf(op: Operation): Record<string, string> {
  return exchangeOf(op)?.request ?? {};
}

/** Keeps the headers of a call's response for `send`. */
export const keepResponseHeaders: TRPCLink<AppRouter> =
  () =>
  ({ op, next }) =>
    observable((observer) =>
      next(op).subscribe({
        next(envelope) {
          const exchange = exchangeOf(op);
          const response = envelope.context?.response;
          if (exchange !== undefined && response instanceof Response) exchange.response = response.headers;
          observer.next(envelope);
        },
        error: (error) => observer.error(error),
        complete: () => observer.complete(),
      }),
    );

function requestHeaders({ ifMatch, auditReason, waitSeconds, isFresh }: RequestOptions): Record<string, string> {
  return {
    ...(ifMatch !== undefined && { 'if-match': ifMatch }),
    ...(auditReason !== undefined && { 'x-audit-log-reason': encodeURIComponent(auditReason) }),
    ...(waitSeconds !== undefined && { prefer: `wait=${waitSeconds}` }),
    ...(isFresh && { 'cache-control': 'no-cache' }),
  };
}
