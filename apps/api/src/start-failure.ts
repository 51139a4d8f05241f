import { failureHint, listenRemedy, UsageError } from '@guild-settings/runtime/command-line';
import { EnvironmentError } from '@guild-settings/runtime/environment';
import type { Redactor } from '@guild-settings/runtime/log';
import { EarlierDatabaseError } from '@guild-settings/runtime/sqlite-file';
import { ChangedKindError } from './domain/serve-declaration.ts';
import { explainFailure } from './explain-failure.ts';
import { PageNotBuiltError } from './page/page.ts';
import { NotificationsLostError, StoreUnavailableError } from './store/store.ts';

/** Errors whose message includes the remedy. */
const EXPLAINED = [EnvironmentError, EarlierDatabaseError, ChangedKindError, NotificationsLostError, PageNotBuiltError];

export function explainStartFailure(error: unknown, redactor: Redactor): string {
  const { redact } = redactor;
  if (!(error instanceof Error)) return redact(String(error));
  if (EXPLAINED.some((kind) => error instanceof kind)) return redact(error.message);
  if (error instanceof UsageError) return redact(`${error.message} --help lists the options.`);
  const remedy = listenRemedy(error);
  if (remedy !== undefined) return `${error.message}. ${remedy}`;
  if (failureHint(error) !== undefined) return explainFailure(error, redactor);
  return redact(error instanceof StoreUnavailableError ? error.message : (error.stack ?? error.message));
}
