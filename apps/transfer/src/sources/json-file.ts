import { Tokenizer, TokenParser } from '@streamparser/json';
import { parseNumber } from './parse-json.ts';
import { type Entry, messageOf, SourceError } from './source.ts';
import { readText } from './text-file.ts';

class LosslessTokenizer extends Tokenizer {
  // The library's type knows numbers alone, and passes on what this returns.
  override parseNumber = parseNumber as (digits: string) => number;
}

/**
 * Reads a JSON file: the members of an object, whose names are the keys, or the elements of an array.
 * @throws SourceError when the text is no JSON
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
