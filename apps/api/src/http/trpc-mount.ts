import { LIMITS, type ProblemError } from '@guild-settings/contract';
import { fastifyRequestHandler } from '@trpc/server/adapters/fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context, ReplyFacts, Services } from '../context.ts';
import { problemFrom } from '../problems.ts';
import { appRouter } from '../router.ts';
import { logProblem, problemHeaders } from './problem-reply.ts';
import { replyHeaders } from './reply-headers.ts';
import { requestFacts } from './request-facts.ts';

/** Bytes of one tRPC request: room for a full presence snapshot. */
const BODY_LIMIT = 2 * 1024 * 1024;

/** Serves the router under /trpc. Only JSON comes in: no procedure takes a form or a file. */
export async function mountTrpc(app: FastifyInstance, services: Services): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      'application/json',
      { parseAs: 'string', bodyLimit: BODY_LIMIT },
      (_request, body, done) => done(null, body),
    );
    scope.all<{ Params: { path: string } }>('/trpc/:path', (request, reply) => answer(request, reply, services));
  });
}

async function answer(
  request: FastifyRequest<{ Params: { path: string } }>,
  reply: FastifyReply,
  services: Services,
): Promise<FastifyReply> {
  const facts: ReplyFacts = {};
  await fastifyRequestHandler({
    router: appRouter,
    req: request,
    res: reply,
    path: request.params.path,
    maxBatchSize: LIMITS.batchCalls,
    createContext: ({ info }): Context => ({
      services,
      request: requestFacts(request, 'trpc', info.calls.length > 1),
      reply: facts,
    }),
    onError: ({ error }) => logProblem(request.log, problemFrom(error)),
    responseMeta({ errors, info }) {
      // One record's entity tag says nothing of a batch.
      if ((info?.calls.length ?? 0) > 1) delete facts.revision;
      const failures = errors.map((error): ProblemError => problemFrom(error));
      const headers = Object.assign({}, replyHeaders(facts), ...failures.map(problemHeaders));
      return { headers, ...(facts.notModified && !errors.length && !isBatch(info) && { status: 304 }) };
    },
  });
  return reply;
}

function isBatch(info: { readonly calls: readonly unknown[] } | undefined): boolean {
  return (info?.calls.length ?? 0) > 1;
}
