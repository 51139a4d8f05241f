import { randomUUID } from 'node:crypto';
import type { Cursor, GuildId } from '@guild-settings/contract';
import { Column, getTableColumns, getTableName } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { IS_ERASURE } from '../erasure/erasure-rows.ts';
import type { FeedPage, HistoryRange, LogBounds, StoredGuild } from '../guild-store.ts';
import {
  type ChangeRow,
  epochMark,
  type FeedLineRow,
  type FeedRange,
  feedLineOf,
  feedPageOf,
  type GuildRow,
  guildOf,
  PAGE_BYTES,
  reachOf,
} from '../rows.ts';
import { type ReportedShard, StoreUnavailableError } from '../store.ts';
import type { SqliteDatabase } from './database.ts';
import { changes, guilds } from './schema.ts';

/** @param markOf returns the mark of the epoch in which a revision was made */
export function storedGuildOf(row: GuildRow, markOf: (revision: number) => string): StoredGuild {
  const { revision, accessRevision } = row;
  return guildOf(row, {
    record: revision === 0 ? '' : markOf(revision),
    access: accessRevision === null ? '' : markOf(accessRevision),
  });
}

export function logBoundsOf(statements: Statements): LogBounds {
  const bounds = statements.readLogBounds();
  if (bounds === undefined) throw new StoreUnavailableError('Expected one row in the table meta, found none');
  return bounds;
}

interface LinesBetween {
  readonly after: number;
  readonly upTo: number;
  readonly limit: number;
}

/** Statements that run for each request or each guild. */
export type Statements = ReturnType<typeof prepareStatements>;

/**
 * A limit as a parameter. SQLite plans a statement by the value of a bare `LIMIT ?`, and therefore prepares it again
 * for each execution; it does not evaluate an expression.
 */
const LIMIT = 'LIMIT ? + 0';

