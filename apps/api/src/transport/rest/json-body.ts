import type { IncomingMessage } from 'node:http';
import { MIMEType } from 'node:util';
import { LIMITS, ProblemError } from '@guild-settings/contract';
import type { Body } from '../../operations/call.ts';
import { readJsonText } from './request-body.ts';

/** Characters of a Content-Type header: ten times what the longest accepted one has. */
const MAX_MEDIA_TYPE_LENGTH = 256;

const MEDIA_TYPES = new Set(['application/json', 'application/merge-patch+json']);

/** The body of a REST request, read when it is its turn, without coercing anything. */
export function jsonBody(request: IncomingMessage): Body {
  return {
    async fields() {
      const text = await readJsonText(request, LIMITS.bodyBytes);
      if (text !== '') requireMediaType(request);
      return parseObject(text);
    },
  };
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
  // MIMEType takes a time that grows with the square of a header's spaces.
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
