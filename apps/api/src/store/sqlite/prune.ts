import { repeatForSlice } from '../background-slice.ts';
import type { PruneLimits } from '../store.ts';
import type { SqliteDatabase } from './database.ts';

/** Rows that one step deletes. A slice runs as many steps as its time allows. */
const STEP_ROWS = 50;

/** Guilds that one transaction erases. */
const MAX_GUILDS = 20;

/** Deletion of what is past its retention. Each call is one slice, inside a transaction. */
export interface Pruning {
  /**
   * Deletes the oldest revisions of the log up to the first one that is not due: a change with a wrong time, from a clock
   * that was wrong, causes no other change to be deleted. The cost of a slice is proportional to what it deletes.
   * @returns number of deleted changes; 0: none is left
   */
  readonly pruneChanges: (before: number) => number;
  /**
   * Deletes history of guilds that are due, the oldest revisions of a guild first. Until its row is deleted a guild is only
   * left with a shorter history, and stays due.
   * @returns number of deleted changes; 0: the guilds that are due next have no history
   */
  readonly clearHistory: (leftBefore: number) => number;
  /**
   * Erases guilds that are due, with the rest of their history.
   * @returns number of erased guilds, and whether any were due
   */
  readonly eraseGuilds: (limits: PruneLimits) => { readonly guilds: number; readonly isMore: boolean };
}

/** Prepares the statements of retention. */
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
        const firstKept = rows.findIndex(({ at }) => at >= before);
        const last = (firstKept < 0 ? rows : rows.slice(0, firstKept)).at(-1)?.revision;
        if (last === undefined) return false;
        moveOldest.run(last + 1);
        pruned += deleteUpTo.run(last).changes;
        return firstKept < 0;
      });
      return pruned;
    },

    clearHistory(leftBefore) {
      const ids = due.all(leftBefore, MAX_GUILDS);
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
      const ids = due.all(leftBefore, MAX_GUILDS);
      let guilds = 0;
      for (const id of ids) {
        // The guild became due after the history of the others was deleted.
        if (deleteHistory.run(id, STEP_ROWS).changes === STEP_ROWS) continue;
        deleteGuild.run(id);
        logErasure.run(nextRevision.get() ?? 0, id, now);
        guilds += 1;
      }
      return { guilds, isMore: ids.length > 0 };
    },
  };
}
