import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import { ProblemError } from '@guild-settings/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { PACKAGE_FOLDER } from '../../package-folder.ts';
import { pageDocument } from './page-document.ts';
import { type OpenedPage, preloadLinks } from './preload-links.ts';
import { sendProblem } from './problems.ts';

/** The built page. */
const PAGE_FOLDER = fileURLToPath(new URL('dist/page', PACKAGE_FOLDER));

const NOT_FOUND =
  'There is nothing at this address, or not with this method. A page is sent to those who accept text/html.';

interface PageOptions {
  /** The origin of the icons of guilds and people. */
  readonly imageOrigin: string;
  /** Whether a request has the cookie of a session. */
  readonly hasSession: (request: FastifyRequest) => boolean;
}

/**
 * Serves the built page: files below /assets, whose names change with their content, and `index.html` at every other address
 * that a browser opens. The page reads the session itself, so that the document is the same for everybody. A header names what the
 * page will load.
 */
export async function mountPage(app: FastifyInstance, { imageOrigin, hasSession }: PageOptions): Promise<void> {
  if (!existsSync(PAGE_FOLDER)) throw new Error(`The page is not built: expected files in ${PAGE_FOLDER}`);
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
  const sendPage = await pageDocument(join(PAGE_FOLDER, 'index.html'), { cdn: imageOrigin });
  const linksOf = preloadLinks(PAGE_FOLDER);
  app.setNotFoundHandler((request, reply) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const isPage = isRead && (request.headers.accept ?? '').includes('text/html');
    if (!isPage) return sendProblem(request, reply, new ProblemError('not-found', { detail: NOT_FOUND }));
    const [path = '/'] = request.url.split('?', 1);
    const languages = request.headers['accept-language'] ?? '';
    const page: OpenedPage = { path, isLoggedIn: hasSession(request), languages };
    return sendPage(request, reply.header('link', linksOf(page)));
  });
}
