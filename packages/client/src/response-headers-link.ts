import type { TRPCLink } from '@trpc/client';
import { observable } from '@trpc/server/observable';
import type { AppRouter } from './app-router.ts';
import { nextBefore } from './history-cursor.ts';
import { readArrival } from './received-arrival.ts';
import { requestOf } from './request-context.ts';

/**
 * Passes headers of a call's response to its `onHeaders`, `onEtag`, `onArrival` and `onNext`. Must be followed by a link that does not batch.
 */
export const responseHeadersLink: TRPCLink<AppRouter> =
  () =>
  ({ op, next }) =>
    observable((observer) =>
      next(op).subscribe({
        next(envelope) {
          const headers = headersOf(envelope.context);
          if (headers !== undefined) requestOf(op)?.onHeaders?.(headers);
          const etag = headers?.get('etag');
          if (etag != null) requestOf(op)?.onEtag?.(etag);
          const arrival = readArrival(headers?.get('arrival') ?? '');
          if (arrival !== undefined) requestOf(op)?.onArrival?.(arrival);
          const before = nextBefore(headers?.get('link') ?? '');
          if (before !== undefined) requestOf(op)?.onNext?.(before);
          observer.next(envelope);
        },
        error(error) {
          const headers = headersOf(error.meta);
          if (headers !== undefined) requestOf(op)?.onHeaders?.(headers);
          observer.error(error);
        },
        complete: () => observer.complete(),
      }),
    );

/** Returns the headers of the response that a link has received. */
function headersOf(meta: { readonly response?: unknown } | undefined): Headers | undefined {
  return (meta?.response as Partial<Pick<Response, 'headers'>> | undefined)?.headers;
}
