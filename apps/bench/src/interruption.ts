/** The exit codes of programs that a signal ended. */
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const;

/** The run was stopped by a signal. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError';
  readonly exitCode: number;

  constructor(signal: keyof typeof EXIT_CODES) {
    super(`InterruptedError by ${signal}; servers were stopped, files deleted, and no result was kept.`);
    this.exitCode = EXIT_CODES[signal];
  }
}

export interface Interruption extends Disposable {
  /** Aborted by the first SIGINT or SIGTERM. The second one ends the process. */
  readonly signal: AbortSignal;
}

/** Handles SIGINT and SIGTERM until the end of the scope. */
export function onInterruption(log: (line: string) => void): Interruption {
  const interrupted = new AbortController();
  const stop = (signal: NodeJS.Signals) => {
    dispose();
    log('stopping servers; a second signal ends at once');
    interrupted.abort(new InterruptedError(signal === 'SIGINT' ? 'SIGINT' : 'SIGTERM'));
  };
  const dispose = () => process.off('SIGINT', stop).off('SIGTERM', stop);
  process.on('SIGINT', stop).on('SIGTERM', stop);
  return { signal: interrupted.signal, [Symbol.dispose]: dispose };
}
