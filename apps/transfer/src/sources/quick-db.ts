import { parseJson } from './parse-json.ts';
import type { Entry, UnreadableEntry } from './source.ts';
import { decodeRows, openSqliteTable } from './sqlite-table.ts';

const LAYOUTS = [{ key: 'ID', value: 'json' }];

/**
 * Reads a file of quick.db: version 9, whose tables have a primary key, or version 7, whose tables have none.
 * @throws SourceError
 */
export function* readQuickDb(path: string, table: string | undefined): Generator<Entry | UnreadableEntry> {
  const opened = openSqliteTable({ path, table, preferredTable: 'json', layouts: LAYOUTS });
  yield* decodeRows(opened, opened.isKeyed ? parseJson : parseTwice);
}

/** Decodes a value of version 7, which encodes a value twice unless it set a property of it. */
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
