import { failureHint } from './failure-hint.ts';
import { redact } from './redact.ts';

/** The longest explanation, in characters. */
const MAX_LENGTH = 1_000;

/** What the PostgreSQL driver throws without a code, and what to do. */
const DRIVER: readonly (readonly [RegExp, string])[] = [
  [/password must be a (non-empty )?string/, 'PostgreSQL expects a password. Write it into the address.'],
  [/does not support SSL/, 'PostgreSQL has no TLS here. Remove sslmode from the address, or enable it in the server.'],
  [/timeout/i, 'PostgreSQL did not reply in time. Check the address, and whether the server runs.'],
  [/terminated|ended/i, 'PostgreSQL closed the connection. Try again, and check the log of the server.'],
];

/**
 * Explains in one line what made a program fail, for the person who started it: what went wrong, and what to do. Only an
 * error's message is used, never its other fields, which can hold an address with its password.
 * @param secrets never shown, wherever they stand
 */
export function explainFailure(error: unknown, secrets: readonly string[]): string {
  const message = error instanceof Error ? error.message : String(error);
  const hint = failureHint(error);
  const driver = DRIVER.find(([pattern]) => pattern.test(message))?.[1];
  const said = message === '' ? (hint?.code ?? 'no reason given') : message;
  const code = hint === undefined || said.includes(hint.code) ? '' : ` (${hint.code})`;
  const action = hint?.hint ?? driver ?? 'This was not foreseen: report it with the command that was run.';
  const line = `${said.replace(/\s*\n\s*/g, ' ').replace(/\.$/, '')}${code}. ${action}`;
  return redact(line, secrets).slice(0, MAX_LENGTH);
}
