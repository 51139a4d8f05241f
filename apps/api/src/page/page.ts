import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import { acceptedCoding } from '@guild-settings/runtime/http-server';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DiscordOAuth } from '../auth/discord-oauth.ts';
import { Sessions } from '../auth/sessions.ts';
import type { Clock } from '../clock.ts';
import type { Config, PageConfig } from '../config.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Services } from '../operations/call.ts';
import { PACKAGE_FOLDER } from '../own-package.ts';
import type { SessionStore } from '../store/store.ts';
import { isOpened } from '../transport/receive-requests.ts';
import { mountLogin } from './login.ts';
import { pageDocument, preloadLinks } from './page-document.ts';
import { type Cookies, cookiesOf, mountSessions, SessionRequests } from './session-routes.ts';

const YEAR_SECONDS = 31_536_000;

/** The content codings of the built files besides identity, smallest first. */
const CODINGS = ['br', 'gzip'] as const;

/** The folders of the built page: that of a deployment, and that of a clone. */
const PAGE_FOLDERS = ['page', '../dashboard/dist/page'].map((path) => fileURLToPath(new URL(path, PACKAGE_FOLDER)));

/** The part of the service that serves the page: it finds the logged-in person, and mounts the routes. */
export interface Page {
  readonly requests: SessionRequests;
  readonly sessions: Sessions;
  mount(services: Pick<Services, 'application' | 'principalLimit'>): Promise<void>;
}

interface PageParts {
  readonly folder: string;
  readonly app: FastifyInstance;
  readonly discord: Config['discord'];
  readonly store: SessionStore;
  readonly clock: Clock;
  readonly metrics: Metrics;
}

export class PageNotBuiltError extends Error {
  override readonly name = 'PageNotBuiltError';

  constructor() {
    const folders = PAGE_FOLDERS.join(' or ');
    super(
      `The page of DASHBOARD_URL is not built: expected index.html in ${folders}. Build it, or unset DASHBOARD_URL.`,
    );
  }
}

/** Returns the folder of the built page. @throws PageNotBuiltError */
export function builtPage(): string {
  const folder = PAGE_FOLDERS.find((path) => existsSync(`${path}/index.html`));
  if (folder === undefined) throw new PageNotBuiltError();
  return folder;
}

/** Opens the part that serves the page at its origin: logins, sessions, the document and the built files. */
export function openPage(config: PageConfig, { folder, app, discord, store, clock, metrics }: PageParts): Page {
  const { url: origin, clientSecret, sessionKeys: keys, cdnUrl, links } = config;
  const { nowMs } = clock;
  const oauth = new DiscordOAuth({ origin, discord, clientSecret, nowMs });
  const sessions = new Sessions({ store, oauth, keys, nowMs, log: app.log, onRenewal: metrics.renewal });
  const cookies = cookiesOf(origin);
  const requests = new SessionRequests(sessions, cookies, origin);
  return {
    requests,
    sessions,
    async mount({ application, principalLimit: limit }) {
      // Requests the name for the first document, if Discord responds in time.
      application.current();
      const headers = securityHeaders({ origin, imageOrigin: cdnUrl });
      const send = pageDocument({
        folder,
        meta: { cdn: cdnUrl, ...links },
        application: () => application.current(),
      });
      const linksOf = preloadLinks(folder);
      app.addHook('onRequest', (request, reply, done) => {
        if (!isOpened(request)) return done();
        const link = linksOf(openedPage(request, cookies));
        send(request, reply.headers({ ...headers, link })).catch(done);
      });
      app.register(async (routes) => {
        takeNoToken(routes);
        routes.addHook('onRequest', (_request, reply, done) => {
          reply.headers({ ...headers, 'cache-control': 'no-store' });
          done();
        });
        mountLogin(routes, { origin, keys, oauth, sessions, cookies, metrics, clock, send });
        mountSessions(routes, { sessions, requests, cookies, limit });
      });
      await app.register((files) => mountFiles(files, { folder, headers }));
      // Fails at the start if sessions cannot be read, because every login would be refused.
      await store.findSession('');
      void sessions.removeExpired();
    },
  };
}

function openedPage(request: FastifyRequest, { person }: Cookies) {
  const [path = '/'] = request.url.split('?', 1);
  return { path, personId: person.read(request), languages: request.headers['accept-language'] ?? '' };
}

/**
 * Marks the following routes as not checking tokens: a client that sends a made-up token counts as a stranger as well.
 */
function takeNoToken(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, publicResults: () => 1 };
  });
}

interface SecurityOptions {
  readonly origin: string;
  readonly imageOrigin: string;
}

/**
 * Returns the security headers of the page and its routes. Pages run only scripts and styles of their origin, none of
 * them inline, and scripts cannot turn text into HTML or code.
 * @see https://www.w3.org/TR/CSP3/
 */
function securityHeaders({ origin, imageOrigin }: SecurityOptions): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' ${imageOrigin}`,
    "connect-src 'self'",
    "font-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ];
  return {
    'content-security-policy': policy.join(';'),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'origin-agent-cluster': '?1',
    // Requests without Sec-Fetch-Site are checked by Origin or Referer.
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'x-dns-prefetch-control': 'off',
    'x-frame-options': 'DENY',
    ...(origin.startsWith('https:') && { 'strict-transport-security': `max-age=${YEAR_SECONDS}` }),
  };
}

interface FileOptions {
  readonly folder: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Serves the built files: those below /assets, whose names contain a hash of their content, and the others at the root.
 */
async function mountFiles(app: FastifyInstance, { folder: root, headers }: FileOptions): Promise<void> {
  takeNoToken(app);
  app.addHook('onRequest', (request, reply, done) => {
    const isHashed = request.url.startsWith('/assets/');
    const caching = isHashed ? 'public, max-age=31536000, immutable' : 'no-cache';
    reply.headers({ ...headers, vary: 'Accept-Encoding', 'cache-control': caching });
    // The plugin interprets `*` as gzip, and prefers any coding over identity.
    request.headers = { 'accept-encoding': acceptedCoding(request.headers['accept-encoding'], CODINGS) };
    done();
  });
  await app.register(fastifyStatic, {
    root,
    wildcard: false,
    index: false,
    globIgnore: ['.vite/**', 'index.html', '**/*.{br,gz}'],
    // The build has compressed the files.
    preCompressed: true,
    cacheControl: false,
  });
}
