import type { Entries } from './source.ts';
import { readEnmap, readKeyv, readQuickDb } from './sqlite-files.ts';
import { readCsv, readJson, readNdjson } from './text-files.ts';

interface ReadOptions {
  readonly path: string;
  readonly table: string | undefined;
  readonly delimiter: string;
}

const READERS = {
  keyv: ({ path, table }) => readKeyv(path, table),
  'quick.db': ({ path, table }) => readQuickDb(path, table),
  enmap: ({ path, table }) => readEnmap(path, table),
  json: ({ path }) => readJson(path),
  ndjson: ({ path }) => readNdjson(path),
  csv: ({ path, delimiter }) => readCsv(path, delimiter),
} satisfies Record<string, (options: ReadOptions) => Entries>;

export type SourceKind = keyof typeof READERS;
export const SOURCE_KINDS = Object.keys(READERS) as readonly SourceKind[];

export interface SourceFile {
  readonly kind: SourceKind;
  readonly path: string;
}

/**
 * A key-value store keeps only the latest value per key; in other files two rows of one guild contradict each other.
 */
export function isKeyValueStore(kind: SourceKind): boolean {
  return kind === 'keyv' || kind === 'quick.db' || kind === 'enmap';
}

/** Returns the rows of a file, which is opened when the first row is read. */
export function openSource({ kind, ...options }: SourceFile & ReadOptions): Entries {
  return READERS[kind](options);
}
