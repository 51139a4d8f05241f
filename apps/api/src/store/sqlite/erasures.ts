import type { GuildId, Snowflake } from '@guild-settings/contract';
import { repeatForSlice } from '../background-slice.ts';
import { type ErasureCipher, newErasureKey } from '../erasure/erasure-cipher.ts';
import { type BatchErasure, type ErasureRow, HAS_AUTHOR, rowOfErasure } from '../erasure/erasure-rows.ts';
import { type ErasureTable, MAX_UNFINISHED } from '../erasure/erasure-work.ts';
import type { KnownErasure } from '../store.ts';
import type { BackgroundWrites } from './background-writes.ts';
import type { SqliteDatabase } from './database.ts';
import { erasures } from './schema.ts';
import { columnsOf } from './statements.ts';
import { transaction, withStoreErrors } from './transaction.ts';

const STEP = 50;

export function erasureKeyOf({ $client: db }: SqliteDatabase): string {
  db.prepare('UPDATE meta SET erasure_key = ? WHERE erasure_key IS NULL').run(newErasureKey());
  return db.prepare<[], string>('SELECT erasure_key FROM meta').pluck().get() ?? '';
}

interface SqliteErasuresOptions {
  readonly db: SqliteDatabase;
  readonly background: BackgroundWrites;
  readonly cipher: ErasureCipher;
  readonly readLastRevision: () => number;
}

export interface SqliteErasures extends ErasureTable {
  read(id: GuildId): KnownErasure | null;
  add(row: ErasureRow): void;
  /**
   * Deletes guilds and writes their erasures, inside a transaction. None is earlier than the newest presence report: it must
   * not seem that the bot was reported after it. @returns those written: one of a guild without state is not written if an
   * erasure of it is known
   */
  erase(batch: readonly BatchErasure[]): readonly BatchErasure[];
}

export function openErasures({ db, background, cipher, readLastRevision }: SqliteErasuresOptions): SqliteErasures {
  const statements = prepare(db);
  const { insert, newest, newestReportAt, deleteGuild } = statements;
  const { isAuthor, count, unfinished, deleteHistory, erasePerson, setFinished } = statements;

  return {
    read: prepareReadErasure(db, cipher),

    add: insert,

    erase(batch) {
      const written: BatchErasure[] = [];
      for (const erasure of batch) {
        const { guildId, hadState, row } = erasure;
        if (!hadState && newest.get(row.hash) !== undefined) continue;
        deleteGuild.run(guildId);
        const timed = { ...erasure, row: { ...row, at: Math.max(row.at, newestReportAt.get() ?? 0) } };
        insert(timed.row);
        written.push(timed);
      }
      return written;
    },

    async forget(id, at, requireAllowed) {
      return transaction(db, () => {
        const row = rowOfErasure('person', id, { cipher, at, revision: readLastRevision() });
        const last = newest.get(row.hash);
        if (isAuthor.get(id, last?.revision ?? 0) === undefined) return last && { ...row, id: last.id, at: last.at };
        if (last !== undefined) requireAllowed?.(last.at);
        insert(row);
        return row;
      });
    },

    count: async () => withStoreErrors(() => count.get() ?? 0),

    async unfinished(kind) {
      return withStoreErrors(() => unfinished(kind));
    },

    eraseHistory: (id, revision) =>
      background.write(() => repeatForSlice(() => deleteHistory.run(id, revision, STEP).changes === STEP)),

    erasePerson: (id, revision) =>
      background.write(() => repeatForSlice(() => erasePerson.run(id, revision, STEP).changes === STEP)),

    async finish(ids) {
      await transaction(db, () => {
        for (const id of ids) setFinished.run(id);
      });
    },
  };
}

export function prepareReadErasure(db: SqliteDatabase, cipher: ErasureCipher): (id: GuildId) => KnownErasure | null {
  const newest = prepareNewest(db);
  return (id) => {
    const row = withStoreErrors(() => newest.get(cipher.hash('guild', id)));
    return row === undefined ? null : { revision: row.revision, at: row.at, wasPresent: row.wasPresent === 1 };
  };
}

function prepareNewest({ $client: db }: SqliteDatabase) {
  return db.prepare<[string], { id: string; revision: number; at: number; wasPresent: number }>(
    `SELECT id, revision, at, was_present AS wasPresent FROM erasures WHERE hash = ? ORDER BY revision DESC, at DESC LIMIT 1`,
  );
}

function prepare(database: SqliteDatabase) {
  const { $client: db } = database;
  const columns = columnsOf<ErasureRow>(erasures);
  const insert = db.prepare(columns.insert);
  const unfinished = db
    .prepare<[string, number], unknown[]>(
      `SELECT ${columns.names} FROM erasures WHERE sealed IS NOT NULL AND kind = ? ORDER BY revision LIMIT ?`,
    )
    .raw();
  return {
    insert: (row: ErasureRow) => void insert.run(columns.valuesOf(row)),
    unfinished: (kind: string) => unfinished.all(kind, MAX_UNFINISHED).map(columns.rowOf),
    count: db.prepare<[], number>('SELECT count(*) FROM erasures WHERE sealed IS NOT NULL').pluck(),
    newest: prepareNewest(database),
    newestReportAt: db.prepare<[], number | null>('SELECT max(at) FROM presence_reports').pluck(),
    deleteGuild: db.prepare<[GuildId]>('DELETE FROM guilds WHERE id = ?'),
    deleteHistory: db.prepare<[GuildId, number, number]>(
      `DELETE FROM changes WHERE revision IN (
         SELECT revision FROM changes WHERE guild_id = ? AND revision <= ? ORDER BY revision LIMIT ?)`,
    ),
    isAuthor: db.prepare<[Snowflake, number]>(
      `SELECT 1 FROM changes WHERE ${HAS_AUTHOR} AND actor_id = ? AND revision > ? LIMIT 1`,
    ),
    erasePerson: db.prepare<[Snowflake, number, number]>(
      `UPDATE changes SET actor_id = '' WHERE revision IN (
         SELECT revision FROM changes WHERE ${HAS_AUTHOR} AND actor_id = ? AND revision <= ? ORDER BY revision LIMIT ?)`,
    ),
    setFinished: db.prepare<[string]>('UPDATE erasures SET sealed = NULL WHERE id = ?'),
  };
}
