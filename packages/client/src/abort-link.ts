import { TRPCClientError, type TRPCLink } from '@trpc/client';
import { observable, type Unsubscribable } from '@trpc/server/observable';
import type { AppRouter } from './app-router.ts';
import { backoff } from './backoff.ts';
import { mayRetry, requestedWait } from './retry-policy.ts';

/**
 * Tries again what is safe to try again, and ends a call as soon as its caller aborts it, be it waiting or in a batch
 * that goes on for others.
 * @param retries the most tries after the first
 */
export function retryLink(retries: number): TRPCLink<AppRouter> {
  return () =>
    ({ op, next }) =>
      observable((observer) => {
        let attempt = 0;
        let timer: NodeJS.Timeout | undefined;
        let current: Unsubscribable | undefined;

        const send = () => {
          current = next(op).subscribe({
            next: (envelope) => observer.next(envelope),
            complete: () => observer.complete(),
            error(error) {
              const wait =
                attempt < retries && mayRetry(op.type, error) ? backoff(attempt, requestedWait(error)) : undefined;
              attempt += 1;
              if (wait === undefined) observer.error(error);
              else timer = setTimeout(send, wait);
            },
          });
        };
        const stop = () => {
          op.signal?.removeEventListener('abort', abort);
          clearTimeout(timer);
          current?.unsubscribe();
        };
        const abort = () => {
          stop();
          observer.error(TRPCClientError.from(abortReason(op.signal)));
        };

        if (op.signal?.aborted) {
          abort();
          return;
        }
        op.signal?.addEventListener('abort', abort, { once: true });
        send();
        return stop;
      });
}

function abortReason(signal: AbortSignal | null | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason : new DOMException('The call was aborted', 'AbortError');
}
