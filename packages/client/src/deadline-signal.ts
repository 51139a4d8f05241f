import { DeadlineError } from './transport-errors.ts';

/** A signal that ends with a deadline. */
export interface DeadlineSignal {
  /** Aborted by a DeadlineError, or with the reason of the caller's signal. */
  readonly signal: AbortSignal;
  /** Ends the deadline, when the work is done. */
  clear(): void;
}

/** Starts a deadline beside the signal of a caller. `AbortSignal.any` takes several times as long, in each call twice. */
export function deadlineSignal(timeoutMs: number, caller: AbortSignal | undefined): DeadlineSignal {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new DeadlineError(timeoutMs)), timeoutMs);
  const abort = () => controller.abort(caller?.reason);
  if (caller?.aborted) abort();
  caller?.addEventListener('abort', abort, { once: true });
  return {
    signal: controller.signal,
    clear() {
      clearTimeout(timer);
      caller?.removeEventListener('abort', abort);
    },
  };
}
