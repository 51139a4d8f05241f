import { DrizzleQueryError } from 'drizzle-orm';
import pg from 'pg';
import { StoreUnavailableError } from '../store.ts';

/** Classes and codes of errors that are temporary. */
const TRANSIENT = /^(08|25006|40|53|55P03|57|58)/;

/**
 * Returns StoreUnavailableError for an error that means that: no connection, a lost connection, a statement that timed out,
 * or a server that starts, stops, is full or read-only. Returns other errors as they are, without drizzle's wrapper, whose
 * message repeats the values of the statement.
 * @see https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
export function asStoreError(error: unknown): unknown {
  const cause = causeOf(error);
  if (cause instanceof StoreUnavailableError) return cause;
  if (cause instanceof pg.DatabaseError) {
    return TRANSIENT.test(cause.code ?? '') ? unavailable(cause.code ?? '', cause) : cause;
  }
  // pg throws plain errors for failures of the connection.
  const { code, message } = plain(cause);
  if (SYSTEM_CODE.test(code)) return unavailable(code, cause);
  return LOST.test(message) || /timeout/i.test(message) ? unavailable(message, cause) : cause;
}

/** Returns whether an error means that the connection was lost during a statement: a retry may succeed. */
export function isConnectionLost(error: unknown): boolean {
  const cause = causeOf(error);
  if (cause instanceof pg.DatabaseError) return /^(08|57P01|57P02)/.test(cause.code ?? '');
  const { code, message } = plain(cause);
  return SYSTEM_CODE.test(code) || LOST.test(message);
}

/** Runs work, and throws its errors as {@link asStoreError} converts them. */
export async function withStoreErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asStoreError(error);
  }
}

/** Codes of the system, and those of a certificate that is not accepted. */
const SYSTEM_CODE = /^(E[A-Z]+|ERR_TLS_\w+|CERT_\w+|SELF_SIGNED_\w+|DEPTH_ZERO_\w+|UNABLE_TO_\w+)$/;
const LOST = /terminated|not queryable|ended/i;

const causeOf = (error: unknown) => (error instanceof DrizzleQueryError ? error.cause : error);

function plain(cause: unknown): { readonly code: string; readonly message: string } {
  if (!(cause instanceof Error)) return { code: '', message: '' };
  return { code: 'code' in cause ? String(cause.code) : '', message: cause.message };
}

function unavailable(reason: string, cause: unknown): StoreUnavailableError {
  return new StoreUnavailableError(`PostgreSQL: ${reason}`, { cause });
}
