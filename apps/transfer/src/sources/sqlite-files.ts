import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { parse } from 'better-serialize';
import Database from 'better-sqlite3';
import { z } from 'zod';
import { parseJson } from './parse-json.ts';
import { type Entry, messageOf, SourceError, type UnreadableEntry } from './source.ts';

/** The tables of Keyv's adapters for SQLite: @keyv/sqlite from version 6, up to version 5, and @resolid/keyv-sqlite. */
const KEYV_LAYOUTS = [
  { key: 'key', value: 'value', namespace: 'namespace' },
  { key: 'key', value: 'value' },
  { key: 'cacheKey', value: 'cacheData' },
];

const KeyvValue = z.object({ value: z.unknown(), expires: z.number().nullish() });

/**
 * Reads a file of Keyv. Keys begin with their namespace: `keyv:197038439483310086`. Expired values are skipped, like in
 * Keyv.
 * @throws SourceError
 */
export function* readKeyv(path: string, table: string | undefined): Generator<Entry | UnreadableEntry> {
  for (const entry of readTable({ path, table, preferredTable: 'keyv', layouts: KEYV_LAYOUTS }, decodeKeyv)) {
    if ('problem' in entry) yield entry;
    else if ((entry.value.expires ?? Number.POSITIVE_INFINITY) >= Date.now())
      yield { ...entry, value: entry.value.value };
  }
}

function decodeKeyv(text: string): z.infer<typeof KeyvValue> {
  const { data } = KeyvValue.safeParse(parseJson(text, reviveText));
  if (data === undefined) throw new TypeError('expected a value of Keyv, such as {"value":"!"}, received other JSON');
  return data;
}

/** Removes the colon that Keyv adds to a text that begins with one; if `base64:` follows, the text is binary data. */
function reviveText(_key: string, value: unknown): unknown {
  return typeof value === 'string' && value.startsWith(':') && !value.startsWith(':base64:') ? value.slice(1) : value;
}

/**
 * Reads a file of quick.db: version 9, whose tables have a primary key, or version 7, whose tables have none.
 * @throws SourceError
 */
export function readQuickDb(path: string, table: string | undefined): Generator<Entry | UnreadableEntry> {
  const options = { path, table, preferredTable: 'json', layouts: [{ key: 'ID', value: 'json' }] };
  return readTable(options, (text, isKeyed) => (isKeyed ? parseJson(text) : parseTwice(text)));
}

/** Decodes a value of version 7, which encodes a value twice unless it has set a property of it. */
function parseTwice(text: string): unknown {
  const once = parseJson(text);
  // The digits of an id, which version 9 has written to this table.
  if (typeof once !== 'string' || /^\d+$/.test(once)) return once;
  try {
    return parseJson(once);
  } catch {
    return once;
  }
}

/**
 * Reads a file of Enmap: version 6, or versions 4 and 5.
 * @throws SourceError
 */
export function readEnmap(path: string, table: string | undefined): Generator<Entry | UnreadableEntry> {
  return readTable({ path, table, layouts: [{ key: 'key', value: 'value' }] }, decodeEnmap);
}

/** A value of version 6 with its type: an object, a text, a number, and others up to a set. */
const TYPED = /^\{"t":\d{1,2}[,}]/;

function decodeEnmap(text: string): unknown {
  if (TYPED.test(text)) return plain(parse(text));
  try {
    return parseJson(text);
  } catch (error) {
    // Version 5 writes undefined, dates, maps and functions as JavaScript, and evaluates it.
    throw new TypeError('expected JSON, received JavaScript, which is not evaluated', { cause: error });
  }
}

/** Returns a value without types that JSON lacks. */
function plain(value: unknown): unknown {
  if (value instanceof Map) return plain(Object.fromEntries(value));
  if (value instanceof Set) return plain([...value]);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value === 'bigint' || value instanceof RegExp) return String(value);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plain(member)]));
}

interface TableColumns {
  readonly key: string;
  readonly value: string;
  readonly namespace?: string;
}

interface TableOptions {
  readonly path: string;
  readonly table: string | undefined;
  readonly preferredTable?: string;
  /** The columns that tables of this store may have: the first existing layout is used. */
  readonly layouts: readonly TableColumns[];
}

interface FoundTable {
  readonly name: string;
  readonly columns: TableColumns;
  /** True: the key is the primary key. */
  readonly isKeyed: boolean;
}

