import type { GuildId } from '@guild-settings/contract';
import { and, desc, eq, inArray, max, type SQL, sql } from 'drizzle-orm';
import type { BatchErasure, ErasureCipher, ErasureRow } from '../erasure/erasure-rows.ts';
import type { GuildRow } from '../rows.ts';
import { erasures, guilds, presenceReports } from './schema.ts';
import type { Transaction } from './transaction.ts';

export function deleteGuilds(tx: Transaction, ids: readonly GuildId[], condition?: SQL): Promise<GuildRow[]> {
  return tx
    .delete(guilds)
    .where(and(inArray(guilds.id, [...ids]), condition))
    .returning();
}

/**
 * Writes erasures of guilds. For a guild without state, only if no erasure of it is known. None is dated before the
 * newest presence report, so that the bot does not appear to have been reported after it.
 * @returns the written erasures
 */
export async function addErasures(tx: Transaction, batch: readonly BatchErasure[]): Promise<readonly BatchErasure[]> {
  const written: BatchErasure[] = [];
  const [reports] = await tx.select({ newestAt: max(presenceReports.at) }).from(presenceReports);
  for (const erasure of batch) {
    const { hadState, row } = erasure;
    const isNeeded = hadState || (await newestErasure(tx, row.hash)) === undefined;
    if (!isNeeded) continue;
    const timed = { ...erasure, row: { ...row, at: Math.max(row.at, reports?.newestAt ?? 0) } };
    await tx.insert(erasures).values(timed.row);
    written.push(timed);
  }
  return written;
}

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

export async function addErasureRows(tx: Transaction, rows: readonly ErasureRow[]): Promise<void> {
  await tx.insert(erasures).values([...rows]);
}

export async function erasedWhilePresent(
  db: Transaction,
  ids: readonly GuildId[],
  cipher: ErasureCipher,
): Promise<ReadonlySet<GuildId>> {
  const byHash = new Map(ids.map((id) => [cipher.hash('guild', id), id]));
  const { hash, wasPresent, revision, at } = erasures;
  const rows = await db
    .selectDistinctOn([hash], { hash, wasPresent })
    .from(erasures)
    .where(sql`${hash} = ANY(${sql.param([...byHash.keys()])})`)
    .orderBy(hash, desc(revision), desc(at));
  return new Set(rows.flatMap((row) => (row.wasPresent ? (byHash.get(row.hash) ?? []) : [])));
}

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
