import { createRedactor, urlSecrets } from '@guild-settings/runtime/log';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { explainFailure } from './explain-failure.ts';
import { explainStartFailure } from './start-failure.ts';
import { StoreUnavailableError } from './store/store.ts';

const DATABASE_URL = 'postgres://me:p%40ss%20word@db.example:5432/guilds?sslpassword=hidden';

const redactorFor = (values: readonly string[]) => createRedactor({ secrets: urlSecrets(values), isStrict: true });

/** An error as the PostgreSQL driver throws it, with many fields besides the message. */
function databaseError(code: string, message: string): pg.DatabaseError {
  return Object.assign(new pg.DatabaseError(message, 100, 'error'), {
    code,
    detail: DATABASE_URL,
    routine: 'auth_failed',
  });
}

describe('an error is explained in one line, without a field that could contain a secret', () => {
  test.each([
    ['28P01', 'Check the user and the password'],
    ['28000', 'pg_hba.conf'],
    ['3D000', 'no database of this name'],
    ['42501', 'lacks a permission'],
    ['25006', 'primary'],
    ['XX000', 'is unexpected'],
  ])('by PostgreSQL: %s', (code, says) => {
    const line = explainFailure(databaseError(code, 'the server\nsaid no'), redactorFor([DATABASE_URL]));
    expect(line).toContain(says);
    expect(line).toContain('the server said no');
    expect(line).not.toMatch(/\n|auth_failed|db\.example/);
  });

  test.each([
    'ECONNREFUSED',
    'ENOTFOUND',
    'EACCES',
    'ENOSPC',
    'EROFS',
    'SQLITE_FULL',
    'SQLITE_IOERR_WRITE',
    'SQLITE_READONLY_DIRECTORY',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'CERT_HAS_EXPIRED',
  ])('by the system: %s', (code) => {
    const cause = Object.assign(new Error('failed'), { code });
    for (const error of [cause, new StoreUnavailableError('unavailable', { cause }), new AggregateError([cause])]) {
      expect(explainFailure(error, redactorFor([]))).toContain(code);
      expect(explainFailure(error, redactorFor([]))).not.toContain('is unexpected');
    }
  });
});

test('a URL that cannot be parsed is not repeated, as its parser does', () => {
  let error: unknown;
  try {
    new URL('postgres://me:secret word@[/x');
  } catch (thrown) {
    error = thrown;
  }
  const invalid = new Error('Invalid URL: postgres://me:secret word@[/x', { cause: error });
  for (const line of [
    explainFailure(invalid, redactorFor(['--to=postgres://me:secret word@[/x'])),
    explainStartFailure(invalid, redactorFor(['postgres://me:secret word@[/x'])),
  ]) {
    expect(line).not.toContain('secret');
    expect(line).not.toContain('word@');
  }
});

test('every spelling of a password is redacted', () => {
  const text = 'p%40ss%20word, p@ss word, hidden, and redis://x:y@z/1, but https://docs.example/a and file:/b stay';
  expect(explainFailure(new Error(text), redactorFor([DATABASE_URL]))).toBe(
    '[redacted], [redacted], [redacted], and redis://[redacted] but https://docs.example/a and file:/b stay. This error is unexpected: report it with the command that was run.',
  );
});