export function prepareStatements({ $client: db }: SqliteDatabase) {
  const [guild, change] = [columnsOf<GuildRow>(guilds), columnsOf<ChangeRow>(changes)];
  const readGuild = db.prepare<[GuildId], unknown[]>(`SELECT ${guild.names} FROM guilds WHERE id = ?`).raw();
  const readGuildsAfter = db
    .prepare<[number, number], unknown[]>(
      `SELECT ${guild.names} FROM guilds WHERE revision > ? ORDER BY revision ${LIMIT}`,
    )
    .raw();
  const settingsAt = Object.keys(getTableColumns(guilds)).indexOf('settings');
  const readIdsNotLeft = db
    .prepare<[GuildId, number], GuildId>(
      `SELECT id FROM guilds WHERE id > ? AND presence <> 'left' ORDER BY id ${LIMIT}`,
    )
    .pluck();
  const readLines = db.prepare<LinesBetween, FeedLineRow>(
    `SELECT revision, guild_id AS erased, NULL AS access FROM changes
       WHERE ${IS_ERASURE} AND revision > @after AND revision <= @upTo
     UNION ALL SELECT access_revision, NULL, id FROM guilds WHERE access_revision > @after AND access_revision <= @upTo
     ORDER BY 1 LIMIT @limit + 0`,
  );
  const readLogBounds = db.prepare<[], LogBounds>(
    'SELECT oldest_revision AS oldest, last_revision AS newest FROM meta',
  );
  const readHistory = Object.fromEntries(
    (['oldest-first', 'newest-first'] as const).map((order) => [
      order,
      db
        .prepare<[GuildId, number, number, number], unknown[]>(
          `SELECT ${change.names} FROM changes WHERE guild_id = ? AND revision > ? AND revision < ?
           ORDER BY revision ${order === 'oldest-first' ? 'ASC' : 'DESC'} ${LIMIT}`,
        )
        .raw(),
    ]),
  );
  const readReportedShards = db.prepare<[], ReportedShard>(
    'SELECT shard_id AS id, shard_count AS count, at FROM presence_reports',
  );
  const writeUndoneBy = db.prepare('UPDATE changes SET undone_by = ? WHERE revision = ?');
  const readNewestChange = ['revision', 'at'].map((column) =>
    db.prepare(`SELECT ${change.names} FROM changes ORDER BY ${column} DESC LIMIT 1`).raw(),
  );
  const insertGuild = db.prepare(guild.insert);
  const updateGuild = db.prepare(`UPDATE guilds SET ${guild.assigned} WHERE id = ?`);
  const writeChange = db.prepare(change.insert);
  const deleteChange = db.prepare('DELETE FROM changes WHERE revision = ?');
  const writeLastRevision = db.prepare('UPDATE meta SET last_revision = ?');
  return {
    readGuild(id: GuildId): GuildRow | undefined {
      const values = readGuild.get(id);
      return values && guild.rowOf(values);
    },
    /** Reads guilds until their settings exceed {@link PAGE_BYTES}. `isWhole`: there are no more. */
    readGuildsAfter(revision: number, limit: number) {
      const found: GuildRow[] = [];
      let bytes = 0;
      for (const values of readGuildsAfter.iterate(revision, limit)) {
        found.push(guild.rowOf(values));
        bytes += String(values[settingsAt]).length;
        if (bytes > PAGE_BYTES) return { guilds: found, isWhole: false };
      }
      return { guilds: found, isWhole: found.length < limit };
    },
    readIdsNotLeft: (after: GuildId, limit: number) => readIdsNotLeft.all(after, limit),
    readLines: (range: LinesBetween) => readLines.all(range),
    readLogBounds: () => readLogBounds.get(),
    readHistory: ({ guildId, after, before, order, limit }: HistoryRange): ChangeRow[] =>
      readHistory[order]?.all(guildId, after, before, limit).map(change.rowOf) ?? [],
    /** Reads the ends of the log and of its index by time, where the next change will be written. */
    readNewestChange() {
      for (const statement of readNewestChange) statement.get();
    },
    readReportedShards: () => readReportedShards.all(),
    insertGuild: (row: GuildRow) => void insertGuild.run(guild.valuesOf(row)),
    updateGuild: (row: GuildRow) => void updateGuild.run(guild.withoutKey(guild.valuesOf(row)), row.id),
    writeChange: (row: ChangeRow) => void writeChange.run(change.valuesOf(row)),
    deleteChange: (revision: number) => void deleteChange.run(revision),
    writeUndoneBy: (target: number, revision: number) => void writeUndoneBy.run(revision, target),
    writeLastRevision: (revision: number) => void writeLastRevision.run(revision),
  };
}