/**
 * Reads the rows of a table, and closes the file at the end. A row whose value is not a text, or cannot be decoded, is
 * unreadable.
 * @throws SourceError
 */
function* readTable<Value>(
  options: TableOptions,
  decode: (text: string, isKeyed: boolean) => Value,
): Generator<Entry<Value> | UnreadableEntry> {
  const db = openForReading(options.path);
  try {
    const table = chooseTable(tablesOf(db, options.layouts), options);
    for (const { key, value } of rowsOf(db, table)) {
      const place = `key ${JSON.stringify(key)}`;
      try {
        if (typeof value !== 'string') throw new TypeError('expected text in the file, received another SQLite type');
        yield { place, key, value: decode(value, table.isKeyed) };
      } catch (error) {
        yield { place, key, problem: messageOf(error), raw: Buffer.isBuffer(value) ? value.toString('base64') : value };
      }
    }
  } finally {
    db.close();
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

/** The header byte with the read version: https://www.sqlite.org/fileformat.html#file_format_version_numbers */
const READ_VERSION = { offset: 19, wal: 2 };

/**
 * Returns true if a file is in WAL mode and not open in any process. Only a connection that may write removes the files
 * that SQLite creates beside it.
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

/** Internal tables of SQLite and Enmap. */
const INTERNAL = /^(sqlite_|internal::)/;

function tablesOf(db: Database.Database, layouts: readonly TableColumns[]): FoundTable[] {
  const names = db.prepare<[], string>("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").pluck();
  const own = names.all().filter((name) => !INTERNAL.test(name));
  return own.flatMap((name) => {
    // `pk` is the position in the primary key, from 1; 0: not in it.
    const all = db.prepare<[], { name: string; pk: number }>(`PRAGMA table_info(${quoted(name)})`).all();
    const columns = layouts.find((one) => Object.values(one).every((column) => all.some((it) => it.name === column)));
    if (columns === undefined) return [];
    const primary = all.filter(({ pk }) => pk > 0);
    return [{ name, columns, isKeyed: primary.length === 1 && primary[0]?.name === columns.key }];
  });
}

function chooseTable(tables: readonly FoundTable[], { path, table, preferredTable }: TableOptions): FoundTable {
  const names = tables.map(({ name }) => name).join(', ');
  const [only, ...others] = tables;
  if (only === undefined) throw new SourceError(`Expected a table of this kind of store in ${path}, found none.`);
  const chosen = tables.find(({ name }) => name === (table ?? preferredTable));
  if (chosen !== undefined) return chosen;
  if (table !== undefined) {
    throw new SourceError(`Expected one of the tables of ${path} for --table (${names}), received "${table}".`);
  }
  if (others.length === 0) return only;
  throw new SourceError(`Expected --table, because ${path} has several tables: ${names}.`);
}

/** Rows per read. The file is not locked between two reads, so that a bot can write to it. */
const PAGE_ROWS = 1_000;

interface SqliteRow {
  readonly position: string | number;
  readonly namespace: string;
  readonly key: string;
  /** Not decoded yet. */
  readonly value: unknown;
}

/**
 * Reads in the order of the key if it is unique, because a store that replaces a row gives it a new rowid. Keys begin
 * with their namespace: `namespace:key`.
 */
function* rowsOf(db: Database.Database, { name, columns, isKeyed }: FoundTable) {
  const position = isKeyed ? quoted(columns.key) : 'rowid';
  const namespace = columns.namespace === undefined ? "''" : quoted(columns.namespace);
  const page = db.prepare<[string | number, number], SqliteRow>(
    `SELECT ${position} AS position, ${quoted(columns.key)} AS key, ${quoted(columns.value)} AS value,
       ${namespace} AS namespace
     FROM ${quoted(name)} WHERE ${position} > ? ORDER BY ${position} LIMIT ?`,
  );
  let last: string | number | undefined = isKeyed ? '' : Number.MIN_SAFE_INTEGER;
  while (last !== undefined) {
    const rows: SqliteRow[] = page.all(last, PAGE_ROWS);
    for (const { key, value, namespace } of rows) {
      yield { key: namespace === '' ? String(key) : `${namespace}:${key}`, value };
    }
    last = rows.length < PAGE_ROWS ? undefined : rows.at(-1)?.position;
  }
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
