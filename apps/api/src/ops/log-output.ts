import pino from 'pino';

/** Characters of whole lines that one system call writes. */
const MAX_WRITE = 16_384;

/** Destination of log lines. */
export interface LogOutput {
  write(line: string): unknown;
}

/**
 * Opens standard output for the log. The lines of one event loop iteration are written by one system call at its end: a call
 * for each line is most of the cost of a line. What is buffered when the process exits is written then, also after a crash.
 * @param maxWrite characters of whole lines that one system call writes; 16 KiB unless given
 */
export function openLogOutput(maxWrite = MAX_WRITE): LogOutput {
  // One character less is buffered, so that `flush` writes all that is.
  const output = pino.destination({ dest: process.stdout.fd, sync: true, minLength: maxWrite - 1, maxWrite });
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
