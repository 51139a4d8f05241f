import { repeatForSlice } from '../background-slice.ts';
import type { PruneLimits } from '../store.ts';
import type { SqliteDatabase } from './database.ts';

/** Rows that one step deletes; a slice is as many steps as its time allows. */
const STEP_ROWS = 50;

/** Guilds erased in one transaction. */
const GUILDS_AT_ONCE = 20;

/** Retention's work on a file. Each call is one slice, to be called inside a transaction. */
export interface Pruning {
  /**
   * Deletes the log's oldest revisions, up to the first one that is still young: one change with a wrong date, from a
   * clock that was wrong, takes none with it. That revision is found by reading from the log's beginning, so a slice costs
   * what it deletes.
   * @returns how many changes it deleted; 0: none is left to delete
   */
  readonly pruneChanges: (before: number) => number;
  /**
   * Deletes history of guilds that are due, the oldest revisions of a guild first: until its row goes, too, a guild is as
   * it was with a shorter history, and a slice that is not followed by another leaves it due.
   * @returns how many changes it deleted; 0: the guilds that are due next have no history
   */
  readonly clearHistory: (leftBefore: number) => number;
  /**
   * Erases guilds that are due, with what is left of their history.
   * @returns how many, and whether any were due
   */
  readonly eraseGuilds: (limits: PruneLimits) => { readonly guilds: number; readonly isMore: boolean };
}

/** Prepares retention's statements. */
export function preparePrune({ $client: db }: SqliteDatabase): Pruning {
  const oldest = db.prepare<[number], { revision: number; at: number }>(
    'SELECT revision, at FROM changes ORDER BY revision LIMIT ?',
  );
  const deleteUpTo = db.prepare<[number]>('DELETE FROM changes WHERE revision <= ?');
  const moveOldest = db.prepare<[number]>('UPDATE meta SET oldest_revision = ?');
  const due = db
    .prepare<[number, number], string>('SELECT id FROM guilds WHERE left_at < ? ORDER BY left_at LIMIT ?')
    .pluck();
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

  return {
    pruneChanges(before) {
      let pruned = 0;
      repeatForSlice(() => {
        const rows = oldest.all(STEP_ROWS);
        const young = rows.findIndex(({ at }) => at >= before);
        const last = (young < 0 ? rows : rows.slice(0, young)).at(-1)?.revision;
        if (last === undefined) return false;
        moveOldest.run(last + 1);
        pruned += deleteUpTo.run(last).changes;
        return young < 0;
      });
      return pruned;
    },

    clearHistory(leftBefore) {
      const ids = due.all(leftBefore, GUILDS_AT_ONCE);
      let next = 0;
      let deleted = 0;
      repeatForSlice(() => {
        const id = ids[next];
        if (id === undefined) return false;
        const { changes } = deleteHistory.run(id, STEP_ROWS);
        deleted += changes;
        if (changes < STEP_ROWS) next += 1;
        return true;
      });
      return deleted;
    },

    eraseGuilds({ now, leftBefore }) {
      const ids = due.all(leftBefore, GUILDS_AT_ONCE);
      let guilds = 0;
      for (const id of ids) {
        // It became due after the history of the others was deleted.
        if (deleteHistory.run(id, STEP_ROWS).changes === STEP_ROWS) continue;
        deleteGuild.run(id);
        logErasure.run(nextRevision.get() ?? 0, id, now);
        guilds += 1;
      }
      return { guilds, isMore: ids.length > 0 };
    },
  };
}
