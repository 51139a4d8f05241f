import { DrizzleQueryError } from 'drizzle-orm';
import pg from 'pg';
import { StoreUnavailableError } from '../store.ts';

/** Classes and codes of errors by which the server says that it cannot do it now. */
const TRANSIENT = /^(08|25006|40|53|55P03|57|58)/;

/**
 * The same error, or that the store is not available when that is what it says: no connection, a lost one, a statement
 * that took too long, or a server that starts, stops, is full or read-only. What drizzle says of it is left out: it repeats the
 * statement's values, which are other callers' as well.
 * @see https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
export function asStoreError(error: unknown): unknown {
  const cause = causeOf(error);
  if (cause instanceof pg.DatabaseError) {
    return TRANSIENT.test(cause.code ?? '') ? unavailable(cause.code ?? '', cause) : cause;
  }
  // pg throws plain errors for what befalls the connection.
  const { code, message } = plain(cause);
  if (SYSTEM_CODE.test(code)) return unavailable(code, cause);
  return LOST.test(message) || /timeout/i.test(message) ? unavailable(message, cause) : cause;
}

/** Whether it says that the connection ended under a statement: another one may answer. */
export function isConnectionLost(error: unknown): boolean {
  const cause = causeOf(error);
  if (cause instanceof pg.DatabaseError) return /^(08|57P01|57P02)/.test(cause.code ?? '');
  const { code, message } = plain(cause);
  return SYSTEM_CODE.test(code) || LOST.test(message);
}

const SYSTEM_CODE = /^E[A-Z]+$/;
const LOST = /terminated|not queryable|ended/i;

const causeOf = (error: unknown) => (error instanceof DrizzleQueryError ? error.cause : error);

function plain(cause: unknown): { readonly code: string; readonly message: string } {
  if (!(cause instanceof Error)) return { code: '', message: '' };
  return { code: 'code' in cause ? String(cause.code) : '', message: cause.message };
}

function unavailable(reason: string, cause: unknown): StoreUnavailableError {
  return new StoreUnavailableError(`PostgreSQL: ${reason}`, { cause });
}
