import { randomUUID } from 'node:crypto';
import type { Cursor } from '@guild-settings/contract';
import { asc, desc, eq, gt, lt } from 'drizzle-orm';
import type { SqliteDatabase } from './database.ts';
import { epochs, meta } from './schema.ts';

/** Epochs that are kept. A cursor of an older one cannot be resumed. */
const MAX_EPOCHS = 1_000;

/** Begins an epoch, once for each time that a process opens the database. Returns its id. */
export function beginEpoch(db: SqliteDatabase): string {
  const epoch = randomUUID();
  return db.transaction(
    () => {
      const since = db.select().from(meta).get()?.lastRevision ?? 0;
      const { number } = db.insert(epochs).values({ epoch, since }).returning().get();
      db.delete(epochs)
        .where(lt(epochs.number, number - MAX_EPOCHS))
        .run();
      return epoch;
    },
    { behavior: 'immediate' },
  );
}

/** Returns the id of the epoch that was begun last. */
export function presentEpoch(db: SqliteDatabase): string {
  return db.select().from(epochs).orderBy(desc(epochs.number)).limit(1).get()?.epoch ?? '';
}

/** Returns whether this file holds all that a cursor has seen, and the change log still reaches back to the cursor. */
export function canResume(db: SqliteDatabase, { epoch, revision }: Cursor): boolean {
  return db.transaction(() => {
    const bounds = db.select().from(meta).get();
    const begun = db.select().from(epochs).where(eq(epochs.epoch, epoch)).get();
    if (bounds === undefined || begun === undefined) return false;
    const later = db.select().from(epochs).where(gt(epochs.number, begun.number));
    const next = later.orderBy(asc(epochs.number)).limit(1).get();
    return revision <= (next?.since ?? bounds.lastRevision) && revision >= bounds.oldestRevision - 1;
  });
}
