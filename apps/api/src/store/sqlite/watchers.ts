import type { WatcherRow, WatcherState, WatcherStore } from '../store.ts';
import type { SqliteDatabase } from './database.ts';
import { watchers } from './schema.ts';
import { columnsOf } from './statements.ts';
import { transaction, withStoreErrors } from './transaction.ts';

const NOW = "CAST(unixepoch('subsec') * 1000 AS INTEGER)";

export function openWatchers(db: SqliteDatabase): WatcherStore {
  const { $client } = db;
  const row = columnsOf<typeof watchers.$inferSelect>(watchers);
  const nextVersion = $client.prepare<[], number>('SELECT coalesce(max(version), 0) + 1 FROM watchers').pluck();
  const now = $client.prepare<[], number>(`SELECT ${NOW}`).pluck();
  const read = $client.prepare<[number], unknown[]>(`SELECT ${row.names} FROM watchers WHERE version > ?`).raw();
  const register = $client.prepare(row.insert.replace('INSERT', 'INSERT OR REPLACE'));
  const update = $client.prepare<
    [
      Omit<WatcherState, 'rejected' | 'hasEnded' | 'hasLeft'> & {
        rejected: string;
        hasEnded: number;
        hasLeft: number;
        version: number;
      },
    ]
  >(
    `UPDATE watchers SET version = @version, epoch = @epoch, revision = @revision, rejected = @rejected,
       is_connected = is_connected AND NOT @hasEnded, seen_at = iif(@hasEnded, ${NOW}, seen_at),
       run = iif(@hasLeft, json_set(run, '$.hasLeft', json('true')), run)
     WHERE id = @id AND registration = @registration`,
  );
  const touch = $client.prepare<[string]>(`UPDATE watchers SET seen_at = ${NOW} WHERE id = ?`);
  const remove = $client.prepare<[string, number]>(`DELETE FROM watchers WHERE id = ? AND seen_at <= ${NOW} - ?`);
  return {
    isShared: false,

    async readWatchers(after) {
      return withStoreErrors(() => {
        const nowMs = now.get() ?? 0;
        return read.all(after).map((values): WatcherRow => {
          const { seenAt, ...stored } = row.rowOf(values);
          return { ...stored, seenAgoMs: Math.max(0, nowMs - seenAt) };
        });
      });
    },

    registerWatcher: (watcher, run) =>
      transaction(db, () => {
        const version = nextVersion.get() ?? 1;
        const position = { epoch: '', revision: 0, rejected: [] };
        const seenAt = now.get() ?? 0;
        register.run(
          row.valuesOf({
            ...watcher,
            ...position,
            registration: version,
            version,
            isConnected: true,
            seenAt,
            run: run === undefined ? null : { registration: version, id: run, hasLeft: false },
          }),
        );
        return version;
      }),

    async updateWatchers(states) {
      await transaction(db, () => {
        for (const { rejected, hasEnded, hasLeft, ...state } of states)
          update.run({
            ...state,
            rejected: JSON.stringify(rejected),
            hasEnded: Number(hasEnded),
            hasLeft: Number(hasLeft),
            version: nextVersion.get() ?? 1,
          });
      });
    },

    async touchWatchers(ids) {
      await transaction(db, () => {
        for (const id of ids) touch.run(id);
      });
    },

    async deleteWatchers(ids, unseenForMs) {
      await transaction(db, () => {
        for (const id of ids) remove.run(id, unseenForMs);
      });
    },
  };
}
