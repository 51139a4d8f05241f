import { parse } from 'better-serialize';
import { parseJson } from './parse-json.ts';
import type { Entry, UnreadableEntry } from './source.ts';
import { decodeRows, openSqliteTable } from './sqlite-table.ts';

const LAYOUTS = [{ key: 'key', value: 'value' }];

/** The value of version 6, with its type: an object, a text, a number, and so on up to a set. */
const TYPED = /^\{"t":\d{1,2}[,}]/;

/**
 * Reads a file of Enmap: version 6, or versions 4 and 5.
 * @throws SourceError
 */
export function* readEnmap(path: string, table: string | undefined): Generator<Entry | UnreadableEntry> {
  yield* decodeRows(openSqliteTable({ path, table, layouts: LAYOUTS }), decode);
}

function decode(text: string): unknown {
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
