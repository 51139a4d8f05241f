import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { acceptedCoding } from '@guild-settings/runtime/http-server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { inParts } from './responses.ts';

export const CACHING = {
  /** For a URL that contains the hash of its content, which therefore never changes. */
  immutable: 'public, max-age=31536000, immutable',
  /** For a URL whose content may change: revalidated by its entity tag. */
  revalidated: 'private, no-cache',
} as const;

/** Content that is the same for every request: read, compressed and hashed once. */
export interface StaticContent {
  readonly body: Buffer;
  readonly gzipped: Buffer | undefined;
  /** The part of the entity tag that does not depend on the encoding. */
  readonly hash: string;
  readonly headers: Readonly<Record<string, string>>;
}

const compress = promisify(gzip);

/** Maximum characters of If-None-Match. A longer header is ignored. */
const MAX_HEADER_LENGTH = 1_024;

/** The connection is closed after larger content. */
const LARGE_BYTES = 256 * 1024;

/** Prepares content; it is compressed on another thread. */
export async function staticContent(
  body: Buffer | string,
  headers: { readonly 'content-type': string; readonly 'cache-control': string } & Readonly<Record<string, string>>,
): Promise<StaticContent> {
  const bytes = Buffer.from(body);
  const gzipped = await compress(bytes);
  return {
    body: bytes,
    gzipped: gzipped.length < bytes.length ? gzipped : undefined,
    hash: hash('sha256', bytes, 'base64url').slice(0, 16),
    headers,
  };
}

/** Sends prepared content, or 304 if the client already has it. All responses share one buffer. */
export function sendStatic(request: FastifyRequest, reply: FastifyReply, content: StaticContent): FastifyReply {
  const { 'accept-encoding': accepted, 'if-none-match': known = '' } = request.headers;
  const encoded = acceptedCoding(accepted, ['gzip']) === 'gzip' ? content.gzipped : undefined;
  const etag = encoded === undefined ? `"${content.hash}"` : `"${content.hash}-gzip"`;
  reply.headers({ ...content.headers, etag, vary: `${reply.getHeader('vary')}, Accept-Encoding` });
  // Clients cannot have the content of an error response.
  if (reply.statusCode === 200 && hasTag(known, etag)) return reply.code(304).send();
  const body = encoded ?? content.body;
  if (encoded !== undefined) reply.header('content-encoding', 'gzip');
  if (body.length <= LARGE_BYTES) return reply.send(body);
  reply.headers({ 'content-length': body.length, connection: 'close' });
  // For HEAD, Fastify takes the Content-Length from the payload without sending it.
  return reply.send(request.method === 'HEAD' ? body : inParts(body));
}

/** Returns true if an If-None-Match header contains a tag, by weak comparison: a proxy may have weakened the tag. */
function hasTag(header: string, etag: string): boolean {
  const tags = header.length > MAX_HEADER_LENGTH ? [] : header.split(',').map((tag) => tag.trim());
  return tags.some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag);
}

/**
 * Returns a function that calls `make` once and then returns the same promise. After a failure, `make` is called again.
 */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

/**
 * States that a page has no icon. Without it browsers request /favicon.ico, and log an error for the 404. A content
 * security policy must allow `img-src data:`.
 */
export const NO_ICON = '<link rel="icon" href="data:,">';
