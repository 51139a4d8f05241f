import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import { StoreUnavailableError } from '../store.ts';
import type { PostgresDatabase } from './database.ts';
import { asStoreError } from './failures.ts';

export type Transaction = NodePgDatabase & { readonly $client: { query(query: pg.QueryConfig): Promise<unknown> } };

const BEGIN = {
  snapshot: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY',
  write: 'BEGIN ISOLATION LEVEL READ COMMITTED',
} as const;

/** Sends COMMIT behind the statements that were sent before, without waiting for them. After a failed one it rolls back. */
export type SendCommit = () => void;

interface Work<First, T> {
  /** Sends the first statement, in one round trip with BEGIN. It must write nothing: it also runs where BEGIN fails. */
  readonly first: (tx: Transaction) => PromiseLike<First>;
  /** Runs the rest, and rejects when one of its statements does. The transaction is committed when it resolves. */
  readonly rest: (tx: Transaction, found: First, sendCommit: SendCommit) => Promise<T>;
}

/**
 * Runs work in a transaction on a connection of its own. A connection that failed is closed: its state is unknown.
 * @throws StoreUnavailableError when the server did not respond; whether a write was committed is then unknown
 */
export function transact<T>(
  db: PostgresDatabase,
  kind: keyof typeof BEGIN,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  return transactWith(db, kind, { first: async () => {}, rest: work });
}

export async function transactWith<First, T>(
  { $client: pool }: PostgresDatabase,
  kind: keyof typeof BEGIN,
  { first, rest }: Work<First, T>,
): Promise<T> {
  const client = await pool.connect().catch((error: unknown) => {
    throw asStoreError(error);
  });
  let isBroken = false;
  let commit: Promise<unknown> | undefined;
  const sendCommit = () => {
    commit ??= client.query('COMMIT');
    // A failure of the commit is read below. Until then a statement before it may fail.
    commit.catch(() => {});
  };
  try {
    const tx = drizzle(client);
    const [, found] = await Promise.all([client.query(BEGIN[kind]), first(tx)]);
    const result = await rest(tx, found, sendCommit);
    sendCommit();
    await commit;
    return result;
  } catch (error) {
    const known = asStoreError(error);
    isBroken = known instanceof StoreUnavailableError;
    if (!isBroken) {
      await client.query('ROLLBACK').catch(() => {
        isBroken = true;
      });
    }
    throw known;
  } finally {
    client.release(isBroken);
  }
}
