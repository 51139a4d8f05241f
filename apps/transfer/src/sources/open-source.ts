import { readCsv } from './csv-file.ts';
import { readEnmap } from './enmap.ts';
import { readJson } from './json-file.ts';
import { readKeyv } from './keyv.ts';
import { readNdjson } from './ndjson-file.ts';
import { readQuickDb } from './quick-db.ts';
import type { Entries } from './source.ts';

export const SOURCE_KINDS = ['keyv', 'quick.db', 'enmap', 'json', 'ndjson', 'csv'] as const;
export type SourceKind = (typeof SOURCE_KINDS)[number];

export interface SourceFile {
  readonly kind: SourceKind;
  readonly path: string;
}

export interface OpenSourceOptions extends SourceFile {
  readonly table: string | undefined;
  readonly delimiter: string;
}

/** A key-value store keeps one value for each key, the latest; in another file two rows for one guild contradict each other. */
export function isKeyValueStore(kind: SourceKind): boolean {
  return kind === 'keyv' || kind === 'quick.db' || kind === 'enmap';
}

/** Returns the rows of a file. Nothing is read before the first row is. */
export function openSource({ kind, path, table, delimiter }: OpenSourceOptions): Entries {
  switch (kind) {
    case 'keyv':
      return readKeyv(path, table);
    case 'quick.db':
      return readQuickDb(path, table);
    case 'enmap':
      return readEnmap(path, table);
    case 'json':
      return readJson(path);
    case 'ndjson':
      return readNdjson(path);
    case 'csv':
      return readCsv(path, delimiter);
  }
}
