import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import { ProblemError } from '@guild-settings/contract';
import { acceptedCoding } from '@guild-settings/runtime/http-server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { PACKAGE_FOLDER } from '../../package-folder.ts';
import type { Clock } from '../clock.ts';
import { followIdentity } from './identity.ts';
import { CODINGS, type PageMeta, pageDocument, type SendPage } from './page-document.ts';
import { preloadLinks } from './preload-links.ts';
import { sendProblem } from './problems.ts';
import type { ServiceRequests } from './service-requests.ts';

const PAGE_FOLDER = fileURLToPath(new URL('dist/page', PACKAGE_FOLDER));

const NOT_FOUND = 'This address or this method does not exist. Pages are sent to clients that accept text/html.';

interface PageOptions {
  readonly imageOrigin: string;
  /** The links of the operator to support and to the privacy policy; absent: not configured. */
  readonly links: { readonly support?: string | undefined; readonly privacy?: string | undefined };
  readonly service: ServiceRequests;
  readonly clock: Clock;
  readonly hasSession: (request: FastifyRequest) => boolean;
}

/** The reason why a login was refused before it could fail, as the document names it. */
export type LoginRefusal = 'limited' | 'failed';

/** The page, for routes that lead people. */
export interface MountedPage {
  /** Sends the page of the login to a browser that is refused. It names the reason in `<meta name="login">`. */
  sendRefusal(refusal: LoginRefusal, request: FastifyRequest, reply: FastifyReply): FastifyReply;
}

/** Returns true if a browser opens an address to show it. */
export function isOpened({ method, headers }: FastifyRequest): boolean {
  return (method === 'GET' || method === 'HEAD') && (headers.accept ?? '').includes('text/html');
}

const PAGE_PATH = /^\/(?:guilds\/\d{1,20}(?:\/.*)?)?$/;

/**
 * Returns true if a program that accepts anything, such as a link preview or an uptime check, reads a page of the
 * router.
 */
function isRead({ method, url, headers: { accept = '*/*' } }: FastifyRequest): boolean {
  const [path = '/'] = url.split('?', 1);
  return (method === 'GET' || method === 'HEAD') && /(?:text|\*)\/\*/.test(accept) && PAGE_PATH.test(path);
}

/**
 * Serves the built page: files below /assets, whose names change with their content, and `index.html` at every other address
 * that a browser opens; at those of pages also for programs that accept anything. The page reads the session itself, so that the
 * document is the same for everybody: it has the name and the icon of the bot. A header names what the page will load.
 */
export async function mountPage(app: FastifyInstance, options: PageOptions): Promise<MountedPage> {
  const { imageOrigin, links, hasSession, service, clock } = options;
  if (!existsSync(PAGE_FOLDER)) throw new Error(`The page is not built: expected files in ${PAGE_FOLDER}`);
  await app.register(mountFiles);
  const file = join(PAGE_FOLDER, 'index.html');
  const documentsWith = async (meta: PageMeta) => ({
    page: await pageDocument(file, meta),
    limited: await pageDocument(file, { ...meta, login: 'limited' }),
    failed: await pageDocument(file, { ...meta, login: 'failed' }),
  });
  const meta = { cdn: imageOrigin, support: links.support, privacy: links.privacy };
  let documents = await documentsWith(meta);
  const identity = followIdentity({
    service,
    clock,
    async onChange({ id, name, icon }) {
      const names = {
        'application-name': name ?? undefined,
        'application-icon': icon === null ? undefined : `${id}/${icon}`,
      };
      documents = await documentsWith({ ...meta, ...names });
    },
  });
  app.addHook('onClose', async () => identity.close());
  const send =
    (which: keyof typeof documents): SendPage =>
    (request, reply) => {
      identity.refresh();
      return documents[which](request, reply);
    };
  const linksOf = preloadLinks(PAGE_FOLDER);
  const linkTo = ({ url, headers }: FastifyRequest, isLoggedIn: boolean) => {
    const [path = '/'] = url.split('?', 1);
    return linksOf({ path, isLoggedIn, languages: headers['accept-language'] ?? '' });
  };
  app.setNotFoundHandler((request, reply) => {
    if (!isOpened(request) && !isRead(request))
      return sendProblem(request, reply, new ProblemError('not-found', { detail: NOT_FOUND }));
    return send('page')(request, reply.header('link', linkTo(request, hasSession(request))));
  });
  return {
    sendRefusal(refusal, request, reply) {
      // The address of the page may have a code, which its requests would send as Referer.
      const headers = { link: linkTo(request, false), vary: 'accept', 'referrer-policy': 'strict-origin' };
      return send(refusal)(request, reply.headers(headers));
    },
  };
}

async function mountFiles(app: FastifyInstance): Promise<void> {
  app.addHook('onRequest', (request, _reply, done) => {
    // The plugin takes `*` for gzip, and any coding rather than identity.
    request.headers = { 'accept-encoding': acceptedCoding(request.headers['accept-encoding'], CODINGS) };
    done();
  });
  await app.register(fastifyStatic, {
    root: PAGE_FOLDER,
    wildcard: false,
    index: false,
    globIgnore: ['.vite/**', 'index.html', '**/*.{br,gz}'],
    // The build has compressed them.
    preCompressed: true,
    cacheControl: false,
    setHeaders: (response, path) => {
      const isHashed = path.startsWith(`${PAGE_FOLDER}/assets/`);
      response.setHeader('vary', 'accept-encoding');
      response.setHeader('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
}
