import type { FastifyInstance } from 'fastify';

/**
 * Ends the connection behind an answer that was given before the whole body had come in. Kept alive, what is left of the
 * body would stand in the way of the next request on it.
 */
export function closeAfterUnreadBodies(app: FastifyInstance): void {
  app.addHook('onSend', ({ raw }, reply, _payload, done) => {
    const hasBody = 'transfer-encoding' in raw.headers || Number(raw.headers['content-length'] ?? 0) > 0;
    if (!hasBody || raw.complete) return done();
    // What has arrived together with the headers is parsed first.
    setImmediate(() => {
      if (!raw.complete) reply.header('connection', 'close');
      done();
    });
  });
}
