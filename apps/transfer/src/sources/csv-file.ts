import { pipeline } from 'node:stream/promises';
import { parse } from 'csv-parse';
import { type Entry, SourceError, type UnreadableEntry } from './source.ts';
import { readText } from './text-file.ts';

const MAX_ROW_CHARACTERS = 1024 * 1024;

interface CsvRow {
  readonly record: Readonly<Record<string, string>>;
  readonly info: { readonly lines: number };
}

/**
 * Reads a CSV file whose first row has the names of the columns. An empty cell counts as absent. A row that cannot be parsed
 * is unreadable.
 * @throws SourceError
 */
export async function* readCsv(path: string, delimiter: string): AsyncGenerator<Entry | UnreadableEntry> {
  const unreadable: UnreadableEntry[] = [];
  const rows = parse({
    columns: (names: string[]) => uniqueNames(names, path),
    delimiter,
    info: true,
    trim: true,
    skip_empty_lines: true,
    max_record_size: MAX_ROW_CHARACTERS,
    skip_records_with_error: true,
    raw: true,
    on_skip: (error, raw) => {
      unreadable.push({ place: `line ${error?.lines ?? '?'}`, problem: error?.message ?? 'expected CSV', raw });
    },
  });
  // A failure of the file ends the iteration of the rows with it.
  const reading = pipeline(readText(path), rows).catch(() => {});
  for await (const { record, info } of rows as AsyncIterable<CsvRow>) {
    yield* unreadable.splice(0);
    const cells = Object.entries(record).filter(([, cell]) => cell !== '');
    yield { place: `line ${info.lines}`, value: Object.fromEntries(cells) };
  }
  await reading;
  yield* unreadable;
}

function uniqueNames(names: readonly string[], path: string): string[] {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice === undefined) return [...names];
  throw new SourceError(`Expected columns with different names in ${path}, received "${twice}" twice.`);
}
