import type { IncomingMessage } from 'node:http';
import { MIMEType } from 'node:util';
import { LIMITS, ProblemError } from '@guild-settings/contract';
import type { Body } from '../context.ts';

const MEDIA_TYPES = new Set(['application/json', 'application/merge-patch+json']);

/** So many bytes of an over-long body are read and thrown away, so that its sender gets to read the answer. */
const DISCARDED_BYTES = 1024 * 1024;

/** The body of a REST request, read when it is its turn, without coercing anything. */
export function jsonBody(request: IncomingMessage): Body {
  let size = 0;
  return {
    bytes: () => size,
    async fields() {
      const bytes = await readBytes(request);
      size = bytes.length;
      if (size > 0) requireMediaType(request);
      return parseObject(bytes);
    },
  };
}

function readBytes(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
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
        if (size <= LIMITS.bodyBytes) chunks.push(chunk);
        if (size <= DISCARDED_BYTES) return;
        request.pause();
        tooLarge();
      })
      .on('end', () => (size > LIMITS.bodyBytes ? tooLarge() : resolve(Buffer.concat(chunks))))
      .on('error', cutOff)
      .on('close', cutOff);
  });
}

function requireMediaType({ headers }: IncomingMessage): void {
  const coding = headers['content-encoding'] ?? 'identity';
  if (coding.toLowerCase() !== 'identity') throw new ProblemError('unsupported-media-type');
  const type = parseMediaType(headers['content-type']);
  const charset = type?.params.get('charset') ?? 'utf-8';
  if (type === undefined || !MEDIA_TYPES.has(type.essence) || !/^utf-?8$/i.test(charset)) {
    throw new ProblemError('unsupported-media-type');
  }
}

function parseMediaType(header: string | undefined): MIMEType | undefined {
  try {
    return header === undefined ? undefined : new MIMEType(header);
  } catch {
    return undefined;
  }
}

function parseObject(bytes: Buffer): object {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch (cause) {
    throw new ProblemError('invalid-body', { cause });
  }
  throw new ProblemError('invalid-body');
}
