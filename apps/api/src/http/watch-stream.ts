import { Readable } from 'node:stream';
import { PROBLEMS, ProblemError, type WatchEvent } from '@guild-settings/contract';
import { callTRPCProcedure, type TrackedEnvelope } from '@trpc/server';
import { TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/rpc';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context, Services } from '../context.ts';
import { problemFrom } from '../problems.ts';
import { appRouter } from '../router.ts';
import { logProblem } from './problem-reply.ts';
import { replyHeaders } from './reply-headers.ts';
import { requestFacts } from './request-facts.ts';

const PATH = 'guilds.watch';

const HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

type Watch = AsyncIterable<TrackedEnvelope<WatchEvent>>;

/**
 * Serves guilds.watch as tRPC serves subscriptions: the same procedure, the same messages. tRPC's own stream goes through
 * four web streams, the last of which takes a text apart character by character: docs/decisions/0009-pages-on-the-stream.md.
 */
export function mountWatch(app: FastifyInstance, services: Services): void {
  app.get<{ Querystring: Query }>(`/trpc/${PATH}`, (request, reply) => answer(request, reply, services));
}

/** As tRPC and EventSource ask. */
type Query = Readonly<Record<string, string | undefined>>;

async function answer(
  request: FastifyRequest<{ Querystring: Query }>,
  reply: FastifyReply,
  services: Services,
): Promise<FastifyReply> {
  const aborter = new AbortController();
  const ctx: Context = {
    services,
    request: requestFacts(request, 'trpc', 1),
    reply: {},
    body: { fields: null, bytes: () => 0 },
  };
  const watch = callTRPCProcedure({
    router: appRouter,
    path: PATH,
    type: 'subscription',
    ctx,
    getRawInput: async () => inputOf(request),
    signal: aborter.signal,
    batchIndex: 0,
  }) as Promise<Watch>;
  // A refusal is a message of the stream, which knows no status; it is handled there.
  await watch.catch(() => {});
  const messages = messagesOf(watch, (error) => {
    const problem = problemFrom(error);
    logProblem(request.log, problem);
    const { code, status } = PROBLEMS[problem.slug];
    const data = { code, httpStatus: status, path: PATH, problem: problem.toProblem(ctx.request.path) };
    return { code: TRPC_ERROR_CODES_BY_KEY[code], message: problem.message, data };
  });
  reply.headers({ ...HEADERS, vary: `${reply.getHeader('vary')}, accept`, ...replyHeaders(ctx.reply) });
  if (request.method === 'HEAD') return reply.send();
  reply.raw.once('close', () => aborter.abort());
  return reply.send(Readable.from(messages));
}

function inputOf({ query, headers }: FastifyRequest<{ Querystring: Query }>): unknown {
  const input = query.input === undefined ? undefined : parsed(query.input);
  const lastEventId = headers['last-event-id'] ?? query.lastEventId;
  return lastEventId === undefined ? input : { ...(input as object | undefined), lastEventId };
}

function parsed(input: string): unknown {
  try {
    return JSON.parse(input);
  } catch (error) {
    throw new ProblemError('invalid-request', { detail: 'The input is no JSON.', cause: error });
  }
}

async function* messagesOf(watch: Promise<Watch>, shapeOf: (error: unknown) => unknown): AsyncGenerator<string> {
  yield 'event: connected\ndata: {}\n\n';
  try {
    for await (const [id, event] of await watch) yield `data: ${JSON.stringify(event)}\nid: ${id}\n\n`;
    yield 'event: return\ndata: \n\n';
  } catch (error) {
    yield `event: serialized-error\ndata: ${JSON.stringify(shapeOf(error))}\n\n`;
  }
}
