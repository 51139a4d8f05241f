import { realpathSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';

/** The folder of the repository without symbolic links, like the file names of modules. */
export const REPOSITORY = realpathSync(fileURLToPath(new URL('../../../..', import.meta.url)));

const DASHBOARD = join(REPOSITORY, 'apps/dashboard');
const PAGE_FOLDER = join(DASHBOARD, 'src/page');

/** Paths that are not modules of the page: the document, and what the api serves besides files. */
const OF_API = /^\/(?!@|node_modules\/)(?:(?:trpc|docs|schemas)\/|openapi\.json|[^.?]*(?:\?|$))/;

/** Paths of documents other than the page. */
const OTHER_DOCUMENTS = /^\/(?:docs|problems)(?:[/?]|$)/;

export interface PageOptions {
  /** The address at which browsers open the page. */
  readonly host: string;
  readonly port: number;
  /** The api that serves the page. */
  readonly apiUrl: string;
  /** Resolves when the api accepts requests: they wait while it is replaced. */
  readonly whenServed: () => Promise<unknown>;
}

export interface ServedPage extends AsyncDisposable {
  /** Adds files to those whose changes are reported. */
  watch(files: ReadonlySet<string>): void;
  onChange(listener: (file: string) => void): void;
}

/** Serves the page from its sources, which browsers reload when they change, and everything else from the api. */
export async function servePage({ host, port, apiUrl, whenServed }: PageOptions): Promise<ServedPage> {
  const server = await createServer({
    configFile: join(DASHBOARD, 'vite.config.ts'),
    root: PAGE_FOLDER,
    appType: 'custom',
    logLevel: 'warn',
    clearScreen: false,
    plugins: [
      {
        name: 'while-replaced',
        configureServer({ middlewares }) {
          middlewares.use((request, _response, next) => {
            if (OF_API.test(request.url ?? '')) void whenServed().then(() => next());
            else next();
          });
        },
      },
    ],
    server: {
      host,
      port,
      strictPort: true,
      // The api responds for its own origins.
      cors: false,
      proxy: {
        [OF_API.source]: {
          target: apiUrl,
          selfHandleResponse: true,
          configure(proxy) {
            proxy.on('proxyReq', (request) => request.setHeader('accept-encoding', 'identity'));
            proxy.on('proxyRes', (received, request, response) => {
              const isHtml = received.statusCode === 200 && received.headers['content-type']?.startsWith('text/html');
              const isDocument = isHtml && !OTHER_DOCUMENTS.test(request.url ?? '');
              if (isDocument) void sendDocument(received, response).catch((error) => response.destroy(error));
              else received.pipe(response.writeHead(received.statusCode ?? 502, received.headers));
              request.on('close', () => received.destroy());
            });
          },
        },
      },
    },
  });

  /** Sends the document of the sources, with the elements that the api has added to the built one. */
  async function sendDocument(built: IncomingMessage, response: ServerResponse): Promise<void> {
    const added = /<head>((?:<meta [^>]*>)*)/.exec(await text(built))?.[1] ?? '';
    const document = await readFile(`${PAGE_FOLDER}/index.html`, 'utf8');
    const html = document.replace('<head>', () => `<head>${added}`).replaceAll('="./', '="/');
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
    response.end(await server.transformIndexHtml('/index.html', html));
  }

  await server.listen();
  return {
    watch: (files) => void server.watcher.add([...files]),
    onChange: (listener) => void server.watcher.on('all', (_event, file) => listener(file)),
    [Symbol.asyncDispose]: () => server.close(),
  };
}
