import { DrizzleQueryError } from 'drizzle-orm';
import pg from 'pg';
import { StoreUnavailableError } from '../store.ts';

/** Classes and codes of errors by which the server says that it cannot do it now. */
const TRANSIENT = /^(08|40|53|55P03|57|58)/;

/**
 * The same error, or that the store is not available when that is what it says: no connection, a lost one, a statement
 * that took too long, or a server that starts, stops or is full.
 * @see https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
export function asStoreError(error: unknown): unknown {
  const cause = error instanceof DrizzleQueryError ? error.cause : error;
  if (cause instanceof pg.DatabaseError) {
    return TRANSIENT.test(cause.code ?? '') ? unavailable(cause.code ?? '', error) : error;
  }
  // pg throws plain errors for what befalls the connection.
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const message = cause instanceof Error ? cause.message : '';
  if (/^E[A-Z]+$/.test(code)) return unavailable(code, error);
  return /timeout|terminated|not queryable|ended/i.test(message) ? unavailable(message, error) : error;
}

function unavailable(reason: string, cause: unknown): StoreUnavailableError {
  return new StoreUnavailableError(`PostgreSQL: ${reason}`, { cause });
}
