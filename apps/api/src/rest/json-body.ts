import type { IncomingMessage } from 'node:http';
import { MIMEType } from 'node:util';
import { LIMITS, ProblemError } from '@guild-settings/contract';

const MEDIA_TYPES = new Set(['application/json', 'application/merge-patch+json']);

/** What a body was found to be: an object, or the reason why it cannot be taken. */
export type JsonBody = { readonly fields: object } | { readonly problem: ProblemError };

/**
 * Reads a PATCH body without coercing anything. It never throws for what the caller sent: what is wrong is said when it
 * is the body's turn, after credentials, path and permission.
 * @param pathParameters names that belong to the path, and so are unknown in the body
 */
export async function readJsonBody(request: IncomingMessage, pathParameters: readonly string[]): Promise<JsonBody> {
  try {
    const bytes = await readBytes(request);
    if (bytes.length > 0) requireMediaType(request);
    const fields = parseObject(bytes);
    for (const name of pathParameters) if (Object.hasOwn(fields, name)) throw unknownField(name);
    return { fields };
  } catch (error) {
    // Anything else is the connection: the client went away in mid-body, and reads no answer.
    return { problem: error instanceof ProblemError ? error : new ProblemError('invalid-body', { cause: error }) };
  }
}

async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = Number(request.headers['content-length'] ?? 0) > LIMITS.bodyBytes ? Number.POSITIVE_INFINITY : 0;
  if (size === 0) {
    // Leaving the loop must not destroy the socket that the answer still has to go through.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      size += chunk.length;
      if (size > LIMITS.bodyBytes) break;
      chunks.push(chunk);
    }
  }
  if (size > LIMITS.bodyBytes) throw new ProblemError('body-too-large');
  return Buffer.concat(chunks);
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

function unknownField(name: string): ProblemError {
  const issue = { path: [name], pointer: `/${name}`, message: `unknown field "${name}"` };
  return new ProblemError('invalid-request', { issues: [issue] });
}
