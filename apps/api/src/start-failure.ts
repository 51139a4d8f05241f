import { UsageError } from '@guild-settings/command-line';
import { EnvironmentError } from '@guild-settings/environment';
import type { Redactor } from '@guild-settings/log-redaction';
import { explainFailure } from './ops/explain-failure.ts';
import { failureHint } from './ops/failure-hint.ts';
import { StoreUnavailableError } from './store/store.ts';

/** Explains why the service did not start: a line to act on, or the stack of an unexpected error. Contains no secrets. */
export function explainStartFailure(error: unknown, redactor: Redactor): string {
  const { redact } = redactor;
  if (!(error instanceof Error)) return redact(String(error));
  if (error instanceof EnvironmentError) return redact(error.message);
  if (error instanceof UsageError) return redact(`${error.message} --help lists the options.`);
  if ('syscall' in error && error.syscall === 'listen' && 'code' in error) {
    if (error.code === 'EADDRINUSE') return `${error.message}. Stop what listens there, or set PORT to another port.`;
    if (error.code === 'EACCES')
      return `${error.message}. Set PORT to a port above 1023, or HOST to an IP address of this machine.`;
  }
  if (failureHint(error) !== undefined) return explainFailure(error, redactor);
  return redact(error instanceof StoreUnavailableError ? error.message : (error.stack ?? error.message));
}
