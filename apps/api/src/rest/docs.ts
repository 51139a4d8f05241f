import apiReference from '@scalar/fastify-api-reference';
import type { FastifyInstance } from 'fastify';
import { openApiDocument } from './openapi/document.ts';

/** The page may load nothing from anywhere else: fonts, scripts and styles come from the package. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
].join('; ');

/** /openapi.json, and /docs, which renders it. */
export async function mountDocs(app: FastifyInstance): Promise<void> {
  const document = JSON.stringify(openApiDocument());
  app.get('/openapi.json', (_request, reply) => reply.type('application/json; charset=utf-8').send(document));
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
    hooks: {
      onRequest: (_request, reply, done) => {
        reply.header('content-security-policy', CONTENT_SECURITY_POLICY);
        done();
      },
    },
  });
}
