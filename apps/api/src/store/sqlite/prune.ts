import { repeatForSlice } from '../background-slice.ts';
import { type ErasureCipher, rowOfErasureLine, rowOfRetention } from '../erasure/erasure-rows.ts';
import type { ChangeRow } from '../rows.ts';
import type { PruneLimits } from '../store.ts';
import type { SqliteDatabase } from './database.ts';
import type { SqliteErasures } from './erasures.ts';
import { changes } from './schema.ts';
import { columnsOf } from './statements.ts';

/** Rows that one step deletes. A slice runs as many steps as its time allows. */
const STEP_ROWS = 50;

const MAX_GUILDS = 20;

/** Deletion of expired data. Each call is one slice, inside a transaction. */
export interface Pruning {
  /**
   * Deletes the oldest revisions of the log up to the first one that has not expired: a change that was dated by a
   * wrong clock does not cause other changes to be deleted. The newest change of each guild stays. The cost of a slice
   * is proportional to the changes that it removes from the log.
   * @returns number of deleted changes, and if more have expired
   */
  readonly pruneChanges: (before: number) => { readonly changes: number; readonly isMore: boolean };
  /**
   * Deletes history of expired guilds, the oldest revisions of a guild first, except for the newest change. The first
   * deletion records an erasure, so that the history is no longer read: the bot may return before the guild is erased.
   * @returns number of deleted changes; 0: the guilds that expire next have no history
   */
  readonly clearHistory: (limits: PruneLimits) => number;
  /**
   * Erases expired guilds with the rest of their history.
   * @returns number of erased guilds, and if any had expired
   */
  readonly eraseGuilds: (limits: PruneLimits) => { readonly guilds: number; readonly isMore: boolean };
}

interface PruneOptions {
  readonly cipher: ErasureCipher;
  readonly erasures: Pick<SqliteErasures, 'read' | 'add' | 'erase'>;
}

export function preparePrune({ $client: db }: SqliteDatabase, { cipher, erasures }: PruneOptions): Pruning {
  const readOldest = db.prepare<[], number>('SELECT oldest_revision FROM meta').pluck();
  const oldest = db.prepare<[number, number], { revision: number; at: number }>(
    'SELECT revision, at FROM changes WHERE revision >= ? ORDER BY revision LIMIT ?',
  );
  const deleteBetween = db.prepare<[number, number]>(
    `DELETE FROM changes WHERE revision >= ? AND revision <= ?
     AND NOT EXISTS (SELECT 1 FROM guilds WHERE guilds.id = changes.guild_id AND guilds.revision = changes.revision)`,
  );
  const moveOldest = db.prepare<[number]>('UPDATE meta SET oldest_revision = ?');
  const due = db
    .prepare<[number, number], string>('SELECT id FROM guilds WHERE left_at < ? ORDER BY left_at LIMIT ?')
    .pluck();
  const newestOf = db.prepare<[string], number>('SELECT revision FROM guilds WHERE id = ?').pluck();
  const deleteOlder = db.prepare<[string, number, number]>(
    `DELETE FROM changes WHERE revision IN (
       SELECT revision FROM changes WHERE guild_id = ? AND revision < ? ORDER BY revision LIMIT ?)`,
  );
  const deleteNewest = db.prepare<[string]>('DELETE FROM changes WHERE guild_id = ?');
  const nextRevision = db
    .prepare<[], number>('UPDATE meta SET last_revision = last_revision + 1 RETURNING last_revision')
    .pluck();
  const change = columnsOf<ChangeRow>(changes);
  const writeChange = db.prepare(change.insert);
  const forgetErasures = db.prepare<[]>(
    'DELETE FROM erasures WHERE is_requested = 0 AND revision < (SELECT oldest_revision FROM meta)',
  );

  /** Deletes some history of a guild, and hides the rest of it. @returns number of deleted changes */
  function clear(id: string, at: number): number {
    const revision = newestOf.get(id) ?? 0;
    const { changes } = deleteOlder.run(id, revision, STEP_ROWS);
    if (changes > 0 && erasures.read(id)?.revision !== revision)
      erasures.add(rowOfRetention(id, { cipher, at, revision }));
    return changes;
  }

  return {
    pruneChanges(before) {
      let pruned = 0;
      let from = readOldest.get() ?? 1;
      const isMore = repeatForSlice(() => {
        const rows = oldest.all(from, STEP_ROWS);
        const firstKept = rows.findIndex(({ at }) => at >= before);
        const last = (firstKept < 0 ? rows : rows.slice(0, firstKept)).at(-1)?.revision;
        if (last === undefined) return false;
        moveOldest.run(last + 1);
        pruned += deleteBetween.run(from, last).changes;
        from = last + 1;
        return firstKept < 0;
      });
      return { changes: pruned, isMore };
    },

    clearHistory({ now, leftBefore }) {
      const ids = due.all(leftBefore, MAX_GUILDS);
      let next = 0;
      let deleted = 0;
      repeatForSlice(() => {
        const id = ids[next];
        if (id === undefined) return false;
        const changes = clear(id, now);
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
        // The guild expired after the history of the others was deleted.
        if (clear(id, now) === STEP_ROWS) continue;
        deleteNewest.run(id);
        const revision = nextRevision.get() ?? 0;
        const row = rowOfRetention(id, { cipher, at: now, revision });
        erasures.erase([{ guildId: id, hadState: true, row }]);
        writeChange.run(change.valuesOf(rowOfErasureLine(cipher.seal(id), { at: now, revision, by: 'retention' })));
        guilds += 1;
      }
      if (ids.length === 0) forgetErasures.run();
      return { guilds, isMore: ids.length > 0 };
    },
  };
}
