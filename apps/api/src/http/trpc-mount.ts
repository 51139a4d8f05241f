import { LIMITS } from '@guild-settings/contract';
import { incomingMessageToRequest } from '@trpc/server/adapters/node-http';
import { resolveResponse } from '@trpc/server/http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context, ReplyFacts, Services } from '../context.ts';
import { problemFrom } from '../problems.ts';
import { appRouter } from '../router.ts';
import { logProblem, problemHeaders } from './problem-reply.ts';
import { replyHeaders } from './reply-headers.ts';
import { requestFacts } from './request-facts.ts';

/** Bytes of one tRPC request: room for a full presence snapshot. */
const BODY_LIMIT = 2 * 1024 * 1024;

/** Serves the router under /trpc. */
export function mountTrpc(app: FastifyInstance, services: Services): void {
  app.all<{ Params: { path: string } }>('/trpc/:path', (request, reply) => answer(request, reply, services));
}

async function answer(
  request: FastifyRequest<{ Params: { path: string } }>,
  reply: FastifyReply,
  services: Services,
): Promise<FastifyReply> {
  const facts: ReplyFacts = {};
  const response = await resolveResponse({
    router: appRouter,
    req: incomingMessageToRequest(request.raw, reply.raw, { maxBodySize: BODY_LIMIT }),
    path: request.params.path,
    error: null,
    maxBatchSize: LIMITS.batchCalls,
    createContext: async ({ info }): Promise<Context> => ({
      services,
      request: requestFacts(request, 'trpc', info.calls.length > 1),
      reply: facts,
    }),
    onError: ({ error }) => logProblem(request.log, problemFrom(error)),
    responseMeta({ errors, info }) {
      // One record's entity tag says nothing of a batch.
      if ((info?.calls.length ?? 0) > 1) delete facts.revision;
      const vary = `${reply.getHeader('vary')}, trpc-accept, accept`;
      const failures = errors.map((error) => problemHeaders(problemFrom(error)));
      return { headers: Object.assign({ vary }, replyHeaders(facts), ...failures) };
    },
  });
  if (!facts.notModified || !response.ok || facts.revision === undefined) return reply.send(response);
  await response.body?.cancel();
  return reply.code(304).headers(replyHeaders(facts)).send();
}
