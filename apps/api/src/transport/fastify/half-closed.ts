import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';

/**
 * Sends the responses to clients that have sent their last request and closed their half of the connection. Node closes
 * the other half at once, unless the response was already written.
 * @see https://www.rfc-editor.org/rfc/rfc9112#section-9.6
 */
export function serveHalfClosed(app: FastifyInstance): void {
  // Node has no type and no page for this property: lib/_http_server.js, `socketOnEnd`.
  Object.assign(app.server, { httpAllowHalfOpen: true });
}

/**
 * Closes the connection of a stream when its client closes its half: otherwise the end of the client is not noticed before
 * the next event is written.
 */
export function closeWhenHalfClosed({ socket }: IncomingMessage, response: ServerResponse): void {
  const close = () => {
    socket.destroy();
  };
  if (socket.readableEnded) close();
  socket.once('end', close);
  response.once('close', () => socket.off('end', close));
}

/**
 * Calls a function once, when a response has ended, or its connection, also where the connection has before. Node does not say of a response that it is closed when it waits
 * for those before it on the same connection.
 */
export function onGone(response: ServerResponse, handle: () => void): void {
  const { socket } = response.req;
  // A connection that is closed says so no more.
  if (socket.destroyed) return void process.nextTick(handle);
  const emitters = [socket, response];
  let isGone = false;
  const once = () => {
    for (const emitter of emitters) emitter.off('close', once);
    // The end of a connection emits both.
    if (!isGone) handle();
    isGone = true;
  };
  // A connection may have any number of requests that wait.
  socket.setMaxListeners(0);
  for (const emitter of emitters) emitter.on('close', once);
}
