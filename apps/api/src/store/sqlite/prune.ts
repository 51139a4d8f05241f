import { repeatForSlice } from '../background-slice.ts';
import type { PrunedSlice, PruneLimits } from '../store.ts';
import type { SqliteDatabase } from './database.ts';

/** Rows that one step deletes; a slice is as many steps as its time allows. */
const STEP_ROWS = 50;

/** Throws away a slice of what is due. To be called inside a transaction, which is short. */
export type PruneSlice = (limits: PruneLimits) => PrunedSlice;

/**
 * Prepares retention's statements.
 *
 * The log loses its oldest revisions, up to the first one that is still young: one change with a wrong date, from a clock
 * that was wrong, takes none with it. That revision is found by reading from the log's beginning, so a slice costs what it
 * deletes. Of a guild the history goes first, oldest revisions first, and its row with the last of it: until then the
 * guild is as it was with a shorter history, and a slice that is not followed by another leaves it due.
 */
export function preparePrune({ $client: db }: SqliteDatabase): PruneSlice {
  const oldest = db.prepare<[number], { revision: number; at: number }>(
    'SELECT revision, at FROM changes ORDER BY revision LIMIT ?',
  );
  const deleteUpTo = db.prepare<[number]>('DELETE FROM changes WHERE revision <= ?');
  const moveOldest = db.prepare<[number]>('UPDATE meta SET oldest_revision = ?');
  const due = db.prepare<[number], string>('SELECT id FROM guilds WHERE left_at < ? ORDER BY left_at LIMIT 1').pluck();
  const deleteHistory = db.prepare<[string, number]>(
    'DELETE FROM changes WHERE revision IN (SELECT revision FROM changes WHERE guild_id = ? ORDER BY revision LIMIT ?)',
  );
  const deleteGuild = db.prepare<[string]>('DELETE FROM guilds WHERE id = ?');
  const nextRevision = db
    .prepare<[], number>('UPDATE meta SET last_revision = last_revision + 1 RETURNING last_revision')
    .pluck();
  const logErasure = db.prepare<[number, string, number]>(
    `INSERT INTO changes (revision, guild_id, at, actor_kind, actor_id, origin, before)
     VALUES (?, ?, ?, 'platform', 'retention', 'platform', '{}')`,
  );

  return ({ now, changesBefore, leftBefore }) => {
    const pruned = { changes: 0, guilds: 0 };

    const pruneChanges = (): boolean => {
      const rows = oldest.all(STEP_ROWS);
      const young = rows.findIndex(({ at }) => at >= changesBefore);
      const old = young < 0 ? rows : rows.slice(0, young);
      const last = old.at(-1)?.revision;
      if (last === undefined) return false;
      moveOldest.run(last + 1);
      pruned.changes += deleteUpTo.run(last).changes;
      return old.length === STEP_ROWS;
    };

    const eraseGuilds = (): boolean => {
      const id = due.get(leftBefore);
      if (id === undefined) return false;
      if (deleteHistory.run(id, STEP_ROWS).changes === STEP_ROWS) return true;
      deleteGuild.run(id);
      logErasure.run(nextRevision.get() ?? 0, id, now);
      pruned.guilds += 1;
      return true;
    };

    const isMore = repeatForSlice(() => pruneChanges() || eraseGuilds());
    return { ...pruned, isDone: !isMore };
  };
}
