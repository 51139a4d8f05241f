import { TRPCClientError, type TRPCLink } from '@trpc/client';
import { observable } from '@trpc/server/observable';
import type { AppRouter } from './app-router.ts';

/** Ends a call when its signal is aborted, also while it waits for a retry, or in a batch with calls that go on. */
export const abortLink: TRPCLink<AppRouter> =
  () =>
  ({ op, next }) =>
    observable((observer) => {
      const { signal } = op;
      if (signal?.aborted) {
        observer.error(TRPCClientError.from(reasonOf(signal)));
        return;
      }
      let hasResult = false;
      const subscription = next(op).subscribe({
        next(envelope) {
          hasResult = true;
          observer.next(envelope);
        },
        error: (error) => observer.error(error),
        complete() {
          signal?.removeEventListener('abort', abort);
          // tRPC aborts a controller at the completion of every call, with an error whose stack takes longer than the link.
          if (!hasResult) observer.complete();
        },
      });
      function abort() {
        subscription.unsubscribe();
        observer.error(TRPCClientError.from(reasonOf(signal)));
      }
      signal?.addEventListener('abort', abort, { once: true });
      return () => {
        signal?.removeEventListener('abort', abort);
        subscription.unsubscribe();
      };
    });

function reasonOf(signal: AbortSignal | null | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason : new DOMException('The call was aborted', 'AbortError');
}
