import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { acceptedCoding } from '@guild-settings/runtime/http-server';
import type { FastifyReply, FastifyRequest } from 'fastify';

export type SendPage = (request: FastifyRequest, reply: FastifyReply) => FastifyReply;

/** The codings of the page and its files besides identity, the smallest first. */
export const CODINGS = ['br', 'gzip'] as const;

/** Names and contents of `<meta>` elements; undefined: without it. */
export type PageMeta = Readonly<Record<string, string | undefined>>;

/** The name of the page in the document, where the application's takes its place. */
const NAME = '>Guild settings<';

/**
 * Reads the document of the page, adds `<meta>` elements by name to it, and compresses it. The name of the application, the
 * standard `application-name`, is that of the page, also for link previews, which run no script.
 * @see https://html.spec.whatwg.org/multipage/semantics.html#meta-application-name
 */
export async function pageDocument(file: string, meta: PageMeta): Promise<SendPage> {
  const elements = Object.entries(meta).flatMap(([name, content]) =>
    content === undefined ? [] : [`<meta name="${name}" content="${escaped(content)}">`],
  );
  const document = (await readFile(file, 'utf8')).replace('<head>', () => `<head>${elements.join('')}`);
  const name = meta['application-name'];
  const text = Buffer.from(name === undefined ? document : document.replaceAll(NAME, () => `>${escaped(name)}<`));
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
    // A refused request does not affect later documents.
    if (reply.statusCode === 200) {
      const tag = `"${hash}-${coding}"`;
      reply.headers({ 'cache-control': 'no-cache', etag: tag });
      if (request.headers['if-none-match'] === tag) return reply.code(304).send();
    }
    if (coding !== 'identity') reply.header('content-encoding', coding);
    return reply.type('text/html; charset=utf-8').send(bodies[coding]);
  };
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
