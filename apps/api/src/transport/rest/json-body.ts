import type { IncomingMessage } from 'node:http';
import { MIMEType } from 'node:util';
import { ProblemError } from '@guild-settings/contract';
import { BODY_MEDIA_TYPES } from '@guild-settings/contract/operations';
import { hasBody } from '@guild-settings/runtime/http-server';

/** Bytes of an oversized body that are read and discarded, so that the client can read the response. */
const DISCARDED_BYTES = 1024 * 1024;

/** Maximum nesting of arrays and objects: twice that of any operation, the deepest being an import with a history. */
const MAX_DEPTH = 16;

/**
 * Fields of the outer two levels, and elements and fields of all levels. The cost of a document grows with their
 * number, most of all with the number of fields that are examined individually. The largest export with a history has
 * fewer: including its share of an entry, a feature name takes five bytes or more of its half a megabyte.
 */
const MAX_OUTER_FIELDS = 512;
const MAX_VALUES = 150_000;

/** Characters of a Content-Type header: ten times the length of the longest accepted one. */
const MAX_MEDIA_TYPE_LENGTH = 256;

const UTF_8 = new TextDecoder('utf-8', { fatal: true });

/** Syntax bytes of JSON: in UTF-8 no other character contains them. */
const [QUOTE, BACKSLASH] = Buffer.from('"\\');
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = Buffer.from('[]{}');
const [COLON, COMMA] = Buffer.from(':,');

interface ReadOptions {
  readonly maxBytes: number;
  readonly turn?: (() => Promise<void>) | undefined;
}

/**
 * Reads the body of a REST request as a JSON object, without coercion. The media type is checked first.
 * @throws ProblemError invalid-body, body-too-large, unsupported-media-type
 */
export async function readJsonObject(request: IncomingMessage, options: ReadOptions): Promise<object> {
  if (hasBody(request)) requireMediaType(request);
  return parseObject(await readJsonText(request, options));
}

/**
 * Reads the text of a JSON body; limits its size, nesting and number of values before it is parsed.
 * @throws ProblemError body-too-large; unsupported-media-type when it is compressed; invalid-body when it is cut off,
 * not UTF-8, nested too deeply, or has too many values
 */
export async function readJsonText(request: IncomingMessage, { maxBytes, turn }: ReadOptions): Promise<string> {
  const coding = request.headers['content-encoding'] ?? 'identity';
  if (coding.toLowerCase() !== 'identity') throw new ProblemError('unsupported-media-type');
  const bytes = await readBytes(request, maxBytes);
  await turn?.();
  const detail = excessOf(bytes);
  if (detail !== undefined) throw new ProblemError('invalid-body', { detail });
  try {
    return UTF_8.decode(bytes);
  } catch (cause) {
    throw new ProblemError('invalid-body', { cause });
  }
}

function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // The client disconnected before its body was read.
    if (request.destroyed && !request.complete) return reject(new ProblemError('invalid-body'));
    const chunks: Buffer[] = [];
    let size = 0;
    const tooLarge = () => reject(new ProblemError('body-too-large'));
    // The client disconnected inside the body.
    const cutOff = (cause?: unknown) => {
      if (!request.complete) reject(new ProblemError('invalid-body', { cause }));
    };
    request
      .on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size <= maxBytes) chunks.push(chunk);
        if (size <= maxBytes + DISCARDED_BYTES) return;
        request.pause();
        tooLarge();
      })
      .on('end', () => (size > maxBytes ? tooLarge() : resolve(Buffer.concat(chunks))))
      .on('error', cutOff)
      .on('close', cutOff);
  });
}

/** Returns the limit that a JSON text exceeds; undefined: none. One pass, ignoring the content of strings. */
function excessOf(bytes: Buffer): string | undefined {
  let depth = 0;
  let outerFields = 0;
  let values = 0;
  let isInString = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (isInString) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) isInString = false;
    } else if (byte === QUOTE) isInString = true;
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) depth += 1;
    else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth -= 1;
    else if (byte === COMMA) values += 1;
    else if (byte === COLON && depth <= 2) outerFields += 1;
    if (depth > MAX_DEPTH) return `Expected JSON nested at most ${MAX_DEPTH} levels deep.`;
    if (outerFields > MAX_OUTER_FIELDS) return `Expected at most ${MAX_OUTER_FIELDS} fields in the outer two objects.`;
    if (values > MAX_VALUES) return `Expected at most ${MAX_VALUES} values.`;
  }
  return undefined;
}

function requireMediaType({ headers }: IncomingMessage): void {
  const header = headers['content-type'];
  // Most requests have a type without parameters, which need not be parsed.
  if (header !== undefined && BODY_MEDIA_TYPES.includes(header)) return;
  const type = parseMediaType(header);
  const charset = type?.params.get('charset') ?? 'utf-8';
  if (type === undefined || !BODY_MEDIA_TYPES.includes(type.essence) || !/^utf-?8$/i.test(charset)) {
    throw new ProblemError('unsupported-media-type');
  }
}

function parseMediaType(header: string | undefined): MIMEType | undefined {
  // The time of MIMEType grows with the square of the number of spaces.
  if (header === undefined || header.length > MAX_MEDIA_TYPE_LENGTH) return undefined;
  try {
    return new MIMEType(header);
  } catch {
    return undefined;
  }
}

function parseObject(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch (cause) {
    throw new ProblemError('invalid-body', { cause });
  }
  throw new ProblemError('invalid-body');
}
