/** The exit codes of programs that a signal ended. */
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const;

/** The reason of the abort by `stopSignal`. */
export class StoppedBySignal extends Error {
  override readonly name = 'StoppedBySignal';
  readonly signal: 'SIGINT' | 'SIGTERM';
  readonly exitCode: number;

  constructor(signal: keyof typeof EXIT_CODES) {
    super(`Interrupted by ${signal}`);
    this.signal = signal;
    this.exitCode = EXIT_CODES[signal];
  }
}

export interface StopOptions {
  /** Milliseconds until the process exits with code 1 if it has not ended by itself; without a limit unless given. */
  readonly timeoutMs?: number;
  /**
   * The effect of a second signal: `ignore` (unless given), because a package manager may pass on one that the terminal
   * has sent already; `end`: the process ends at once, as without a handler.
   */
  readonly second?: 'ignore' | 'end';
}

/**
 * Returns a signal that the first SIGTERM or SIGINT aborts, with a `StoppedBySignal` as its reason. Errors that were not
 * caught are not its affair: `exitOnCrash` of log-redaction prints them without secrets.
 */
export function stopSignal({ timeoutMs, second = 'ignore' }: StopOptions = {}): AbortSignal {
  const controller = new AbortController();
  const stop = (signal: 'SIGINT' | 'SIGTERM') => {
    if (second === 'end') process.off('SIGINT', stop).off('SIGTERM', stop);
    if (controller.signal.aborted) return;
    if (timeoutMs !== undefined) setTimeout(() => process.exit(1), timeoutMs).unref();
    controller.abort(new StoppedBySignal(signal));
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  return controller.signal;
}
