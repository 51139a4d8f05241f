/** The end of a wait, until it is cleared: after a time, or when one of some signals aborts. */
export interface Deadline {
  readonly signal: AbortSignal;
  clear(): void;
}

/** Returns a deadline. `AbortSignal.any` and `AbortSignal.timeout` leave garbage for which the requests after it wait. */
export function deadlineOf(waitMs: number, signals: readonly AbortSignal[]): Deadline {
  const aborter = new AbortController();
  const abort = () => aborter.abort();
  if (waitMs <= 0 || signals.some(({ aborted }) => aborted)) abort();
  const timer = setTimeout(abort, waitMs);
  for (const signal of signals) signal.addEventListener('abort', abort);
  return {
    signal: aborter.signal,
    clear() {
      clearTimeout(timer);
      for (const signal of signals) signal.removeEventListener('abort', abort);
    },
  };
}
