import type { Store, TimeTraces } from '../store.ts';
import type { SqliteDatabase } from './database.ts';
import { transaction, withStoreErrors } from './transaction.ts';

/** The operations of a store on reports of shards, and on runs of retention. */
export function openTimeTraces(
  db: SqliteDatabase,
): Pick<Store, 'markShardReported' | 'readTimeTraces' | 'recordRetentionRun'> {
  const { $client } = db;
  const markShard = $client.prepare<[number, number, number]>(
    `INSERT INTO presence_reports (shard_id, shard_count, at) VALUES (?, ?, ?)
     ON CONFLICT (shard_id, shard_count) DO UPDATE SET at = excluded.at`,
  );
  const readTraces = $client.prepare<[], TimeTraces>(
    `SELECT retention_ran_at AS retentionRanAt,
       (SELECT at FROM changes ORDER BY revision DESC LIMIT 1) AS newestChangeAt,
       (SELECT max(at) FROM presence_reports) AS newestReportAt
     FROM meta`,
  );
  const recordRun = $client.prepare<[number]>('UPDATE meta SET retention_ran_at = ?');
  return {
    async markShardReported({ id, count }, at) {
      await transaction(db, () => markShard.run(id, count, at));
    },
    async readTimeTraces() {
      const none = { retentionRanAt: null, newestChangeAt: null, newestReportAt: null };
      return withStoreErrors(() => readTraces.get() ?? none);
    },
    async recordRetentionRun(at) {
      await transaction(db, () => recordRun.run(at));
    },
  };
}
