import { writeSync } from 'node:fs';
import pino from 'pino';

/** Bytes of lines that wait while the log cannot be written. Later lines are lost. */
const MAX_WAITING = 1024 * 1024;

/** Destination of log lines. */
export interface LogOutput {
  write(line: string): unknown;
}

/**
 * Opens standard output for the log. A log that cannot be written, because its disk is full, does not end the process: it is
 * reported on standard error, and lines wait until it can be written.
 */
export function openLogOutput(): LogOutput {
  const output = pino.destination({ dest: process.stdout.fd, sync: true, maxLength: MAX_WAITING });
  reportFailures(output);
  return output;
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
