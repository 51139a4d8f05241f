import { hash } from 'node:crypto';
import {
  type DeclaredSettings,
  EXPORT_SCHEMA_PATH,
  guildExportSchema,
  isProblemSlug,
  PROBLEMS,
  ProblemError,
  type ProblemSlug,
} from '@guild-settings/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Fastify from 'fastify';
import { SECURITY_SCHEME } from '../openapi/headers.ts';
import { NOT_FRAMED } from './response-headers.ts';
import { CACHING, NO_ICON, once, type StaticContent, sendStatic, staticContent } from './static-content.ts';

const INLINE_SCRIPT = /<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g;

/**
 * Returns the policy of the page. It only loads from its own origin: fonts, scripts and styles are in the package. Only
 * the inline scripts that were in it when it was prepared may run.
 */
function contentSecurityPolicy(html: string): string {
  const hashes = [...html.matchAll(INLINE_SCRIPT)].map(([, text = '']) => `'sha256-${hash('sha256', text, 'base64')}'`);
  return [
    "default-src 'self'",
    ["script-src 'self'", ...hashes].join(' '),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "base-uri 'none'",
    NOT_FRAMED,
  ].join('; ');
}

const SCRIPT = 'js/scalar.js';

const FOR_EVERYBODY = { config: { publicResults: () => 1 } };

interface DocsOptions {
  readonly settings: DeclaredSettings;
  /** A token that every reader of /docs may see. */
  readonly publicToken: string | undefined;
  /**
   * The origin of the page, which does not serve /docs: its styles are inline, and a script there could act as the
   * person.
   */
  readonly pageOrigin: string | undefined;
}

/**
 * Serves /openapi.json, /docs, which renders it, and the JSON Schema of exports. They are prepared at the first
 * request, because most processes never receive one, and reused. / redirects to one of the first two.
 */
export function mountDocs(app: FastifyInstance, { settings, publicToken, pageOrigin }: DocsOptions): void {
  const document = once(async () => {
    const { openApiDocument } = await import('../openapi/document.ts');
    return staticContent(JSON.stringify(openApiDocument(settings)), {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': CACHING.revalidated,
    });
  });
  const schema = once(() =>
    staticContent(`${JSON.stringify(guildExportSchema(), null, 2)}\n`, {
      'content-type': 'application/schema+json; charset=utf-8',
      'cache-control': CACHING.revalidated,
    }),
  );
  const reference = once(() => prepareReference(publicToken));
  // With public tokens, other host names of this machine are other origins: localhost besides 127.0.0.1.
  const hasReference = ({ host }: FastifyRequest) =>
    pageOrigin === undefined || (publicToken !== undefined && host !== new URL(pageOrigin).host);
  app.get('/openapi.json', FOR_EVERYBODY, async (request, reply) => sendStatic(request, reply, await document()));
  app.get(EXPORT_SCHEMA_PATH, FOR_EVERYBODY, async (request, reply) => sendStatic(request, reply, await schema()));
  app.get('/', (request, reply) => {
    if (pageOrigin === undefined) reply.header('vary', `${reply.getHeader('vary')}, Accept`);
    const isJson = acceptsJsonOnly(request.headers.accept) || !hasReference(request);
    return reply.redirect(isJson ? '/openapi.json' : '/docs', 302);
  });
  const sendReference = (part: keyof Reference) => async (request: FastifyRequest, reply: FastifyReply) => {
    if (!hasReference(request)) throw new ProblemError('not-found', { detail: NO_REFERENCE });
    return sendStatic(request, reply, (await reference())[part]);
  };
  app.get('/docs', FOR_EVERYBODY, sendReference('page'));
  app.get(`/docs/${SCRIPT}`, FOR_EVERYBODY, sendReference('script'));
}

const NO_REFERENCE =
  'This service has a page with logins, and therefore no /docs. GET /openapi.json returns the document; a service without DASHBOARD_URL renders it.';

/** Returns true if an Accept header names JSON but not HTML: the client is a program that cannot show a page. */
function acceptsJsonOnly(accept = ''): boolean {
  return /\bjson\b/i.test(accept) && !/\bhtml\b/i.test(accept);
}

interface Reference {
  readonly page: StaticContent;
  readonly script: StaticContent;
}

