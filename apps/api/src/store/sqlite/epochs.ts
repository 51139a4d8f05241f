import { randomUUID } from 'node:crypto';
import type { Cursor } from '@guild-settings/contract';
import { asc, eq, gt, lt } from 'drizzle-orm';
import type { SqliteDatabase } from './database.ts';
import { meta, openings } from './schema.ts';

/** Openings remembered; a cursor of an older one starts anew. */
const REMEMBERED = 1_000;

/** Notes that the database was opened, and gives the epoch of this opening. */
export function noteOpening(db: SqliteDatabase): string {
  const epoch = randomUUID();
  return db.transaction(
    () => {
      const since = db.select().from(meta).get()?.lastRevision ?? 0;
      const { number } = db.insert(openings).values({ epoch, since }).returning().get();
      db.delete(openings)
        .where(lt(openings.number, number - REMEMBERED))
        .run();
      return epoch;
    },
    { behavior: 'immediate' },
  );
}

/** Whether a cursor saw nothing but what this file holds, and the log still reaches back to it. */
export function canResume(db: SqliteDatabase, { epoch, revision }: Cursor): boolean {
  return db.transaction(() => {
    const bounds = db.select().from(meta).get();
    const opening = db.select().from(openings).where(eq(openings.epoch, epoch)).get();
    if (bounds === undefined || opening === undefined) return false;
    const next = db
      .select()
      .from(openings)
      .where(gt(openings.number, opening.number))
      .orderBy(asc(openings.number))
      .limit(1)
      .get();
    return revision <= (next?.since ?? bounds.lastRevision) && revision >= bounds.oldestRevision - 1;
  });
}
