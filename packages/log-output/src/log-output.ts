import { writeSync } from 'node:fs';
import pino from 'pino';

/** Characters of whole lines that one system call writes. */
const MAX_WRITE = 16_384;

/** Bytes of lines that wait while the log cannot be written. Later lines are lost. */
const MAX_WAITING = 1024 * 1024;

/** Destination of log lines. */
export interface LogOutput {
  write(line: string): unknown;
}

/**
 * Opens standard output for the log. The lines of one event loop iteration are written by one system call at its end: a call
 * for each line is most of the cost of a line. What is buffered when the process exits is written then, also after a crash.
 *
 * A log that cannot be written, because its disk is full, does not end the process: it is reported on standard error, and lines
 * wait until it can be written.
 * @param maxWrite characters of whole lines that one system call writes; 16 KiB unless given
 */
export function openLogOutput(maxWrite = MAX_WRITE): LogOutput {
  // One character less is buffered, so that `flush` writes all that is.
  const options = { sync: true, minLength: maxWrite - 1, maxWrite, maxLength: MAX_WAITING };
  const output = pino.destination({ dest: process.stdout.fd, ...options });
  reportFailures(output);
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

/** Reports on standard error when the log cannot be written, and when it can be written again, once each. */
function reportFailures(output: ReturnType<typeof pino.destination>): void {
  let isFailing = false;
  output.on('error', (error: Error) => {
    if (!isFailing) report(`The log cannot be written: ${error.message}. Lines beyond ${MAX_WAITING} bytes are lost.`);
    isFailing = true;
  });
  output.on('write', () => {
    if (isFailing) report('The log can be written again.');
    isFailing = false;
  });
}

function report(line: string): void {
  try {
    writeSync(process.stderr.fd, `${line}\n`);
  } catch {
    // Standard error may be the same file.
  }
}
