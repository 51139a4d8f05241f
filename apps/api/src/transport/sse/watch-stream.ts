import { Readable } from 'node:stream';
import { ProblemError, type WatchEvent } from '@guild-settings/contract';
import { callTRPCProcedure, type TrackedEnvelope } from '@trpc/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context, Services } from '../../operations/call.ts';
import { requestFacts } from '../headers/request-info.ts';
import { replyHeaders } from '../headers/response-headers.ts';
import { problemFrom } from '../problems/problem-from.ts';
import { logProblem, sendProblem } from '../problems/send-problem.ts';
import { trpcErrorOf } from '../trpc/error-shape.ts';
import { appRouter } from '../trpc/router.ts';

const PATH = 'guilds.watch';

const HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

type Watch = AsyncIterator<TrackedEnvelope<WatchEvent>, undefined>;

/**
 * Serves guilds.watch as tRPC serves subscriptions: the same procedure, the same messages. tRPC's own stream goes through
 * four web streams, the last of which takes a text apart character by character: docs/decisions/0009-pages-on-the-stream.md.
 */
export function mountWatch(app: FastifyInstance, services: Services): void {
  // Not an async handler: Fastify would keep waiting for what that returns, with listeners of its own for each watcher.
  app.get<{ Querystring: Query }>(`/trpc/${PATH}`, (request, reply) => {
    answer(request, reply, services).catch((error: unknown) => sendProblem(reply, error));
  });
}

/** As tRPC and EventSource ask. */
type Query = Readonly<Record<string, string | undefined>>;

async function answer(
  request: FastifyRequest<{ Querystring: Query }>,
  reply: FastifyReply,
  services: Services,
): Promise<void> {
  const aborter = new AbortController();
  const ctx: Context = {
    services,
    request: requestFacts(request, 'trpc', 1),
    reply: {},
    caller: {},
    body: { fields: null },
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
    logProblem(request.log, problemFrom(error));
    return trpcErrorOf(error, PATH, request.url);
  });
  reply.headers({ ...HEADERS, vary: `${reply.getHeader('vary')}, accept`, ...replyHeaders(ctx.reply) });
  reply.raw.once('close', () => aborter.abort());
  reply.send(request.method === 'HEAD' ? undefined : messages);
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

/** The messages of a watch. No generator, for the reason that a watch is none. */
function messagesOf(watch: Promise<Watch>, shapeOf: (error: unknown) => unknown): Readable {
  let isOver = false;
  const next = async (): Promise<string | null> => {
    if (isOver) return null;
    try {
      const { done, value } = await (await watch).next();
      if (!done) return `data: ${JSON.stringify(value[1])}\nid: ${value[0]}\n\n`;
      isOver = true;
      return 'event: return\ndata: \n\n';
    } catch (error) {
      isOver = true;
      return `event: serialized-error\ndata: ${JSON.stringify(shapeOf(error))}\n\n`;
    }
  };
  const messages = new Readable({
    read() {
      next().then(
        (message) => messages.push(message),
        (error: Error) => messages.destroy(error),
      );
    },
  });
  messages.push('event: connected\ndata: {}\n\n');
  return messages;
}
