import type { IncomingMessage } from 'node:http';
import { ProblemError } from '@guild-settings/contract';

/** So many bytes of an over-long body are read and discarded, so that its sender can read the response. */
const DISCARDED_BYTES = 1024 * 1024;

/** Arrays and objects within one another: nothing that an operation accepts is nested deeper than half of this. */
const MAX_DEPTH = 8;

/** Bytes of JSON's syntax: in UTF-8 no other character contains them. */
const [QUOTE, BACKSLASH] = Buffer.from('"\\');
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = Buffer.from('[]{}');

/**
 * Reads the text of a JSON body, whose size and nesting are bounded before it is parsed.
 * @param maxBytes bytes of the body
 * @throws ProblemError body-too-large; invalid-body when it is cut off, not UTF-8, or nested too deeply
 */
export async function readJsonText(request: IncomingMessage, maxBytes: number): Promise<string> {
  const bytes = await readBytes(request, maxBytes);
  if (isNestedDeeper(bytes, MAX_DEPTH)) {
    throw new ProblemError('invalid-body', { detail: `Expected JSON nested at most ${MAX_DEPTH} levels deep.` });
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new ProblemError('invalid-body', { cause });
  }
}

function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // The client went away before its body was wanted.
    if (request.destroyed && !request.complete) return reject(new ProblemError('invalid-body'));
    const chunks: Buffer[] = [];
    let size = 0;
    const tooLarge = () => reject(new ProblemError('body-too-large'));
    // The client went away in mid-body, and reads no answer.
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

/** Whether JSON nests its arrays and objects deeper than a limit. One pass; brackets within strings do not count. */
function isNestedDeeper(bytes: Buffer, limit: number): boolean {
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (isInString) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) isInString = false;
    } else if (byte === QUOTE) isInString = true;
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) depth += 1;
    else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth -= 1;
    if (depth > limit) return true;
  }
  return false;
}
