import { type AnyProcedure, type AnyRouter, callTRPCProcedure } from '@trpc/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { OpenApiMeta } from 'trpc-openapi';
import type { Context, Services } from '../../operations/call.ts';
import { updateGuildDirectly } from '../../operations/update-guild.ts';
import { requestFacts } from '../headers/request-info.ts';
import { replyHeaders } from '../headers/response-headers.ts';
import { sendProblem } from '../problems/send-problem.ts';
import { appRouter } from '../trpc/router.ts';
import { jsonBody } from './json-body.ts';

/** A procedure that REST serves too. */
interface RestProcedure {
  readonly path: string;
  readonly type: 'query' | 'mutation';
  readonly openapi: NonNullable<OpenApiMeta['openapi']>;
}

/**
 * Serves every procedure that has an `openapi` meta at its address, through the same procedure call as tRPC. The routes
 * are our own and not trpc-openapi's handlers, which coerce: docs/decisions/0001-own-rest-routes.md.
 */
export function mountRest(app: FastifyInstance, services: Services): void {
  for (const procedure of restProcedures()) {
    app.route({
      method: procedure.openapi.method,
      url: procedure.openapi.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      // Not an async handler: for what that returns, Fastify waits in a costly way.
      handler: (request, reply) => {
        answer(procedure, request, reply, services).catch((error: unknown) => sendProblem(reply, error));
      },
    });
  }
}

function restProcedures(): RestProcedure[] {
  const procedures: Record<string, AnyProcedure> = (appRouter as AnyRouter)._def.procedures;
  return Object.entries(procedures).flatMap(([path, procedure]) => {
    const { type, meta } = procedure._def as { type: RestProcedure['type']; meta?: OpenApiMeta };
    return meta?.openapi ? [{ path, type, openapi: meta.openapi }] : [];
  });
}

/** Procedures that are asked often enough to do without what tRPC adds to a call: docs/decisions/0011-fast-lane.md. */
const DIRECT: ReadonlyMap<string, (ctx: Context, params: unknown) => Promise<unknown>> = new Map([
  ['guilds.update', updateGuildDirectly],
]);

function call({ path, type }: RestProcedure, ctx: Context, params: unknown): Promise<unknown> {
  const getRawInput = async () => params;
  return callTRPCProcedure({ router: appRouter, path, type, ctx, getRawInput, signal: undefined, batchIndex: 0 });
}

async function answer(
  procedure: RestProcedure,
  request: FastifyRequest,
  reply: FastifyReply,
  services: Services,
): Promise<void> {
  const params = request.params as Record<string, string>;
  const ctx: Context = {
    services,
    request: requestFacts(request, 'rest', 1),
    reply: {},
    caller: {},
    body: jsonBody(request.raw),
  };
  let result: unknown;
  try {
    result = await (DIRECT.get(procedure.path)?.(ctx, params) ?? call(procedure, ctx, params));
  } finally {
    reply.headers(replyHeaders(ctx.reply));
  }
  const record = JSON.stringify(result);
  if (!ctx.reply.notModified) {
    reply.type('application/json; charset=utf-8').send(record);
    return;
  }
  // Fastify takes the length of what HEAD would have sent from the payload, and sends nothing of it.
  reply.code(304).send(request.method === 'HEAD' ? record : undefined);
}
