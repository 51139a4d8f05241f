import { writeSync } from 'node:fs';
import { inspect } from 'node:util';
import pino from 'pino';
import type { Redactor } from './redaction.ts';

export { createRedactor, type Redactor, urlSecrets } from './redaction.ts';

/**
 * Returns options for pino that remove the requests that libraries attach to errors, and the secrets in every finished
 * line.
 * @example
 * const redactor = createRedactor({ secrets: [config.discord.clientSecret] });
 * const logger = pino({ level: config.logLevel, ...logRedaction(redactor) });
 */
export function logRedaction(redactor: Redactor) {
  return {
    serializers: { err: errorFields, error: errorFields },
    hooks: { streamWrite: (line: string) => redactor.redact(line) },
  };
}

/**
 * Ends the process with code 1 at an uncaught error or an unhandled rejection, like Node, but prints the error without
 * secrets: Node prints all fields of an error, including tokens and request bodies.
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

/** The fields of errors that a log line keeps if they are strings, numbers or booleans. */
const KEPT_FIELDS = [
  'code',
  'errno',
  'syscall',
  'address',
  'port',
  'path',
  'status',
  'statusCode',
  'method',
  'url',
  'route',
  'fault',
  'retryAfter',
  'maybeSent',
  'limit',
  'timeToReset',
  'scope',
] as const;

const MAX_DEPTH = 5;

/** Maximum errors of an AggregateError in a log line. */
const MAX_ERRORS = 10;

/**
 * Returns the fields of an error that belong in a log line. The fields are listed, because libraries attach whole
 * requests to their errors. discord.js's `DiscordAPIError`, for one, has `requestBody` and `rawError`. Use it as pino's
 * serializer for `err`. Secrets within the kept texts are removed by the redactor.
 * @see https://getpino.io/#/docs/api?id=serializers-object
 */
export function errorFields(error: unknown): unknown {
  return fieldsOf(error, 0);
}

function fieldsOf(error: unknown, depth: number): unknown {
  if (!(error instanceof Error)) return plain(error);
  const fields: Record<string, unknown> = { type: error.name, message: error.message, stack: error.stack };
  for (const name of KEPT_FIELDS) {
    const value: unknown = Reflect.get(error, name);
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') fields[name] = value;
  }
  if (depth >= MAX_DEPTH) return fields;
  if (error.cause !== undefined) fields.cause = fieldsOf(error.cause, depth + 1);
  if (error instanceof AggregateError) {
    fields.errors = error.errors.slice(0, MAX_ERRORS).map((one: unknown) => fieldsOf(one, depth + 1));
  }
  return fields;
}

/**
 * Returns the kind of a thrown value that is not an error. Its fields are not logged, because they may contain
 * anything.
 */
function plain(thrown: unknown): unknown {
  if (typeof thrown === 'object' && thrown !== null) return { type: Object.prototype.toString.call(thrown) };
  return typeof thrown === 'function' || typeof thrown === 'symbol' ? { type: typeof thrown } : thrown;
}

/** Bytes of lines that wait while the log cannot be written. Later lines are lost. */
const MAX_WAITING = 1024 * 1024;

export interface LogOutput {
  write(line: string): unknown;
}

/**
 * Opens standard output for the log. If the log cannot be written, for example on a full disk, the process continues:
 * the failure is reported on standard error, and lines wait until the log can be written.
 */
export function openLogOutput(): LogOutput {
  const output = pino.destination({ dest: process.stdout.fd, sync: true, maxLength: MAX_WAITING });
  let isFailing = false;
  output.on('error', (error: Error) => {
    if (!isFailing) report(`The log cannot be written: ${error.message}. Lines beyond ${MAX_WAITING} bytes are lost.`);
    isFailing = true;
  });
  output.on('write', () => {
    if (isFailing) report('The log can be written again.');
    isFailing = false;
  });
  return output;
}

function report(line: string): void {
  try {
    writeSync(process.stderr.fd, `${line}\n`);
  } catch {
    // Standard error may be the same file.
  }
}
