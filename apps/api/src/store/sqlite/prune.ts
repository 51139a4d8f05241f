import { eq, gte, lt, min } from 'drizzle-orm';
import type { Pruned } from '../store.ts';
import type { SqliteDatabase } from './database.ts';
import { changes, guilds, meta } from './schema.ts';

/** The most guilds erased in one transaction, so that requests never wait long. */
const GUILDS_AT_ONCE = 500;

interface PruneLimits {
  readonly now: number;
  readonly changesBefore: number;
  readonly leftBefore: number;
}

/** Throws old changes and long-left guilds away, inside the caller's transaction. */
export function prune(db: SqliteDatabase, limits: PruneLimits): Pruned {
  const { lastRevision } = db.select().from(meta).get() ?? { lastRevision: 0 };
  const pruned = pruneChanges(db, limits.changesBefore, lastRevision);
  const left = db
    .select({ id: guilds.id })
    .from(guilds)
    .where(lt(guilds.leftAt, limits.leftBefore))
    .limit(GUILDS_AT_ONCE)
    .all();
  for (const [index, { id }] of left.entries()) {
    db.delete(changes).where(eq(changes.guildId, id)).run();
    db.delete(guilds).where(eq(guilds.id, id)).run();
    const erasure = {
      actorKind: 'platform',
      actorId: 'retention',
      origin: 'platform',
      before: {},
      after: null,
    } as const;
    db.insert(changes)
      .values({ ...erasure, revision: lastRevision + index + 1, guildId: id, at: limits.now })
      .run();
  }
  if (left.length > 0)
    db.update(meta)
      .set({ lastRevision: lastRevision + left.length })
      .run();
  return { changes: pruned, guilds: left.length };
}

/**
 * The log loses its oldest revisions, up to the first one that is still young: one change with a wrong date, from a clock
 * that was wrong, takes none with it.
 */
function pruneChanges(db: SqliteDatabase, before: number, lastRevision: number): number {
  const young = db
    .select({ oldest: min(changes.revision) })
    .from(changes)
    .where(gte(changes.at, before))
    .get();
  const oldestRevision = young?.oldest ?? lastRevision + 1;
  const pruned = db.delete(changes).where(lt(changes.revision, oldestRevision)).run().changes;
  if (pruned > 0) db.update(meta).set({ oldestRevision }).run();
  return pruned;
}
