import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';

/**
 * Closes the connection after a response that was sent before the whole body had arrived: the rest of the body would be
 * parsed as the next request.
 */
export function closeAfterUnreadBodies(app: FastifyInstance): void {
  app.addHook('onSend', ({ raw }, reply, _payload, done) => {
    if (!hasBody(raw) || raw.complete) return done();
    // Node first parses the part of the body that arrived together with the headers.
    setImmediate(() => {
      if (!raw.complete) reply.header('connection', 'close');
      done();
    });
  });
}

/** Returns whether a request says that it has a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return 'transfer-encoding' in headers || Number(headers['content-length'] ?? 0) > 0;
}
