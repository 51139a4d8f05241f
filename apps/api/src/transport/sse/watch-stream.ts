import { Readable } from 'node:stream';
import { ProblemError, type WatchEvent } from '@guild-settings/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ResponseMeta, Services, TokenCheckSlot } from '../../operations/call.ts';
import type { IdentifiedEvent } from '../../operations/operation.ts';
import { run } from '../../operations/run.ts';
import { watchGuilds } from '../../operations/watch-guilds.ts';
import type { Metrics } from '../../ops/metrics.ts';
import { HttpRequestInfo } from '../headers/request-info.ts';
import { responseHeaders } from '../headers/response-headers.ts';
import { problemFrom } from '../problems/problem-from.ts';
import { recordProblem, sendProblem } from '../problems/send-problem.ts';
import { trpcErrorOf } from '../trpc/error-shape.ts';

const PATH = 'guilds.watch';

const HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

type Watch = AsyncIterator<IdentifiedEvent<WatchEvent>, undefined>;

/**
 * Serves guilds.watch with the messages of a tRPC subscription. tRPC's own stream passes four web streams, the last of which
 * decodes a text character by character: docs/decisions/0009-pages-on-the-stream.md.
 */
export function mountWatch(app: FastifyInstance, services: Services, metrics: Metrics): void {
  // Not an async handler: Fastify would wait for its promise, with listeners of its own for each watch.
  app.get<{ Querystring: Query }>(`/trpc/${PATH}`, { config: { isStream: true } }, (request, reply) => {
    respond(request, reply, { services, metrics }).catch((error: unknown) => sendProblem(reply, error));
  });
}

/** The query as tRPC and EventSource send it. */
type Query = Readonly<Record<string, string | undefined>>;

async function respond(
  request: FastifyRequest<{ Querystring: Query }>,
  reply: FastifyReply,
  { services, metrics }: { readonly services: Services; readonly metrics: Metrics },
): Promise<void> {
  const aborter = new AbortController();
  // Before the first wait, in which the client may go away.
  reply.raw.once('close', () => aborter.abort());
  const token: TokenCheckSlot = {};
  const response: ResponseMeta = {};
  const watch: Promise<Watch> = run(watchGuilds, {
    services,
    request: new HttpRequestInfo(request, 'trpc'),
    response,
    token,
    input: async () => inputOf(request),
    signal: aborter.signal,
  });
  // A refusal is sent as a message of the stream, whose status is 200.
  const isRefused = await watch.then(
    () => false,
    () => true,
  );
  const messages = messagesOf(watch, (error) => {
    recordProblem(request, problemFrom(error), token.principal);
    return trpcErrorOf(error, PATH, request.url);
  });
  reply.headers({ ...HEADERS, vary: `${reply.getHeader('vary')}, accept`, ...responseHeaders(response) });
  if (request.method === 'HEAD') return void reply.send();
  reply.raw.once('close', isRefused ? metrics.watchRefused : metrics.watchStarted());
  reply.send(messages);
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

/** Streams the messages of a watch. Not a generator: see `Watch`, which must not retain the previous page. */
function messagesOf(watch: Promise<Watch>, shapeOf: (error: unknown) => unknown): Readable {
  let isOver = false;
  const next = async (): Promise<string | null> => {
    if (isOver) return null;
    try {
      const { done, value } = await (await watch).next();
      if (!done) return `data: ${JSON.stringify(value.event)}\nid: ${value.id}\n\n`;
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
