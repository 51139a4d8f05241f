import { writeSync } from 'node:fs';
import { inspect } from 'node:util';
import { errorFields } from './error-fields.ts';
import type { Redactor } from './redactor.ts';

/**
 * Ends the process with code 1 at an uncaught error or an unhandled rejection, as Node does, but prints the error without
 * secrets: Node prints all fields of an error, with tokens and request bodies.
 * @see https://nodejs.org/api/process.html#event-uncaughtexception
 */
export function exitOnCrash(redactor: Redactor): void {
  process.on('uncaughtException', (error, origin) => {
    const text = inspect(errorFields(error), { depth: 12, breakLength: 120 });
    try {
      // Synchronous, because the process ends with the next statement.
      writeSync(process.stderr.fd, redactor.redact(`${origin}: ${text}\n`));
    } finally {
      process.exit(1);
    }
  });
}
