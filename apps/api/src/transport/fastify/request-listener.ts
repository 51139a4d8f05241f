import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** Receives requests before Fastify does, and passes on those that it does not serve. */
export type RequestListener = (request: IncomingMessage, response: ServerResponse, pass: () => void) => void;

/**
 * Replaces the request listener that Fastify has added to its server by one that can pass requests on to Fastify. Call it
 * once, before the server listens.
 */
export function replaceRequestListener(app: FastifyInstance, listener: RequestListener): void {
  app.server.removeAllListeners('request');
  app.server.on('request', (request, response) => listener(request, response, () => app.routing(request, response)));
}
