import { failureHint, listenRemedy, UsageError } from '@guild-settings/runtime/command-line';
import { EnvironmentError } from '@guild-settings/runtime/environment';
import type { Redactor } from '@guild-settings/runtime/log';
import { EarlierDatabaseError } from '@guild-settings/runtime/sqlite-file';
import { explainFailure } from './ops/explain-failure.ts';
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
