import { createReadStream, existsSync } from 'node:fs';
import { messageOf, SourceError } from './source.ts';

/**
 * Reads a file of text in UTF-8, in parts. A mark at its start is left out.
 * @throws SourceError when there is no such file, or it has another encoding
 */
export async function* readText(path: string): AsyncGenerator<string> {
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
