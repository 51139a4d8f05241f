import {
  DeadlineError,
  isGuildSettingsError,
  NetworkError,
  problemOf,
  TokenError,
  UnexpectedResponseError,
  WatchRefusedError,
} from '@guild-settings/client';
import { counted } from '@guild-settings/contract';
import { explainFailure, type Failure, StoppedBySignal, UsageError } from '@guild-settings/runtime/command-line';
import { EnvironmentError } from '@guild-settings/runtime/environment';
import { createRedactor } from '@guild-settings/runtime/log';
import { secretsOf } from './config.ts';
import { messageOf, SourceError } from './sources/source.ts';

/** Thrown when an import ended before all guilds were sent. The cause contains the reason. */
export class UnfinishedError extends Error {
  override readonly name = 'UnfinishedError';

  constructor(done: number, total: number, cause: unknown) {
    super(
      `${done} of ${counted(total, 'guild')} were sent to the service. Run the same command again to send the others.`,
      { cause },
    );
  }
}

const EXPECTED = [
  SourceError,
  EnvironmentError,
  StoppedBySignal,
  TokenError,
  WatchRefusedError,
  NetworkError,
  UnexpectedResponseError,
];

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

export function explain(error: unknown): string {
  const problem = problemOf(error);
  if (problem !== undefined) return problem.detail;
  const cause = isGuildSettingsError(error) ? (error.cause ?? error) : error;
  const message = messageOf(cause);
  if (cause instanceof TokenError) {
    if (cause.fault === 'refused') return `${message}. Check DISCORD_APPLICATION_ID and DISCORD_CLIENT_SECRET.`;
    const [code] = codeOf(cause);
    return code === undefined ? message : `${message}: ${code}. Check DISCORD_API_URL, and whether Discord runs there.`;
  }
  if (cause instanceof UnexpectedResponseError && cause.isRedirect) return message;
  const isUnanswered = cause instanceof NetworkError || cause instanceof DeadlineError;
  if (isUnanswered || cause instanceof UnexpectedResponseError) {
    return `${[message, ...codeOf(cause)].join(': ')}. Check API_URL, and whether the service runs.`;
  }
  // The response has no problem document and is not a failure known to the client, so it is from another service.
  if (!isGuildSettingsError(error)) return message;
  return `Expected a response from the settings service, received another one: ${message}. Check API_URL.`;
}

/** Returns the system's error code of a failure, such as `ECONNREFUSED`, if any. */
function codeOf(error: unknown): string[] {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && typeof cause.code === 'string') return [cause.code];
  }
  return [];
}
