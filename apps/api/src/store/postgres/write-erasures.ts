import type { GuildId } from '@guild-settings/contract';
import { and, desc, eq, inArray, isNotNull, type SQL } from 'drizzle-orm';
import type { BatchErasure, ErasureRow } from '../erasure/erasure-rows.ts';
import type { GuildRow } from '../rows.ts';
import { erasures, guilds, shardCounts } from './schema.ts';
import type { Transaction } from './transaction.ts';

/**
 * Deletes the rows of guilds. Lists of guilds by shard that are being filled, and have reached one of these, begin again: the
 * position is a guild's id.
 * @param condition a further one
 * @returns the deleted rows
 */
export async function deleteGuilds(tx: Transaction, ids: readonly GuildId[], condition?: SQL): Promise<GuildRow[]> {
  const isFilling = isNotNull(shardCounts.filledTo);
  // No list moves to one of the guilds from here on.
  await tx.select({ count: shardCounts.count }).from(shardCounts).where(isFilling).for('update');
  await tx
    .update(shardCounts)
    .set({ filledTo: '' })
    .where(inArray(shardCounts.filledTo, [...ids]));
  return tx
    .delete(guilds)
    .where(and(inArray(guilds.id, [...ids]), condition))
    .returning();
}

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

/** Returns those of some rows whose hash and revision no erasure has. */
export async function unknownErasures(tx: Transaction, rows: readonly ErasureRow[]): Promise<readonly ErasureRow[]> {
  const known = await tx
    .select({ hash: erasures.hash, revision: erasures.revision })
    .from(erasures)
    .where(
      inArray(
        erasures.hash,
        rows.map(({ hash }) => hash),
      ),
    );
  return rows.filter((row) => !known.some(({ hash, revision }) => hash === row.hash && revision === row.revision));
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