/** Prepares the page and its script with the plugin. The script's URL contains its hash, so that caches may keep it. */
async function prepareReference(token: string | undefined): Promise<Reference> {
  const app = await openReference(token);
  const [page, script] = await Promise.all([app.inject('/docs/'), app.inject(`/docs/${SCRIPT}`)]);
  await app.close();
  const content = await staticContent(script.rawPayload, {
    'content-type': String(script.headers['content-type']),
    'cache-control': CACHING.immutable,
  });
  const html = page.body
    // Relative to /docs, which a proxy may serve below another path.
    .replaceAll(SCRIPT, `docs/${SCRIPT}?v=${content.hash}`)
    .replace('<head>', `<head>${NO_ICON}`);
  return {
    script: content,
    page: await staticContent(html, {
      'content-type': String(page.headers['content-type']),
      'content-security-policy': contentSecurityPolicy(html),
      'cache-control': CACHING.revalidated,
    }),
  };
}

/**
 * Compares groups by the order in which a caller needs them; unlisted groups come first. The page contains this
 * function as text, so it must not refer to anything outside.
 */
function byNeed(one: { readonly name: string }, other: { readonly name: string }): number {
  const order = ['guilds', 'features', 'history', 'access', 'users', 'transfer', 'service'];
  return order.indexOf(one.name) - order.indexOf(other.name);
}

interface OpenApiParameters {
  readonly components: { readonly parameters: Readonly<Record<string, OpenApiParameter>> };
}

interface OpenApiParameter {
  readonly required?: boolean;
  readonly examples?: Readonly<Record<string, object>>;
}

/**
 * Fetches the document for the page, with its optional parameters disabled: the page would send each one that has an
 * example, and the `If-Match` of a first request would match no guild. The page contains this function as text.
 */
async function fetchForPage(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, init);
  if (!response.ok || !response.url.endsWith('/openapi.json')) return response;
  const document = (await response.json()) as OpenApiParameters;
  for (const { required, examples } of Object.values(document.components.parameters)) {
    if (required) continue;
    for (const example of Object.values(examples ?? {})) Object.assign(example, { 'x-disabled': true });
  }
  return Response.json(document);
}

/** Opens a second application for the plugin, which cannot be registered on a listening one. */
async function openReference(token: string | undefined): Promise<FastifyInstance> {
  const { default: apiReference } = await import('@scalar/fastify-api-reference');
  const app = Fastify();
  await app.register(apiReference, {
    routePrefix: '/docs',
    configuration: {
      url: './openapi.json',
      pageTitle: 'guild-settings',
      // The only scheme. Without it the page opens with none selected.
      authentication: {
        preferredSecurityScheme: SECURITY_SCHEME,
        ...(token !== undefined && { securitySchemes: { [SECURITY_SCHEME]: { token } } }),
      },
      tagsSorter: byNeed,
      customFetch: fetchForPage,
      withDefaultFonts: false,
      // Long commands are read whole: the column of descriptions is narrower than most of them.
      customCss: '.scalar-app .markdown pre code { white-space: pre-wrap; overflow-wrap: anywhere; }',
      telemetry: false,
      hideClientButton: true,
      showDeveloperTools: 'never',
      agent: { disabled: true },
    },
  });
  return app;
}

/** Serves a short page for every `type` in problem documents. */
export function mountProblemPages(app: FastifyInstance): void {
  const pages = new Map<ProblemSlug, Promise<StaticContent>>();
  const config = { publicResults: () => 1 };
  app.get<{ Params: { slug: string } }>('/problems/:slug', { config }, async (request, reply) => {
    const { slug } = request.params;
    if (!isProblemSlug(slug)) throw new ProblemError('not-found');
    const page = pages.get(slug) ?? preparePage(slug);
    pages.set(slug, page);
    return sendStatic(request, reply, await page);
  });
}

/** Renders the page of a problem. Its texts are constants of the catalogue, so escaping is not needed. */
function preparePage(slug: ProblemSlug): Promise<StaticContent> {
  const { title, text, status, code, retryable } = PROBLEMS[slug];
  const html = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8">${NO_ICON}<title>${title}</title></head>
<body>
<h1>${title}</h1>
<p>${text}</p>
<p>HTTP ${status}, code ${code}. ${retryable ? 'The same request may succeed later.' : 'The same request will fail again.'}</p>
</body>
</html>
`;
  return staticContent(html, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; img-src data:; ${NOT_FRAMED}`,
    'cache-control': CACHING.revalidated,
  });
}
