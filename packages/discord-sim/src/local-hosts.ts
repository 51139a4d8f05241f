import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';

/** Names and addresses of this machine in a `Host` header, with any port. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/**
 * Makes a server accept only requests for host names of this machine; others receive 421. A page on the web can have its
 * own name resolve to 127.0.0.1 (DNS rebinding), and its requests arrive with that name in `Host`.
 *
 * Call it after all listeners for `request` and `upgrade` were added, before the server listens.
 * @param listensOn the address that the server will listen on. If others can reach it, addresses are accepted, too: only
 * names can be rebound.
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-15.5.20
 */
export function acceptLocalHostsOnly(server: Server, listensOn: string): void {
  const takesAddresses = !LOOPBACK.test(listensOn.includes(':') ? `[${listensOn}]` : listensOn);
  const isLocal = ({ headers: { host = '' } }: IncomingMessage) =>
    LOOPBACK.test(host) || (takesAddresses && isIP(withoutPort(host)) !== 0);
  const refuseUpgrade = (_request: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => socket.destroy());
    socket.end('HTTP/1.1 421 Misdirected Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
  };
  guard(server, 'request', isLocal, refuse);
  guard(server, 'upgrade', isLocal, refuseUpgrade);
}

function refuse(_request: IncomingMessage, response: ServerResponse): void {
  const body = JSON.stringify({ message: 'Expected a Host header with localhost, 127.0.0.1 or [::1]' });
  response.writeHead(421, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  });
  response.end(body);
}

/** Adds a check before all listeners of an event. */
function guard<Rest extends unknown[]>(
  server: Server,
  event: 'request' | 'upgrade',
  isAllowed: (request: IncomingMessage) => boolean,
  refuseWith: (request: IncomingMessage, ...rest: Rest) => void,
): void {
  const listeners = server.listeners(event);
  if (listeners.length === 0) return;
  server.removeAllListeners(event);
  server.on(event, (request: IncomingMessage, ...rest: Rest) => {
    if (!isAllowed(request)) return refuseWith(request, ...rest);
    for (const listener of listeners) listener.call(server, request, ...rest);
  });
}

function withoutPort(host: string): string {
  return host.replace(/:\d{1,5}$/, '').replace(/^\[(.*)\]$/, '$1');
}
