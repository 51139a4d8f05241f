import pino from 'pino';

/**
 * Characters that are buffered at most: one less than pino's destination writes at once, so that `flush` writes all that is
 * buffered.
 */
const MAX_BUFFERED = 16_383;

/** Destination of log lines. */
export interface LogOutput {
  write(line: string): unknown;
}

/**
 * Opens standard output for the log. The lines of one event loop iteration are written by one system call at its end: a call
 * for each line is most of the cost of a line. What is buffered when the process exits is written then, also after a crash.
 */
export function openLogOutput(): LogOutput {
  const output = pino.destination({ dest: process.stdout.fd, sync: true, minLength: MAX_BUFFERED });
  let isScheduled = false;
  const flush = () => {
    isScheduled = false;
    output.flush();
  };
  process.once('exit', flush);
  return {
    write(line) {
      output.write(line);
      if (isScheduled) return;
      isScheduled = true;
      setImmediate(flush);
    },
  };
}
