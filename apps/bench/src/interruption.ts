/** The exit codes of programs that a signal ended. */
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const;

/** Somebody stopped the run. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
  readonly exitCode: number;

  constructor(signal: keyof typeof EXIT_CODES) {
    super(`Interrupted by ${signal}; servers and files are gone, and nothing was kept of this run.`);
    this.exitCode = EXIT_CODES[signal];
  }
}

export interface Interruption extends Disposable {
  /** Aborted by the first SIGINT or SIGTERM. The second one ends the process as if nobody listened. */
  readonly signal: AbortSignal;
}

/** Listens for an interruption to the end of the scope, and says that it was heard. */
export function onInterruption(say: (line: string) => void): Interruption {
  const interrupted = new AbortController();
  const stop = (signal: NodeJS.Signals) => {
    dispose();
    say('stopping servers; once more to end at once');
    interrupted.abort(new Interrupted(signal === 'SIGINT' ? 'SIGINT' : 'SIGTERM'));
  };
  const dispose = () => process.off('SIGINT', stop).off('SIGTERM', stop);
  process.on('SIGINT', stop).on('SIGTERM', stop);
  return { signal: interrupted.signal, [Symbol.dispose]: dispose };
}
