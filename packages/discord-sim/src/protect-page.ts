import type { FastifyInstance } from 'fastify';

/** An error response to a page of the simulator, with a message for its user. Fastify sends errors with their `statusCode`. */
export class PageRefusal extends Error {
  override readonly name = 'PageRefusal';
  readonly statusCode: number;

  constructor(statusCode: number, message: string) {
    super(message);
    this.statusCode = statusCode;
  }
}

/** 400: what was expected, and what came. */
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
 * Restricts a page to the simulator's own files, and rejects requests from pages of other sites: a POST must be JSON, which
 * a browser sends across sites only after a preflight, and must come from the simulator's own origin.
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
