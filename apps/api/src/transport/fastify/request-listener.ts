import type { RequestListener } from 'node:http';
import type { FastifyInstance } from 'fastify';

/**
 * Replaces the request listener that Fastify has added to its server. Call it before the server listens.
 * @returns Fastify's listener, for the requests that the new one does not serve
 */
export function replaceRequestListener(app: FastifyInstance, listener: RequestListener): RequestListener {
  app.server.removeAllListeners('request');
  app.server.on('request', listener);
  return app.routing;
}
