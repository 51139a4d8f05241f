import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { acceptedCoding } from '@guild-settings/runtime/http-server';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Sends the document of the page. */
export type SendPage = (request: FastifyRequest, reply: FastifyReply) => FastifyReply;

/** The codings of the page and its files besides identity, the smallest first. */
export const CODINGS = ['br', 'gzip'] as const;

/**
 * Reads the document of the page, adds `<meta>` elements by name to it, and compresses it.
 * @param meta names and contents, without characters that HTML gives a meaning
 */
export async function pageDocument(file: string, meta: Readonly<Record<string, string>>): Promise<SendPage> {
  const elements = Object.entries(meta).map(([name, content]) => `<meta name="${name}" content="${content}">`);
  const text = Buffer.from((await readFile(file, 'utf8')).replace('<head>', () => `<head>${elements.join('')}`));
  const bodies = {
    br: await promisify(brotliCompress)(text),
    gzip: await promisify(gzip)(text),
    identity: text,
  };
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, 22);

  return (request, reply) => {
    const coding = acceptedCoding(request.headers['accept-encoding'], CODINGS);
    const vary = [reply.getHeader('vary'), 'accept-encoding'].flat().filter((name) => name !== undefined);
    reply.header('vary', vary.join(', '));
    // What refuses a request is of that request alone.
    if (reply.statusCode === 200) {
      const tag = `"${hash}-${coding}"`;
      reply.headers({ 'cache-control': 'no-cache', etag: tag });
      if (request.headers['if-none-match'] === tag) return reply.code(304).send();
    }
    if (coding !== 'identity') reply.header('content-encoding', coding);
    return reply.type('text/html; charset=utf-8').send(bodies[coding]);
  };
}
