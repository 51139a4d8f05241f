import { readFile } from 'node:fs/promises';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';

/** Names and addresses of this machine in a `Host` header, with any port. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/**
 * Returns a check of requests that only accepts host names of this machine. A web page can make its own name resolve to
 * 127.0.0.1 (DNS rebinding), and its requests arrive with that name in `Host`.
 * @param listensOn the address that the server listens on. If other machines can reach it, IP addresses are also
 * accepted, because only names can be rebound.
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

/**
 * An error response to a page of the simulator, with a message for its user. Fastify sends errors with their
 * `statusCode`.
 */
export class PageRefusal extends Error {
  override readonly name = 'PageRefusal';
  readonly statusCode: number;

  constructor(statusCode: number, message: string) {
    super(message);
    this.statusCode = statusCode;
  }
}

export function badInput(field: string, expected: string, received: unknown): PageRefusal {
  return new PageRefusal(400, `${field}: expected ${expected}, received ${JSON.stringify(received) ?? 'nothing'}`);
}

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

/**
 * Restricts a page to the simulator's own files, and rejects requests from pages of other sites: a POST must be JSON,
 * which browsers only send across sites after a preflight, and must come from the simulator's own origin.
 */
export function protectPage(app: FastifyInstance): void {
  app.removeContentTypeParser('text/plain');
  app.addHook('onRequest', async ({ method, headers }, reply) => {
    reply.headers(HEADERS);
    if (method === 'GET' || method === 'HEAD') return;
    if (headers.origin !== undefined && hostOf(headers.origin) !== headers.host) {
      throw new PageRefusal(403, `origin: expected the simulator's own, received ${headers.origin}`);
    }
    if (!/^application\/json *(;|$)/i.test(headers['content-type'] ?? '')) {
      throw new PageRefusal(415, 'content-type: expected application/json');
    }
  });
}

function hostOf(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host : null;
}

/** The scripts, styles and documents of the pages: beside src and dist. */
export const PAGE_FOLDER = new URL('../page/', import.meta.url);

export async function sendPage(reply: FastifyReply, file: string): Promise<FastifyReply> {
  return reply.type('text/html; charset=utf-8').send(await readFile(new URL(file, PAGE_FOLDER)));
}
