import type { TRPCLink } from '@trpc/client';
import { observable } from '@trpc/server/observable';
import { Answer } from './buffered-response.ts';
import type { AppRouter } from './app-router.ts';
import { requestOf } from './request-context.ts';

/** Tells a call's onEtag the entity tag of its answer. Stands before a link that does not batch. */
export const etagLink: TRPCLink<AppRouter> =
  () =>
  ({ op, next }) =>
    observable((observer) =>
      next(op).subscribe({
        next(envelope) {
          const answer = envelope.context?.response;
          const etag = answer instanceof Answer ? answer.headers.get('etag') : null;
          if (etag !== null) requestOf(op)?.onEtag?.(etag);
          observer.next(envelope);
        },
        error: (error) => observer.error(error),
        complete: () => observer.complete(),
      }),
    );
