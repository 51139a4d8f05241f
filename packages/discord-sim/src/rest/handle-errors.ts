import { RESTJSONErrorCodes } from 'discord-api-types/v10';
import type { FastifyInstance } from 'fastify';
import { httpError, RestRefusal } from './error-body.ts';
import { API_PREFIX, isUnknownVersion } from './path.ts';

/** Sends Discord's error bodies, also for unknown paths and methods. */
export function handleErrors(app: FastifyInstance): void {
  const knownPaths = new Set<string>();
  app.addHook('onRoute', ({ url }) => void knownPaths.add(url));

  app.setErrorHandler<Error & { statusCode?: number }>((error, _request, reply) => {
    if (error instanceof RestRefusal) return reply.code(error.status).send(error.body);
    const status = error.statusCode ?? 500;
    return reply.code(status).send(httpError(status));
  });

  app.setNotFoundHandler((request, reply) => {
    const [path = ''] = request.url.split('?', 1);
    if (isUnknownVersion(path)) {
      return reply.code(400).send({ message: 'Invalid API version', code: RESTJSONErrorCodes.InvalidAPIVersion });
    }
    const status = path.startsWith(API_PREFIX) && knownPaths.has(path) ? 405 : 404;
    return reply.code(status).send(httpError(status));
  });
}
