import { LIMITS } from '@guild-settings/contract';
import { resolveResponse } from '@trpc/server/http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ResponseMeta, Services, TokenCheckSlot } from '../../operations/call.ts';
import type { OperationType } from '../../operations/operation.ts';
import { OPERATIONS_BY_PATH } from '../../operations/operations.ts';
import { HttpRequestInfo } from '../headers/request-info.ts';
import { responseHeaders } from '../headers/response-headers.ts';
import { problemFrom } from '../problems/problem-from.ts';
import { problemHeaders, recordProblem } from '../problems/send-problem.ts';
import { maxInputBytes } from './input-limit.ts';
import type { CallContext } from './procedures.ts';
import { refuseToken } from './refused-token.ts';
import { appRouter } from './router.ts';
import { readTrpcRequest } from './trpc-request.ts';

const METHODS_OF: Readonly<Record<OperationType, string>> = {
  query: 'GET, HEAD, OPTIONS',
  mutation: 'OPTIONS, POST',
  subscription: 'GET, HEAD, OPTIONS',
};

/** Serves the router under /trpc: queries by GET, mutations by POST. */
export function mountTrpc(app: FastifyInstance, services: Services): void {
  app.route<{ Params: { path: string } }>({
    method: ['GET', 'POST'],
    url: '/trpc/:path',
    config: { isListed },
    handler: (request, reply) => refuseToken(request, reply) ?? respond(request, reply, services),
  });
}

/** Returns whether a path names an operation. For GET and POST tRPC judges that itself. */
function isListed(params: unknown): boolean {
  const { path = '' } = params as { readonly path?: string };
  return path.split(',').some((name) => OPERATIONS_BY_PATH.has(name));
}

async function respond(
  request: FastifyRequest<{ Params: { path: string } }>,
  reply: FastifyReply,
  services: Services,
): Promise<FastifyReply> {
  const { path } = request.params;
  const meta: ResponseMeta = {};
  const token: TokenCheckSlot = {};
  const maxBytes = async () => maxInputBytes(path, services.bodyBytes, (await token.checked)?.principal);
  const response = await resolveResponse({
    router: appRouter,
    req: readTrpcRequest(request.raw, reply.raw, maxBytes),
    path,
    error: null,
    maxBatchSize: LIMITS.batchCalls,
    createContext: async ({ info }): Promise<CallContext> => ({
      services,
      request: new HttpRequestInfo(request, 'trpc', info.calls.length),
      response: meta,
      token,
    }),
    onError: ({ error }) => recordProblem(request, problemFrom(error), token.principal),
    responseMeta({ errors, info }) {
      if ((info?.calls.length ?? 0) > 1) {
        // Some facts of a result do not apply to a batch: its entity tag, its next part, and its lifetime in caches.
        delete meta.revision;
        delete meta.next;
        delete meta.immutable;
        delete meta.contentTag;
        delete meta.publicSeconds;
        delete meta.ageSeconds;
      }
      const vary = `${reply.getHeader('vary')}, accept`;
      const problems = errors.map(problemFrom);
      const isWrongMethod = problems.some(({ slug }) => slug === 'method-not-allowed');
      const allow = isWrongMethod && { allow: METHODS_OF[OPERATIONS_BY_PATH.get(path)?.type ?? 'query'] };
      // tRPC does not set the media type of a request that it refuses before its calls.
      const common = { vary, 'content-type': 'application/json' };
      return { headers: Object.assign(common, responseHeaders(meta), allow, ...problems.map(problemHeaders)) };
    },
  });
  const isNotModified = meta.notModified === true && response.ok && (meta.revision ?? meta.contentTag) !== undefined;
  if (!isNotModified && request.method !== 'HEAD') return reply.send(response);
  const body = await response.text();
  return reply
    .code(isNotModified ? 304 : response.status)
    .headers(Object.fromEntries(response.headers))
    .send(request.method === 'HEAD' ? body : undefined);
}
