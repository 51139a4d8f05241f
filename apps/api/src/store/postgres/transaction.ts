import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import { StoreUnavailableError } from '../store.ts';
import type { PostgresDatabase } from './database.ts';
import { asStoreError } from './failures.ts';

/** The database inside a transaction. */
export type Transaction = NodePgDatabase;

/** Statements that begin a transaction of each kind. */
const BEGIN = {
  snapshot: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY',
  write: 'BEGIN ISOLATION LEVEL READ COMMITTED',
} as const;

/**
 * Runs work in a transaction on a connection of its own. A connection that failed is closed: its state is unknown.
 * @throws StoreUnavailableError when the server did not respond; whether a write was committed is then unknown
 */
export async function transact<T>(
  { $client: pool }: PostgresDatabase,
  kind: keyof typeof BEGIN,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const client = await pool.connect().catch((error: unknown) => {
    throw asStoreError(error);
  });
  let isBroken = false;
  try {
    await client.query(BEGIN[kind]);
    const result = await work(drizzle(client));
    await client.query('COMMIT');
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
