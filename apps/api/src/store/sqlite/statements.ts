import type { GuildId } from '@guild-settings/contract';
import { getTableColumns, getTableName } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { ChangeRow, GuildRow } from '../rows.ts';
import type { GuildStamp } from '../store.ts';
import type { SqliteDatabase } from './database.ts';
import { changes, guilds, meta, presenceReports } from './schema.ts';

/** The statements of every request, prepared once. */
export function prepareStatements(db: SqliteDatabase) {
  return {
    ...prepareHotStatements(db),
    readMeta: db.select().from(meta).prepare(),
    reportedShards: db
      .select({ id: presenceReports.shardId, count: presenceReports.shardCount })
      .from(presenceReports)
      .prepare(),
  };
}

/** What is asked or written once a request, past what drizzle does with each column each time. */
interface HotStatements {
  readonly readGuild: (id: GuildId) => GuildRow | undefined;
  readonly readStamp: (id: GuildId) => GuildStamp | undefined;
  readonly writeGuild: (row: GuildRow) => void;
  readonly writeChange: (row: ChangeRow) => void;
  readonly writeLastRevision: (revision: number) => void;
}

function prepareHotStatements({ $client: db }: SqliteDatabase): HotStatements {
  const [guild, change] = [columnsOf<GuildRow>(guilds), columnsOf<ChangeRow>(changes)];
  const readGuild = db.prepare<[GuildId], unknown[]>(`SELECT ${guild.names} FROM guilds WHERE id = ?`).raw();
  const readStamp = db.prepare<[GuildId], GuildStamp>(
    'SELECT revision, updated_at AS updatedAt, presence FROM guilds WHERE id = ?',
  );
  const writeGuild = db.prepare(`${guild.insert} ON CONFLICT (id) DO UPDATE SET ${guild.excluded}`);
  const writeChange = db.prepare(change.insert);
  const writeLastRevision = db.prepare('UPDATE meta SET last_revision = ?');
  return {
    readGuild(id) {
      const values = readGuild.get(id);
      return values && guild.rowOf(values);
    },
    readStamp: (id) => readStamp.get(id),
    writeGuild: (row) => void writeGuild.run(guild.valuesOf(row)),
    writeChange: (row) => void writeChange.run(change.valuesOf(row)),
    writeLastRevision: (revision) => void writeLastRevision.run(revision),
  };
}

/** A table's columns by its schema, as statements of its whole rows need them. */
function columnsOf<Row extends object>(table: SQLiteTable) {
  const columns = Object.entries(getTableColumns(table));
  const names = columns.map(([, { name }]) => `"${name}"`);
  return {
    names: names.join(', '),
    insert: `INSERT INTO "${getTableName(table)}" (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
    /** `SET column = excluded.column` for all of them. */
    excluded: names.map((name) => `${name} = excluded.${name}`).join(', '),
    /** A row's values as SQLite keeps them. */
    valuesOf: (row: Row) =>
      columns.map(([key, column]) => {
        const value = row[key as keyof Row];
        return value === null ? null : column.mapToDriverValue(value);
      }),
    rowOf: (values: readonly unknown[]) =>
      Object.fromEntries(
        columns.map(([key, column], index) => [
          key,
          values[index] === null ? null : column.mapFromDriverValue(values[index]),
        ]),
      ) as Row,
  };
}
