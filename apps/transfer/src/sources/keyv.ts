import { z } from 'zod';
import { parseJson } from './parse-json.ts';
import type { Entry, UnreadableEntry } from './source.ts';
import { decodeRows, openSqliteTable } from './sqlite-table.ts';

/** The tables of Keyv's adapters for SQLite: @keyv/sqlite from version 6, up to version 5, and @resolid/keyv-sqlite. */
const LAYOUTS = [
  { key: 'key', value: 'value', namespace: 'namespace' },
  { key: 'key', value: 'value' },
  { key: 'cacheKey', value: 'cacheData' },
];

const Kept = z.object({ value: z.unknown(), expires: z.number().nullish() });

/**
 * Reads a file of Keyv. Keys begin with their namespace: `keyv:197038439483310086`. Values that have expired are left out,
 * as Keyv leaves them out.
 * @throws SourceError
 */
export function* readKeyv(path: string, table: string | undefined): Generator<Entry | UnreadableEntry> {
  const opened = openSqliteTable({ path, table, preferredTable: 'keyv', layouts: LAYOUTS });
  for (const entry of decodeRows(opened, decode)) {
    if ('problem' in entry) yield entry;
    else if ((entry.value.expires ?? Number.POSITIVE_INFINITY) >= Date.now())
      yield { ...entry, value: entry.value.value };
  }
}

function decode(text: string): z.infer<typeof Kept> {
  const { data } = Kept.safeParse(parseJson(text, reviveText));
  if (data === undefined) throw new TypeError('expected a value of Keyv, such as {"value":"!"}, received other JSON');
  return data;
}

/** Removes the colon that Keyv puts before a text that begins with one; such a text is bytes when `base64:` follows. */
function reviveText(_key: string, value: unknown): unknown {
  return typeof value === 'string' && value.startsWith(':') && !value.startsWith(':base64:') ? value.slice(1) : value;
}
