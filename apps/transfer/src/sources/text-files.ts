import { createReadStream, existsSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { Tokenizer, TokenParser } from '@streamparser/json';
import { parse } from 'csv-parse';
import { parseJson, parseNumber } from './parse-json.ts';
import { type Entry, messageOf, SourceError, type UnreadableEntry } from './source.ts';

const MAX_ROW_CHARACTERS = 1024 * 1024;

interface CsvRow {
  readonly record: Readonly<Record<string, string>>;
  readonly info: { readonly lines: number };
}

/**
 * Reads a CSV file whose first row contains the column names. An empty cell counts as absent. A row that cannot be
 * parsed is unreadable.
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
  // A failure of the file also ends the iteration of the rows.
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

const MAX_LINE_CHARACTERS = 16 * 1024 * 1024;

/**
 * Reads a file with a JSON value per line. Empty lines are skipped.
 * @throws SourceError
 */
export async function* readNdjson(path: string): AsyncGenerator<Entry | UnreadableEntry> {
  let number = 0;
  for await (const line of linesOf(path)) {
    number += 1;
    if (line.trim() === '') continue;
    const place = `line ${number}`;
    try {
      yield { place, value: parseJson(line) };
    } catch (error) {
      yield { place, problem: `expected JSON: ${messageOf(error)}`, raw: line };
    }
  }
}

/** Without `readline`, which does not pass on errors of its input. */
async function* linesOf(path: string): AsyncGenerator<string> {
  let rest = '';
  for await (const part of readText(path)) {
    const lines = (rest + part).split(/\r?\n/);
    rest = lines.pop() ?? '';
    if (rest.length > MAX_LINE_CHARACTERS) {
      throw new SourceError(
        `Expected lines of at most ${MAX_LINE_CHARACTERS} characters in ${path}. Is it one JSON value? Use json:FILE.`,
      );
    }
    yield* lines;
  }
  if (rest !== '') yield rest;
}

class LosslessTokenizer extends Tokenizer {
  // The library's type only allows numbers, but it passes on the returned value.
  override parseNumber = parseNumber as (digits: string) => number;
}

/**
 * Reads a JSON file: the members of an object by key, or the elements of an array.
 * @throws SourceError when the text is not JSON
 */
export async function* readJson(path: string): AsyncGenerator<Entry> {
  const found: Entry[] = [];
  const tokenizer = new LosslessTokenizer();
  const parser = new TokenParser({ paths: ['$.*'], keepStack: false });
  let index = 0;
  let failure: Error | undefined;
  parser.onValue = ({ key, value }) => {
    index += 1;
    const name = typeof key === 'string' ? key : undefined;
    found.push({ place: name === undefined ? `element ${index}` : `key ${JSON.stringify(name)}`, key: name, value });
  };
  tokenizer.onToken = (token) => parser.write(token);
  const fail = (error: Error) => {
    failure ??= error;
  };
  tokenizer.onError = fail;
  parser.onError = fail;
  for await (const part of readText(path)) {
    tokenizer.write(part);
    if (failure !== undefined) break;
    yield* found.splice(0);
  }
  if (failure === undefined && !tokenizer.isEnded) tokenizer.end();
  if (failure === undefined && !parser.isEnded) parser.end();
  if (failure !== undefined)
    throw new SourceError(`Expected JSON in ${path}: ${messageOf(failure)}`, { cause: failure });
  yield* found;
}

/**
 * Reads a UTF-8 text file in parts, without its byte order mark.
 * @throws SourceError when the file does not exist, or has another encoding
 */
async function* readText(path: string): AsyncGenerator<string> {
  if (!existsSync(path)) throw new SourceError(`Expected a file, found none at ${path}.`);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const bytes of createReadStream(path)) yield decoder.decode(bytes, { stream: true });
    yield decoder.decode();
  } catch (error) {
    if (!isEncodingError(error))
      throw new SourceError(`${path} cannot be read: ${messageOf(error)}.`, { cause: error });
    throw new SourceError(
      `Expected text in UTF-8 in ${path}, received other bytes. Convert the file first: iconv does.`,
    );
  }
}

const isEncodingError = (error: unknown) =>
  error instanceof TypeError && 'code' in error && error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA';
