import { gte, inArray, lt, min, sql } from 'drizzle-orm';
import type { Pruned } from '../store.ts';
import { NEWS } from './listener.ts';
import { changes, guilds, meta } from './schema.ts';
import type { Transaction } from './transaction.ts';

/** The most guilds erased in one transaction, so that requests never wait long. */
const GUILDS_AT_ONCE = 500;

interface PruneLimits {
  readonly now: number;
  readonly changesBefore: number;
  readonly leftBefore: number;
}

/** Throws old changes and long-left guilds away, inside a transaction that holds the lock of `meta`. */
export async function prune(tx: Transaction, limits: PruneLimits, lastRevision: number): Promise<Pruned> {
  const pruned = await pruneChanges(tx, limits.changesBefore, lastRevision);
  const left = await tx
    .select({ id: guilds.id })
    .from(guilds)
    .where(lt(guilds.leftAt, limits.leftBefore))
    .orderBy(guilds.id)
    .limit(GUILDS_AT_ONCE);
  if (left.length === 0) return { changes: pruned, guilds: 0 };
  const ids = left.map(({ id }) => id);
  await tx.delete(changes).where(inArray(changes.guildId, ids));
  await tx.delete(guilds).where(inArray(guilds.id, ids));
  const erasure = {
    at: limits.now,
    actorKind: 'platform',
    actorId: 'retention',
    origin: 'platform',
    before: {},
    after: null,
  } as const;
  await tx
    .insert(changes)
    .values(ids.map((guildId, index) => ({ ...erasure, guildId, revision: lastRevision + index + 1 })));
  await tx.update(meta).set({ lastRevision: lastRevision + ids.length });
  await tx.execute(sql`SELECT ${NEWS}`);
  return { changes: pruned, guilds: ids.length };
}

/**
 * The log loses its oldest revisions, up to the first one that is still young: one change with a wrong date, from a clock
 * that was wrong, takes none with it.
 */
async function pruneChanges(tx: Transaction, before: number, lastRevision: number): Promise<number> {
  const [young] = await tx
    .select({ oldest: min(changes.revision) })
    .from(changes)
    .where(gte(changes.at, before));
  const oldestRevision = young?.oldest ?? lastRevision + 1;
  const { rowCount } = await tx.delete(changes).where(lt(changes.revision, oldestRevision));
  const pruned = rowCount ?? 0;
  if (pruned > 0) await tx.update(meta).set({ oldestRevision });
  return pruned;
}