export function columnsOf<Row extends object>(table: SQLiteTable) {
  const columns = Object.entries(getTableColumns(table));
  const names = columns.map(([, { name }]) => `"${name}"`);
  const conversions = columns.map(([key, column]) => ({ key: key as keyof Row, ...conversionOf(column) }));
  return {
    names: names.join(', '),
    insert: `INSERT INTO "${getTableName(table)}" (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
    /** `column = ?` for all columns except the key: SQLite would write the index of the key again. */
    assigned: columns
      .filter(([, { primary }]) => !primary)
      .map(([, { name }]) => `"${name}" = ?`)
      .join(', '),
    withoutKey: (values: readonly unknown[]) => values.filter((_, index) => columns[index]?.[1].primary !== true),
    valuesOf(row: Row) {
      const values: unknown[] = [];
      for (const { key, encode } of conversions) {
        const value = row[key];
        values.push(encode === undefined || value === null ? value : encode(value));
      }
      return values;
    },
    rowOf(values: readonly unknown[]) {
      const row: Partial<Record<keyof Row, unknown>> = {};
      let index = 0;
      for (const { key, decode } of conversions) {
        const value = values[index++];
        row[key] = decode === undefined || value === null ? value : decode(value);
      }
      return row as Row;
    },
  };
}

/** Conversions of a column's values to the driver's values and back; undefined: not needed. */
interface Conversion {
  readonly encode: ((value: unknown) => unknown) | undefined;
  readonly decode: ((value: unknown) => unknown) | undefined;
}

function conversionOf(column: Column): Conversion {
  const { mapToDriverValue, mapFromDriverValue } = Column.prototype;
  return {
    encode: column.mapToDriverValue === mapToDriverValue ? undefined : (value) => column.mapToDriverValue(value),
    decode: column.mapFromDriverValue === mapFromDriverValue ? undefined : (value) => column.mapFromDriverValue(value),
  };
}

/**
 * Returns a function that reads a page of the feed. Guilds are read in the order of their newest revisions: a guild
 * that changes between two pages moves to the end and is read there. The log is only read for erasures, because an
 * erased guild has no row.
 */
export function prepareReadFeed(
  { $client: db }: SqliteDatabase,
  { readGuildsAfter, readLogBounds, readLines }: Statements,
): (range: FeedRange) => Omit<FeedPage, 'epoch'> {
  // Prepared once, because every event waits for it.
  return db.transaction(({ after, limit, cipher }: FeedRange) => {
    const { guilds, isWhole } = readGuildsAfter(after, limit);
    const newest = readLogBounds()?.newest ?? after;
    const lines = readLines({ after, upTo: reachOf({ guilds, isWhole, newest }), limit });
    return feedPageOf({ guilds, isWhole, lines: lines.map((line) => feedLineOf(line, cipher)), newest, limit });
  });
}

/** Guilds per step, which takes well under a millisecond. */
const STEP_GUILDS = 10;

/** Iterates over all guilds in the order of revisions, a few per step, and restarts at the end. */
export class GuildWalk {
  readonly #readGuildsAfter: Statements['readGuildsAfter'];
  #reached = 0;

  constructor({ readGuildsAfter }: Statements) {
    this.#readGuildsAfter = readGuildsAfter;
  }

  /** Returns the ids of the next guilds. After an error it returns the same guilds again. */
  next(): GuildId[] {
    const { guilds, isWhole } = this.#readGuildsAfter(this.#reached, STEP_GUILDS);
    this.#reached = isWhole ? 0 : (guilds.at(-1)?.revision ?? 0);
    return guilds.map(({ id }) => id);
  }
}

/** Number of epochs that are kept. A cursor of an older epoch cannot be resumed. */
const MAX_EPOCHS = 1_000;

interface Epoch {
  readonly epoch: string;
  /** The revision at which it began. */
  readonly since: number;
}

export function openEpochs({ $client: db }: SqliteDatabase) {
  const insert = db
    .prepare<[string], number>('INSERT INTO epochs (epoch, since) SELECT ?, last_revision FROM meta RETURNING number')
    .pluck();
  const readAll = db.prepare<[], Epoch>('SELECT epoch, since FROM epochs ORDER BY number DESC');
  const deleteOld = db.prepare<[number]>('DELETE FROM epochs WHERE number < ?');
  /** The last revision of an epoch: that at which the next one began; for the present epoch, the newest. */
  const bounds = db.prepare<[string], { readonly oldest: number; readonly last: number }>(
    `SELECT oldest_revision AS oldest, coalesce(
       (SELECT since FROM epochs AS next WHERE next.number > begun.number ORDER BY next.number LIMIT 1), last_revision
     ) AS last
     FROM epochs AS begun, meta WHERE begun.epoch = ?`,
  );
  const begin = db.transaction(() => {
    const epoch = randomUUID();
    const number = insert.get(epoch) ?? 0;
    deleteOld.run(number - MAX_EPOCHS);
    return epoch;
  });
  /** The newest first. In memory, because every guild that is read has the mark of one. */
  let known: readonly Epoch[] = [];
  return {
    /** Begins an epoch, each time a process opens the database. Returns its id. */
    begin(): string {
      const epoch = begin.immediate();
      known = readAll.all();
      return epoch;
    },
    markOf: (revision: number) => epochMark(known.find(({ since }) => since < revision)?.epoch),
    canResume({ epoch, revision }: Cursor) {
      const found = bounds.get(epoch);
      return found !== undefined && revision <= found.last && revision >= found.oldest - 1;
    },
  };
}
