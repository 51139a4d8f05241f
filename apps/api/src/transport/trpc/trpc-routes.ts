import { LIMITS } from '@guild-settings/contract';
import { resolveResponse } from '@trpc/server/http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context, ReplyFacts, Services } from '../../operations/call.ts';
import { requestFacts } from '../headers/request-info.ts';
import { replyHeaders } from '../headers/response-headers.ts';
import { problemFrom } from '../problems/problem-from.ts';
import { logProblem, problemHeaders } from '../problems/send-problem.ts';
import { maxInputBytes } from './input-limit.ts';
import { appRouter } from './router.ts';
import { readTrpcRequest } from './trpc-request.ts';

/** Serves the router under /trpc: queries by GET, mutations by POST. */
export function mountTrpc(app: FastifyInstance, services: Services): void {
  app.route<{ Params: { path: string } }>({
    method: ['GET', 'POST'],
    url: '/trpc/:path',
    handler: (request, reply) => answer(request, reply, services),
  });
}

async function answer(
  request: FastifyRequest<{ Params: { path: string } }>,
  reply: FastifyReply,
  services: Services,
): Promise<FastifyReply> {
  const facts: ReplyFacts = {};
  const caller: Context['caller'] = {};
  const { fetchRequest, inputProblem } = readTrpcRequest(request.raw, reply.raw, async () => {
    const principal = (await caller.checked)?.principal;
    return maxInputBytes(request.params.path, principal);
  });
  const response = await resolveResponse({
    router: appRouter,
    req: fetchRequest,
    path: request.params.path,
    error: null,
    maxBatchSize: LIMITS.batchCalls,
    createContext: async ({ info }): Promise<Context> => ({
      services,
      request: requestFacts(request, 'trpc', info.calls.length),
      reply: facts,
      caller,
      inputProblem,
      body: { fields: null },
    }),
    onError: ({ error }) => logProblem(request.log, problemFrom(error)),
    responseMeta({ errors, info }) {
      // One record's entity tag says nothing of a batch.
      if ((info?.calls.length ?? 0) > 1) delete facts.revision;
      const vary = `${reply.getHeader('vary')}, accept`;
      const failures = errors.map((error) => problemHeaders(problemFrom(error)));
      return { headers: Object.assign({ vary }, replyHeaders(facts), ...failures) };
    },
  });
  const isNotModified = facts.notModified === true && response.ok && facts.revision !== undefined;
  if (!isNotModified && request.method !== 'HEAD') return reply.send(response);
  const body = await response.text();
  return reply
    .code(isNotModified ? 304 : response.status)
    .headers(Object.fromEntries(response.headers))
    .send(request.method === 'HEAD' ? body : undefined);
}
