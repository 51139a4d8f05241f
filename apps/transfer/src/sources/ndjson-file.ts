import { parseJson } from './parse-json.ts';
import { type Entry, messageOf, SourceError, type UnreadableEntry } from './source.ts';
import { readText } from './text-file.ts';

const MAX_LINE_CHARACTERS = 16 * 1024 * 1024;

/**
 * Reads a file with a JSON value on each line. Empty lines are left out.
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
