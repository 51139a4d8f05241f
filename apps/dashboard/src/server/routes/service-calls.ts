import { MAX_PATCH_BODY_BYTES, ProblemError } from '@guild-settings/contract';
import type { FastifyInstance, onRequestHookHandler } from 'fastify';
import { forwardedFor } from '../http/forwarded-for.ts';
import type { CallService } from './call-service.ts';
import { PublicResults, picked } from './public-results.ts';
import type { RequireSession } from './require-session.ts';

/** The largest body: that of a call which a service accepts of a user, whatever it declares. It is read before the session is known. */
const MAX_BODY_BYTES = MAX_PATCH_BODY_BYTES + 128;

/**
 * The procedures of the service that pages may call, with their methods. `guilds.follow`, a stream, is beside them. Everything else is
 * not found, above all what is the application's alone.
 */
const PROCEDURES: ReadonlyMap<string, 'GET' | 'POST'> = new Map([
  ['guilds.get', 'GET'],
  ['guilds.update', 'POST'],
  ['guilds.history', 'GET'],
  ['guilds.change', 'GET'],
  ['guilds.undo', 'POST'],
  ['guilds.restore', 'POST'],
  ['guilds.arrival', 'GET'],
  ['guilds.channels', 'GET'],
  ['guilds.members', 'GET'],
  ['guilds.roles', 'GET'],
  ['guilds.access', 'GET'],
  ['guilds.setAccess', 'POST'],
  ['guilds.export', 'GET'],
  ['guilds.import', 'POST'],
  ['guilds.enableFeature', 'POST'],
  ['guilds.disableFeature', 'POST'],
  ['guilds.erase', 'POST'],
  ['users.me', 'GET'],
  ['users.guilds', 'GET'],
  ['users.guild', 'GET'],
  ['application.get', 'GET'],
  ['features.list', 'GET'],
  ['settings.get', 'GET'],
]);

const NOT_LISTED = 'Pages may not call a procedure of this name.';

/** Headers of a page's request that the service receives. */
const REQUEST_HEADERS = ['if-match', 'prefer', 'x-audit-log-reason', 'cache-control'] as const;

/** Headers of the service's response that the page receives. */
const RESPONSE_HEADERS = [
  'etag',
  'arrival',
  'preference-applied',
  'link',
  'retry-after',
  'ratelimit',
  'ratelimit-policy',
  'deprecation',
  'guild-settings-version',
] as const;

const JSON_TYPE = 'application/json; charset=utf-8';

interface ServiceCallsOptions {
  readonly callService: CallService;
  readonly requireSession: RequireSession;
  readonly sameOrigin: onRequestHookHandler;
}

/**
 * Serves the listed procedures of the service under /trpc: passes the bytes of a call and of its response on, with the token of the
 * session. Calls are not batched, and of a query the input alone is passed on.
 */
export function mountServiceCalls(app: FastifyInstance, options: ServiceCallsOptions): void {
  const { callService, requireSession, sameOrigin } = options;
  const publicResults = new PublicResults();

  app.register(async (calls) => {
    // The service parses the bodies.
    calls.removeAllContentTypeParsers();
    calls.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    calls.route<{ Params: { path: string }; Querystring: { input?: unknown }; Body: Buffer | undefined }>({
      method: ['GET', 'POST'],
      url: '/trpc/:path',
      bodyLimit: MAX_BODY_BYTES,
      onRequest: sameOrigin,
      handler: async (request, reply) => {
        // Decoded, so that it is the name which the service would read. The service receives the name of the list.
        const { path } = request.params;
        const method = PROCEDURES.get(path);
        if (method === undefined) throw new ProblemError('not-found', { detail: NOT_LISTED });
        if (request.method !== method) {
          reply.header('allow', method);
          throw new ProblemError('method-not-allowed');
        }
        const session = await requireSession(request);
        const isQuery = method === 'GET';
        const target = `/trpc/${path}${isQuery ? inputOf(request.query.input) : ''}`;
        const kept = request.headers['cache-control'] === undefined ? publicResults.get(target) : undefined;
        if (kept !== undefined) return reply.headers(kept.headers).type(JSON_TYPE).send(kept.body);
        const sent = {
          ...picked(request.headers, REQUEST_HEADERS),
          ...forwardedFor(request),
          ...(!isQuery && { 'content-type': 'application/json' }),
        };
        const call = { method, target, headers: sent, body: request.body };
        const { statusCode, headers, body } = await callService(call, session);
        if (isQuery && statusCode === 200 && Buffer.isBuffer(body)) publicResults.keep(target, body, headers);
        return reply.code(statusCode).headers(picked(headers, RESPONSE_HEADERS)).type(JSON_TYPE).send(body);
      },
    });
  });
}

function inputOf(input: unknown): string {
  if (input === undefined) return '';
  if (typeof input === 'string') return `?input=${encodeURIComponent(input)}`;
  throw new ProblemError('invalid-request', { detail: 'Expected one parameter "input", received several.' });
}
