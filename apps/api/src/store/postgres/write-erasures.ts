import { desc, eq } from 'drizzle-orm';
import type { BatchErasure, ErasureRow } from '../erasure/erasure-rows.ts';
import { erasures } from './schema.ts';
import type { Transaction } from './transaction.ts';

/**
 * Writes erasures of guilds. One of a guild without state is written only if no erasure of it is known.
 * @returns those written
 */
export async function addErasures(tx: Transaction, batch: readonly BatchErasure[]): Promise<readonly BatchErasure[]> {
  const written: BatchErasure[] = [];
  for (const erasure of batch) {
    const { hadState, row } = erasure;
    const isNeeded = hadState || (await newestErasure(tx, row.hash)) === undefined;
    if (!isNeeded) continue;
    await tx.insert(erasures).values(row);
    written.push(erasure);
  }
  return written;
}

/** Writes the rows of erasures. */
export async function addErasureRows(tx: Transaction, rows: readonly ErasureRow[]): Promise<void> {
  await tx.insert(erasures).values([...rows]);
}

/** Returns the newest erasure with a hash; undefined: none is known. */
export async function newestErasure(db: Transaction, hash: string): Promise<ErasureRow | undefined> {
  const { revision, at } = erasures;
  const [row] = await db
    .select()
    .from(erasures)
    .where(eq(erasures.hash, hash))
    .orderBy(desc(revision), desc(at))
    .limit(1);
  return row;
}
