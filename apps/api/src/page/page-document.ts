import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { Application } from '@guild-settings/contract';
import { acceptedCoding } from '@guild-settings/runtime/http-server';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** The codings of the page and its files besides identity, the smallest first. */
export const CODINGS = ['br', 'gzip'] as const;

/** The document, and those of a login that was refused before it could fail, which name the reason in `<meta name="login">`. */
export type DocumentName = 'page' | 'limited' | 'failed';

/** Sends a document with its security headers. */
export type SendDocument = (
  request: FastifyRequest,
  reply: FastifyReply,
  which?: DocumentName,
) => Promise<FastifyReply>;

interface DocumentOptions {
  /** The folder of the built page. */
  readonly folder: string;
  /** Names and contents of `<meta>` elements; undefined: without it. */
  readonly meta: Readonly<Record<string, string | undefined>>;
  /** Returns what is known of the application: its name and icon are the page's. */
  readonly application: () => Promise<Application>;
  readonly headers: Readonly<Record<string, string>>;
}

/** The name of the page in the document, where the application's takes its place. */
const NAME = '>Guild settings<';

/**
 * Returns a function that sends the document of the page, which is the same for everybody: the page reads the session itself. The name
 * of the application, the standard `application-name`, is that of the page, also for link previews, which run no script.
 * @see https://html.spec.whatwg.org/multipage/semantics.html#meta-application-name
 */
export function pageDocument({ folder, meta, application, headers }: DocumentOptions): SendDocument {
  const source = readFileSync(join(folder, 'index.html'), 'utf8');
  const prepared = new Map<string, Promise<Prepared>>();
  return async (request, reply, which = 'page') => {
    const { id, name, icon } = await application();
    const key = JSON.stringify([which, name, icon]);
    let made = prepared.get(key);
    if (made === undefined) {
      // Names and icons change rarely.
      if (prepared.size > MAX_PREPARED) prepared.clear();
      const names = {
        'application-name': name ?? undefined,
        'application-icon': icon === null ? undefined : `${id}/${icon}`,
      };
      const login = which === 'page' ? undefined : which;
      made = prepare(source, { ...meta, ...names, login });
      prepared.set(key, made);
    }
    // A refusal has a stricter policy of its own for the referrer.
    for (const [name, value] of Object.entries(headers)) {
      if (name === 'content-security-policy' || !reply.hasHeader(name)) reply.header(name, value);
    }
    return sendPrepared(request, reply, await made);
  };
}

const MAX_PREPARED = 30;

interface Prepared {
  readonly bodies: Readonly<Record<(typeof CODINGS)[number] | 'identity', Buffer>>;
  readonly hash: string;
}

async function prepare(source: string, meta: DocumentOptions['meta']): Promise<Prepared> {
  const elements = Object.entries(meta).flatMap(([name, content]) =>
    content === undefined ? [] : [`<meta name="${name}" content="${escaped(content)}">`],
  );
  const document = source.replace('<head>', () => `<head>${elements.join('')}`);
  const name = meta['application-name'];
  const text = Buffer.from(name === undefined ? document : document.replaceAll(NAME, () => `>${escaped(name)}<`));
  const [br, gzipped] = await Promise.all([promisify(brotliCompress)(text), promisify(gzip)(text)]);
  return {
    bodies: { br, gzip: gzipped, identity: text },
    hash: createHash('sha256').update(text).digest('base64url').slice(0, 22),
  };
}

function sendPrepared(request: FastifyRequest, reply: FastifyReply, { bodies, hash }: Prepared): FastifyReply {
  const coding = acceptedCoding(request.headers['accept-encoding'], CODINGS);
  reply.header('vary', `${reply.getHeader('vary')}, Accept-Encoding`);
  // A refused request does not affect later documents.
  if (reply.statusCode === 200) {
    const tag = `"${hash}-${coding}"`;
    reply.headers({ 'cache-control': 'no-cache', etag: tag });
    if (request.headers['if-none-match'] === tag) return reply.code(304).send();
  }
  if (coding !== 'identity') reply.header('content-encoding', coding);
  return reply.type('text/html; charset=utf-8').send(bodies[coding]);
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
