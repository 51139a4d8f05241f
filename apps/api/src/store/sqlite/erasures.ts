import { setImmediate } from 'node:timers/promises';
import type { GuildId, Snowflake } from '@guild-settings/contract';
import { repeatForSlice } from '../background-slice.ts';
import { type ErasureTable, type LedgerTarget, MAX_UNFINISHED } from '../erasure/erasing.ts';
import {
  type BatchErasure,
  type ErasureCipher,
  type ErasureRow,
  HAS_AUTHOR,
  type LedgerEntry,
  newErasureKey,
  rowOfAppliedErasure,
  rowOfErasure,
  rowOfErasureLine,
} from '../erasure/erasure-rows.ts';
import type { KnownErasure, StoredGuild } from '../guild-store.ts';
import type { BackgroundWrites } from './background-writes.ts';
import { type SqliteDatabase, transaction, withStoreErrors } from './database.ts';
import { erasures, ledgers, meta } from './schema.ts';
import { columnsOf, type Statements } from './statements.ts';

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
   * Deletes guilds and writes their erasures, inside a transaction. No erasure is dated before the newest presence
   * report, so that the bot does not appear to have been reported after it. @returns the written erasures: for a guild
   * without state, none is written if one is known
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

const PAGE_ROWS = 5_000;

interface LedgerTargetOptions {
  readonly db: SqliteDatabase;
  readonly statements: Statements;
  readonly erasures: SqliteErasures;
  readonly cipher: ErasureCipher;
  readonly readGuild: (id: GuildId) => StoredGuild | null;
  readonly readLastRevision: () => number;
}

export function openLedgerTarget({ db, statements, erasures, cipher, ...options }: LedgerTargetOptions): LedgerTarget {
  const { readGuild, readLastRevision } = options;
  const requested = db.$client.prepare<[], LedgerEntry>(
    'SELECT id, kind, hash, at FROM erasures WHERE is_requested = 1',
  );
  const isKnown = db.$client.prepare<[string]>('SELECT 1 FROM erasures WHERE id = ?');
  const guildIds = db.$client
    .prepare<[string, number], string>('SELECT id FROM guilds WHERE id > ? ORDER BY id LIMIT ?')
    .pluck();
  const authors = db.$client.prepare<[number, number], { revision: number; id: string | null }>(
    `SELECT revision, CASE actor_kind WHEN 'user' THEN actor_id END AS id FROM changes
     WHERE revision > ? ORDER BY revision LIMIT ?`,
  );

  function eraseGuild(entry: LedgerEntry, id: GuildId): void {
    const revision = readLastRevision() + 1;
    const { at } = entry;
    const row: ErasureRow = {
      ...rowOfErasure('guild', id, { cipher, stored: readGuild(id), at, revision }),
      id: entry.id,
    };
    erasures.erase([{ guildId: id, hadState: true, row }]);
    statements.writeChange(rowOfErasureLine(cipher.seal(id), { at, revision, by: 'request' }));
    statements.writeLastRevision(revision);
  }

  return {
    async record(work) {
      const owner = withStoreErrors(() => {
        const { databaseId } = db.select({ databaseId: meta.databaseId }).from(meta).get() ?? { databaseId: '' };
        return { databaseId, ledgers: db.select().from(ledgers).all() };
      });
      const seen = await work(owner);
      if (seen === undefined) return;
      const write = db.insert(ledgers).values(seen).onConflictDoUpdate({ target: ledgers.id, set: seen });
      await transaction(db, () => write.run());
    },

    async forgetLedgers() {
      await transaction(db, () => db.delete(ledgers).run());
    },

    requested: async () => withStoreErrors(() => requested.all()),

    async *guildIds() {
      for (let after = ''; ; ) {
        const ids = withStoreErrors(() => guildIds.all(after, PAGE_ROWS));
        yield ids;
        if (ids.length < PAGE_ROWS) return;
        after = ids.at(-1) ?? after;
        await setImmediate();
      }
    },

    async *personIds() {
      for (let after = 0; ; ) {
        const rows = withStoreErrors(() => authors.all(after, PAGE_ROWS));
        yield [...new Set(rows.map(({ id }) => id))].filter((id) => id !== null && id !== '') as string[];
        if (rows.length < PAGE_ROWS) return;
        after = rows.at(-1)?.revision ?? after;
        await setImmediate();
      }
    },

    newestRevision: async () => withStoreErrors(readLastRevision),

    async apply(entry, found) {
      await transaction(db, () => {
        if (isKnown.get(entry.id) !== undefined) return;
        if (entry.kind === 'guild' && found !== undefined) eraseGuild(entry, found.id);
        else erasures.add(rowOfAppliedErasure(entry, found?.revision));
      });
    },
  };
}
