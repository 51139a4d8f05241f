import { createGuildSettingsClient, type Fetch, type TokenSource, withRequest } from '@guild-settings/client';
import { ProblemError } from '@guild-settings/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { forwardedFor } from '../http/forwarded-for.ts';
import type { Sessions } from '../session/sessions.ts';
import { failureOf, refusalOf } from './failure.ts';
import { type Procedure, procedureOf } from './procedures.ts';
import { PublicResults, picked } from './public-results.ts';
import type { RequireSession } from './require-session.ts';

/** Time that the service has, beside a preferred wait. */
const TIMEOUT_MS = 10_000;

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

/** All calls share the client, and each has the tokens of its own session. */
const NO_TOKEN: TokenSource = {
  get: () => Promise.reject(new Error('Expected the tokens of a session with each call')),
  invalidate() {},
};

interface TrpcOptions {
  readonly apiUrl: string;
  /** Sends the calls. */
  readonly fetch: Fetch;
  readonly sessions: Sessions;
  readonly requireSession: RequireSession;
  readonly sameOrigin: onRequestHookHandler;
}

/**
 * Serves the listed procedures of the service under /trpc, with the access token of the session. Calls are not batched, so that
 * each has its own headers.
 */
export function mountTrpc(app: FastifyInstance, options: TrpcOptions): void {
  const { apiUrl, fetch, sessions, requireSession, sameOrigin } = options;
  // The page retries by itself: it knows whether anybody still waits.
  const client = createGuildSettingsClient({ url: apiUrl, fetch, token: NO_TOKEN, timeoutMs: TIMEOUT_MS, retries: 0 });
  const publicResults = new PublicResults();

  app.route<{ Params: { path: string }; Querystring: { input?: unknown } }>({
    method: ['GET', 'POST'],
    url: '/trpc/:path',
    onRequest: sameOrigin,
    handler: async (request, reply) => {
      const procedure = procedureOf(request.params.path);
      if (procedure === undefined) throw new ProblemError('not-found', { detail: NOT_LISTED });
      const isQuery = request.method === 'GET';
      if (isQuery !== (procedure.type === 'query')) {
        reply.header('allow', procedure.type === 'query' ? 'GET' : 'POST');
        throw new ProblemError('method-not-allowed');
      }
      const session = await requireSession(request);
      const input = isQuery ? inputOf(request.query.input) : request.body;
      const headers = { ...passedOf(request), ...forwardedFor(request) };
      const kept = request.headers['cache-control'] === undefined ? publicResults.get(request.url) : undefined;
      if (kept !== undefined) return reply.headers(kept.headers).send({ result: { data: kept.data } });
      let received: Headers | undefined;
      const context = withRequest({
        token: sessions.tokensOf(session),
        headers,
        onHeaders(all) {
          received = all;
          reply.headers(picked(all, RESPONSE_HEADERS));
        },
      });
      try {
        const data = await procedure.call(client, input as never, context);
        if (isQuery && received) publicResults.keep(request.url, data, received);
        return await reply.send({ result: { data } });
      } catch (error) {
        return refuse(error, reply, procedure);
      }
    },
  });
}

function refuse(error: unknown, reply: FastifyReply, { type }: Procedure): FastifyReply {
  const refusal = refusalOf(error);
  if (refusal === undefined) throw failureOf(error, type);
  return reply.code(refusal.status).send(refusal.body);
}

/** Returns the input of a query. @throws ProblemError for what is not JSON */
function inputOf(text: unknown): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(String(text));
  } catch (error) {
    throw new ProblemError('invalid-request', { detail: 'Expected JSON in the parameter "input".', cause: error });
  }
}

function passedOf({ headers }: FastifyRequest): Record<string, string> {
  const passed = REQUEST_HEADERS.map((name) => [name, headers[name]] as const);
  return Object.fromEntries(
    passed.filter((entry): entry is [(typeof entry)[0], string] => typeof entry[1] === 'string'),
  );
}
