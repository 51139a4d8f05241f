import type { FastifyInstance } from 'fastify';
import { ChatRefusal } from './chat-refusal.ts';

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
 * Restricts the page to its own files, and rejects requests from pages of other sites: a POST must be JSON, which
 * a browser sends across sites only after a preflight, and must come from the page's own origin.
 */
export function protectChat(app: FastifyInstance): void {
  app.removeContentTypeParser('text/plain');
  app.addHook('onRequest', async ({ method, headers }, reply) => {
    reply.headers(HEADERS);
    if (method === 'GET' || method === 'HEAD') return;
    if (headers.origin !== undefined && hostOf(headers.origin) !== headers.host) {
      throw new ChatRefusal(403, `The chat takes nothing from ${headers.origin}`);
    }
    if (!/^application\/json *(;|$)/i.test(headers['content-type'] ?? '')) {
      throw new ChatRefusal(415, 'content-type: expected application/json');
    }
  });
}

function hostOf(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host : null;
}
