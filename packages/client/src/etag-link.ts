import type { TRPCLink } from '@trpc/client';
import { observable } from '@trpc/server/observable';
import type { AppRouter } from './app-router.ts';
import { BufferedResponse } from './buffered-response.ts';
import { requestOf } from './request-context.ts';

/** Passes the entity tag of a call's response to its `onEtag`. Must be followed by a link that does not batch. */
export const etagLink: TRPCLink<AppRouter> =
  () =>
  ({ op, next }) =>
    observable((observer) =>
      next(op).subscribe({
        next(envelope) {
          const response = envelope.context?.response;
          const etag = response instanceof BufferedResponse ? response.headers.get('etag') : null;
          if (etag !== null) requestOf(op)?.onEtag?.(etag);
          observer.next(envelope);
        },
        error: (error) => observer.error(error),
        complete: () => observer.complete(),
      }),
    );
