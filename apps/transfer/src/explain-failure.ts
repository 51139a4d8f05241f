import { isGuildSettingsError, TokenError, WatchRefusedError } from '@guild-settings/client';
import { explainFailure, type Failure, StoppedBySignal, UsageError } from '@guild-settings/runtime/command-line';
import { EnvironmentError } from '@guild-settings/runtime/environment';
import { createRedactor } from '@guild-settings/runtime/log';
import { secretsOf } from './config.ts';
import { UnfinishedError } from './import/unfinished-error.ts';
import { explain } from './service/persist.ts';
import { SourceError } from './sources/source.ts';

/** Errors whose message is all that the person needs. */
const EXPECTED = [SourceError, EnvironmentError, StoppedBySignal, TokenError, WatchRefusedError];

/** Explains why a transfer failed, without secrets. */
export function explainTransferFailure(error: unknown): Failure {
  const cause = error instanceof UnfinishedError ? error.cause : error;
  if (cause instanceof UsageError) return explainFailure(cause);
  if (!isGuildSettingsError(cause) && !EXPECTED.some((kind) => cause instanceof kind)) return explainFailure(error);
  const lines = [explain(cause), ...(error instanceof UnfinishedError ? [error.message] : [])];
  const redactor = createRedactor({ secrets: secretsOf(), isStrict: true });
  return {
    output: redactor.redact(lines.join('\n')),
    exitCode: cause instanceof StoppedBySignal ? cause.exitCode : 1,
  };
}
