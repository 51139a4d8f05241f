import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import Database from 'better-sqlite3';
import { type Entry, messageOf, SourceError, type UnreadableEntry } from './source.ts';

export interface TableColumns {
  readonly key: string;
  readonly value: string;
  readonly namespace?: string;
}

/** A SQLite file, and how to choose its table. */
export interface SqliteOptions {
  readonly path: string;
  readonly table: string | undefined;
  readonly preferredTable?: string | undefined;
  /** The columns that tables of this store may have: the first that a table has are used. */
  readonly layouts: readonly TableColumns[];
}

export interface SqliteTable {
  readonly name: string;
  readonly isKeyed: boolean;
  /** Reads the rows, and closes the file at the end. Keys begin with their namespace: `namespace:key`. */
  rows(): Generator<SqliteRow>;
}

/** A row of a key-value store, whose value is not decoded yet. */
export interface SqliteRow {
  readonly key: string;
  readonly value: unknown;
}

/** Rows read at once. The file is not locked between two reads, so that a bot can write to it. */
const PAGE_ROWS = 1_000;

/** Tables in which SQLite and Enmap keep what is theirs. */
const INTERNAL = /^(sqlite_|internal::)/;

interface FoundTable {
  readonly name: string;
  readonly columns: TableColumns;
  readonly isKeyed: boolean;
}

/**
 * Opens a SQLite file for reading and chooses a table of it.
 * @throws SourceError
 */
export function openSqliteTable({ path, table, preferredTable, layouts }: SqliteOptions): SqliteTable {
  const db = openForReading(path);
  try {
    const found = chooseTable(tablesOf(db, layouts), { path, table, preferredTable });
    return { name: found.name, isKeyed: found.isKeyed, rows: () => rowsOf(db, found) };
  } catch (error) {
    db.close();
    throw error;
  }
}

function openForReading(path: string): Database.Database {
  if (!existsSync(path)) throw new SourceError(`Expected a SQLite file, found no file at ${path}.`);
  let db: Database.Database | undefined;
  try {
    db = new Database(path, { readonly: !isIdleWal(path) });
    db.pragma('query_only = ON');
    db.prepare('SELECT count(*) FROM sqlite_master').get();
    return db;
  } catch (error) {
    db?.close();
    throw new SourceError(`Expected a SQLite file at ${path} that can be read: ${messageOf(error)}.`, { cause: error });
  }
}

/** The byte of the header that says how the file is read: https://www.sqlite.org/fileformat.html#file_format_version_numbers */
const READ_VERSION = { offset: 19, wal: 2 };

/**
 * Returns true if a file is in WAL mode, and no process has it open. Only a connection that may write removes the files
 * that SQLite then makes beside it.
 */
function isIdleWal(path: string): boolean {
  if (existsSync(`${path}-wal`)) return false;
  const file = openSync(path, 'r');
  try {
    const header = Buffer.alloc(1);
    readSync(file, header, 0, 1, READ_VERSION.offset);
    return header[0] === READ_VERSION.wal;
  } finally {
    closeSync(file);
  }
}

function tablesOf(db: Database.Database, layouts: readonly TableColumns[]): FoundTable[] {
  const names = db.prepare<[], string>("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").pluck();
  const own = names.all().filter((name) => !INTERNAL.test(name));
  return own.flatMap((name) => {
    const all = db.prepare<[], ColumnInfo>(`PRAGMA table_info(${quoted(name)})`).all();
    const columns = layouts.find((one) => Object.values(one).every((column) => all.some((it) => it.name === column)));
    if (columns === undefined) return [];
    const primary = all.filter(({ pk }) => pk > 0);
    return [{ name, columns, isKeyed: primary.length === 1 && primary[0]?.name === columns.key }];
  });
}

interface ColumnInfo {
  readonly name: string;
  /** The place in the primary key, from 1; 0: not in it. */
  readonly pk: number;
}

function chooseTable(
  tables: readonly FoundTable[],
  { path, table, preferredTable }: Pick<SqliteOptions, 'path' | 'table' | 'preferredTable'>,
): FoundTable {
  const names = tables.map(({ name }) => name).join(', ');
  if (tables.length === 0) throw new SourceError(`Expected a table of this kind of store in ${path}, found none.`);
  const chosen = tables.find(({ name }) => name === (table ?? preferredTable));
  if (chosen !== undefined) return chosen;
  if (table !== undefined) {
    throw new SourceError(`Expected one of the tables of ${path} for --table (${names}), received "${table}".`);
  }
  const [only, ...others] = tables;
  if (only !== undefined && others.length === 0) return only;
  throw new SourceError(`Expected --table, because ${path} has several tables: ${names}.`);
}

interface PagedRow extends SqliteRow {
  readonly position: string | number;
  readonly namespace: string;
}

/** Reads in the order of the key where it is unique, because a store that replaces a row gives it a new rowid. */
function* rowsOf(db: Database.Database, { name, columns, isKeyed }: FoundTable): Generator<SqliteRow> {
  const position = isKeyed ? quoted(columns.key) : 'rowid';
  const namespace = columns.namespace === undefined ? "''" : quoted(columns.namespace);
  const page = db.prepare<[string | number, number], PagedRow>(
    `SELECT ${position} AS position, ${quoted(columns.key)} AS key, ${quoted(columns.value)} AS value,
       ${namespace} AS namespace
     FROM ${quoted(name)} WHERE ${position} > ? ORDER BY ${position} LIMIT ?`,
  );
  try {
    let last: string | number | undefined = isKeyed ? '' : Number.MIN_SAFE_INTEGER;
    while (last !== undefined) {
      const rows: PagedRow[] = page.all(last, PAGE_ROWS);
      for (const { key, value, namespace } of rows) {
        yield { key: namespace === '' ? String(key) : `${namespace}:${key}`, value };
      }
      last = rows.length < PAGE_ROWS ? undefined : rows.at(-1)?.position;
    }
  } finally {
    db.close();
  }
}

/** Decodes the value of each row. A row whose value is no text, or cannot be decoded, is unreadable. */
export function* decodeRows<Value>(
  table: SqliteTable,
  decode: (text: string) => Value,
): Generator<Entry<Value> | UnreadableEntry> {
  for (const { key, value } of table.rows()) {
    const place = `key ${JSON.stringify(key)}`;
    try {
      if (typeof value !== 'string') throw new TypeError('expected text in the file, received another SQLite type');
      yield { place, key, value: decode(value) };
    } catch (error) {
      yield { place, key, problem: messageOf(error), raw: Buffer.isBuffer(value) ? value.toString('base64') : value };
    }
  }
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
