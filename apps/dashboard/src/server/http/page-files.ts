import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import { ProblemError } from '@guild-settings/contract';
import type { FastifyInstance } from 'fastify';
import { PACKAGE_FOLDER } from '../../package-folder.ts';
import { sendProblem } from './problems.ts';

/** The built page. */
const PAGE_FOLDER = fileURLToPath(new URL('dist/page', PACKAGE_FOLDER));

/**
 * Serves the built page: files below /assets, whose names change with their content, and `index.html` at every other address
 * that a browser opens. The page reads the session itself, so that it is the same for everybody.
 */
export async function mountPage(app: FastifyInstance): Promise<void> {
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
  app.setNotFoundHandler((request, reply) => {
    const isPage = request.method === 'GET' && (request.headers.accept ?? '').includes('text/html');
    if (!isPage) return sendProblem(request, reply, new ProblemError('not-found'));
    return reply.sendFile('index.html');
  });
}
