import { UsageError } from '@guild-settings/command-line';
import { EnvironmentError } from '@guild-settings/environment';
import type { Redactor } from '@guild-settings/log-redaction';
import { EarlierDatabaseError } from '@guild-settings/sqlite-file';
import { explainFailure } from './ops/explain-failure.ts';
import { failureHint } from './ops/failure-hint.ts';
import { StoreUnavailableError } from './store/store.ts';

/** Explains why the service did not start: a line to act on, or the stack of an unexpected error. Contains no secrets. */
export function explainStartFailure(error: unknown, redactor: Redactor): string {
  const { redact } = redactor;
  if (!(error instanceof Error)) return redact(String(error));
  if (error instanceof EnvironmentError || error instanceof EarlierDatabaseError) return redact(error.message);
  if (error instanceof UsageError) return redact(`${error.message} --help lists the options.`);
  const remedy = listenRemedy(error);
  if (remedy !== undefined) return `${error.message}. ${remedy}`;
  if (failureHint(error) !== undefined) return explainFailure(error, redactor);
  return redact(error instanceof StoreUnavailableError ? error.message : (error.stack ?? error.message));
}

/** Errors of addresses that the machine does not have. */
const ABSENT = ['EADDRNOTAVAIL', 'EAFNOSUPPORT'];

/** Returns what to do about a failure to listen; undefined: it is another failure. */
function listenRemedy(error: Error): string | undefined {
  if (!('syscall' in error && 'code' in error)) return undefined;
  // Errors of look-ups for the database are causes of other errors.
  if (error.syscall === 'getaddrinfo') return 'Set HOST to a name or an IP address of this machine.';
  if (error.syscall !== 'listen') return undefined;
  if (error.code === 'EADDRINUSE') return 'Stop what listens there, or set PORT to another port.';
  if (error.code === 'EACCES') return 'Set PORT to a port above 1023, or HOST to an IP address of this machine.';
  return ABSENT.includes(String(error.code)) ? 'Set HOST to an IP address of this machine.' : undefined;
}
