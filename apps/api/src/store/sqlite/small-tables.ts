import { eq, isNotNull, sql } from 'drizzle-orm';
import { NO_LEASE, type SessionTable, sessionQueries } from '../session-queries.ts';
import {
  type DeclarationStore,
  MAX_TOKEN_CHECKS,
  type SessionStore,
  type Store,
  type TimeTraces,
  TOKEN_CHECK_TTL_MS,
  type TokenCheckRow,
  type WatcherRow,
  type WatcherState,
  type WatcherStore,
} from '../store.ts';
import { type SqliteDatabase, transaction, withStoreErrors } from './database.ts';
import { meta, sessions, watchers } from './schema.ts';
import { columnsOf } from './statements.ts';

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

/** A query of drizzle on SQLite, which runs synchronously. */
interface SyncQuery<Row> {
  all(): Row[];
}

/** Opens the sessions in a SQLite database. Backups contain no sessions: `back-up.ts`. */
export function openSessions(db: SqliteDatabase): SessionStore {
  const write = <Row>(query: SyncQuery<Row>) => transaction(db, () => query.all());
  const find = db
    .select()
    .from(sessions)
    .where(eq(sessions.idHash, sql.placeholder('idHash')))
    .prepare();
  // A remaining lease is from a killed process, because only one process uses the file.
  write(db.update(sessions).set(NO_LEASE).where(isNotNull(sessions.leaseUntil)).returning()).catch(() => {});
  const table = {
    db,
    sessions,
    find: async (idHash: string) => withStoreErrors(() => find.get({ idHash })),
    now: (laterMs: number) => Date.now() + laterMs,
    read: async <Row>(query: SyncQuery<Row>) => withStoreErrors(() => query.all()),
    write,
    end: async (which: Parameters<SessionTable['end']>[0]) => {
      const ended = await write(db.delete(sessions).where(which).returning({ idHash: sessions.idHash }));
      return ended.map(({ idHash }) => idHash);
    },
  };
  // Drizzle builds the queries for both databases in the same way, but with unrelated types.
  return sessionQueries(table as unknown as SessionTable);
}

export function openTokenChecks(
  db: SqliteDatabase,
): Pick<Store, 'keepTokenCheck' | 'forgetTokenCheck' | 'readTokenChecks'> {
  const { $client } = db;
  const deleteOld = $client.prepare<[number]>('DELETE FROM token_checks WHERE checked_at < ?');
  const keep = $client.prepare<[TokenCheckRow]>(
    `INSERT INTO token_checks (token_hash, application_id, checked_at, expires_at)
     VALUES (@tokenHash, @applicationId, @checkedAt, @expiresAt)
     ON CONFLICT (token_hash) DO UPDATE SET
       application_id = excluded.application_id, checked_at = excluded.checked_at, expires_at = excluded.expires_at`,
  );
  const forget = $client.prepare<[string]>('DELETE FROM token_checks WHERE token_hash = ?');
  const read = $client.prepare<[string, number], TokenCheckRow>(
    `SELECT token_hash AS tokenHash, application_id AS applicationId, checked_at AS checkedAt, expires_at AS expiresAt
     FROM token_checks WHERE application_id = ? ORDER BY checked_at DESC LIMIT ?`,
  );
  return {
    async keepTokenCheck(check) {
      await transaction(db, () => {
        deleteOld.run(check.checkedAt - TOKEN_CHECK_TTL_MS);
        keep.run(check);
      });
    },
    async forgetTokenCheck(tokenHash) {
      await transaction(db, () => forget.run(tokenHash));
    },
    async readTokenChecks(applicationId) {
      return withStoreErrors(() => read.all(applicationId, MAX_TOKEN_CHECKS));
    },
  };
}

export function openDeclarations(db: SqliteDatabase): DeclarationStore {
  const count = db.$client
    .prepare<[string], number>('SELECT count(*) FROM guilds WHERE json_type(settings, ?) IS NOT NULL')
    .pluck();
  return {
    async readDeclaration() {
      return withStoreErrors(() => db.select({ served: meta.declaration }).from(meta).get()?.served ?? null);
    },
    async recordDeclaration(declaration) {
      await transaction(db, () => db.update(meta).set({ declaration }).run());
    },
    async countSet(fields) {
      return withStoreErrors(() => Object.fromEntries(fields.map((field) => [field, count.get(`$."${field}"`) ?? 0])));
    },
  };
}

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
