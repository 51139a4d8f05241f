import { failureHint } from '@guild-settings/runtime/command-line';
import type { Redactor } from '@guild-settings/runtime/log';

const MAX_LENGTH = 1_000;

/** Messages of PostgreSQL driver errors without a code, with the remedies. */
const DRIVER: readonly (readonly [RegExp, string])[] = [
  [/password must be a (non-empty )?string/, 'PostgreSQL expects a password. Write it into the database URL.'],
  [/timeout/i, 'PostgreSQL did not reply in time. Check the database URL, and whether the server runs.'],
  [/terminated|ended/i, 'PostgreSQL closed the connection. Try again, and check the log of the server.'],
];

/**
 * Explains an error in one line for an operator: the failure and its remedy. Only the error's message is used, because
 * its other fields may contain a URL with a password.
 */
export function explainFailure(error: unknown, redactor: Redactor): string {
  const message = error instanceof Error ? error.message : String(error);
  const hint = failureHint(error);
  const driver = DRIVER.find(([pattern]) => pattern.test(message))?.[1];
  const reason = message === '' ? (hint?.code ?? 'no reason given') : message;
  const code = hint === undefined || reason.includes(hint.code) ? '' : ` (${hint.code})`;
  const action = hint?.hint ?? driver ?? 'This error is unexpected: report it with the command that was run.';
  const line = `${reason.replace(/\s*\n\s*/g, ' ').replace(/\.$/, '')}${code}. ${action}`;
  return redactor.redact(line).slice(0, MAX_LENGTH);
}
