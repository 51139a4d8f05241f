import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';

/** Names and addresses of this machine in a `Host` header, with any port. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/**
 * Returns a check of requests, which accepts host names of this machine only. A page on the web can have its own name resolve to
 * 127.0.0.1 (DNS rebinding), and its requests arrive with that name in `Host`.
 * @param listensOn the address that the server listens on. If others can reach it, addresses are accepted, too: only
 * names can be rebound.
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-15.5.20
 */
export function localHosts(listensOn: string): (request: IncomingMessage) => boolean {
  const takesAddresses = !LOOPBACK.test(listensOn.includes(':') ? `[${listensOn}]` : listensOn);
  return ({ headers: { host = '' } }) => LOOPBACK.test(host) || (takesAddresses && isIP(withoutPort(host)) !== 0);
}

/** Returns a function that adds the check of `localHosts` before a request listener. Other requests receive 421. */
export function localHostsOnly(listensOn: string): (serve: RequestListener) => RequestListener {
  const isLocal = localHosts(listensOn);
  return (serve) => (request, response) => (isLocal(request) ? serve : refuse)(request, response);
}

/** Refuses to open a WebSocket under a host name of another machine. */
export function refuseUpgrade(socket: Duplex): void {
  socket.on('error', () => socket.destroy());
  socket.end('HTTP/1.1 421 Misdirected Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
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

function withoutPort(host: string): string {
  return host.replace(/:\d{1,5}$/, '').replace(/^\[(.*)\]$/, '$1');
}
