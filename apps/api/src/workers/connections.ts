import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/**
 * Has a service serve connections that another server has accepted, instead of listening. Closing the service waits for
 * them as it does for its own.
 * @returns serves a connection
 * @see https://nodejs.org/api/http.html#event-connection
 */
export function serveConnections(app: FastifyInstance): (socket: Socket) => void {
  const open = new Set<Socket>();
  let onIdle = () => {};
  // Has Node look for requests that exceed a timeout, and know which connections are idle.
  app.server.emit('listening');
  app.addHook('preClose', async () => {
    if (open.size > 0)
      await new Promise<void>((resolve) => {
        onIdle = resolve;
      });
  });
  return (socket) => {
    open.add(socket);
    // Node does not keep the option of the server for a socket that another process has passed on.
    socket.allowHalfOpen = true;
    socket.once('close', () => {
      open.delete(socket);
      if (open.size === 0) onIdle();
    });
    app.server.emit('connection', socket);
    socket.resume();
  };
}
