import Fastify, { type FastifyInstance } from 'fastify';

/** The page may load nothing from anywhere else: fonts, scripts and styles come from the package. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
].join('; ');

/** What the reference answers. */
const PAGES = ['/docs', '/docs/', '/docs/js/scalar.js'];

/** /openapi.json, and /docs, which renders it. Both are made when somebody asks: most processes are never asked. */
export function mountDocs(app: FastifyInstance): void {
  const document = once(async () => {
    const { openApiDocument } = await import('./openapi/document.ts');
    return JSON.stringify(openApiDocument());
  });
  app.get('/openapi.json', async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(await document()),
  );
  const reference = once(openReference);
  for (const url of PAGES) {
    app.get(url, async (request, reply) => {
      const page = await (await reference()).inject({ url: request.url, headers: { host: request.host } });
      const { 'content-type': type, location } = page.headers;
      return reply
        .code(page.statusCode)
        .headers({
          'content-security-policy': CONTENT_SECURITY_POLICY,
          ...(type && { 'content-type': type }),
          ...(location && { location }),
        })
        .send(page.rawPayload);
    });
  }
}

/** The reference is a plugin, and plugins cannot be added to an application that listens: it has one of its own. */
async function openReference(): Promise<FastifyInstance> {
  const { default: apiReference } = await import('@scalar/fastify-api-reference');
  const app = Fastify();
  await app.register(apiReference, {
    routePrefix: '/docs',
    configuration: {
      url: '../openapi.json',
      pageTitle: 'guild-settings',
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
      showDeveloperTools: 'never',
      agent: { disabled: true },
    },
  });
  return app;
}

/** Makes something when it is asked for first; what failed is tried again. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}
