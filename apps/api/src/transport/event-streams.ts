import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { PROBLEMS, ProblemError } from '@guild-settings/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { SessionOverError } from '../auth/session-tokens.ts';
import { createTurns } from '../clock.ts';
import type { Encoding, IdentifiedEvent, Outlet } from '../feed/events.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { ResponseState, Services, TokenCheckSlot } from '../operations/call.ts';
import type { ServedOperation } from '../operations/handler.ts';
import { operationOf } from '../operations/handlers.ts';
import { run } from '../operations/run.ts';
import type { RequestSession, SessionRequests } from '../page/session-routes.ts';
import { problemFrom, problemHeaders, recordProblem, sendProblem } from './problems.ts';
import { routeWithSlash } from './receive-requests.ts';
import { HttpRequestInfo } from './request-info.ts';
import { responseHeaders } from './response-headers.ts';
import { closeWhenHalfClosed, onGone } from './responses.ts';
import { trpcErrorOf } from './trpc/error-shape.ts';

const HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

/** The events of an operation. Some sources can write to the stream themselves while the iteration waits. */
interface Events extends AsyncIterator<IdentifiedEvent<{ readonly type: string }>, void> {
  writeTo?(outlet: Outlet): void;
}

type Request = FastifyRequest<{ Params: Readonly<Record<string, string>>; Querystring: Query }>;

type Query = Readonly<Record<string, string | undefined>>;

interface StreamRoute {
  readonly url: string;
  readonly operation: ServedOperation;
  readonly transport: 'rest' | 'trpc';
  readonly input: (request: Request) => unknown;
  readonly format: StreamFormat;
}

/** Events with their types as names, as `EventSource` dispatches them. */
const REST_FORMAT: EventFormat = {
  name: 'rest',
  start: ': open\n\n',
  end: null,
  message: ({ id, event }) => `event: ${event.type}\nid: ${id}\ndata: ${JSON.stringify(event)}\n\n`,
  failure: (error, url) => `event: problem\ndata: ${JSON.stringify(problemFrom(error).toProblem(url))}\n\n`,
};

/**
 * An empty comment, which clients ignore. @see
 * https://html.spec.whatwg.org/multipage/server-sent-events.html#authoring-notes
 */
const COMMENT = ':\n\n';

const streamFormat = (format: EventFormat): StreamFormat => ({ format, encoding: encodingOf(format) });

const TRPC = { transport: 'trpc', input: inputOf } as const;

const ROUTES: readonly StreamRoute[] = [
  {
    ...TRPC,
    url: '/trpc/guilds.watch',
    operation: operationOf('guilds.watch'),
    format: streamFormat(trpcFormat('guilds.watch')),
  },
  {
    ...TRPC,
    url: '/trpc/guilds.follow',
    operation: operationOf('guilds.follow'),
    format: streamFormat(trpcFormat('guilds.follow')),
  },
  {
    url: '/guilds/:guild/events',
    operation: operationOf('guilds.follow'),
    transport: 'rest',
    input: parametersOf,
    format: streamFormat(REST_FORMAT),
  },
];

/**
 * Serves the operations that are streams as server-sent events, over tRPC with the messages of a subscription. tRPC's
 * own stream passes through four web streams, the last of which decodes text character by character:
 * docs/decisions/0009-pages-on-the-stream.md.
 */
export function mountStreams(app: FastifyInstance, parts: StreamParts): void {
  // Many streams open at once when a service or a proxy was restarted.
  const turn = createTurns();
  for (const route of ROUTES) {
    const options: RouteOptions = {
      method: 'GET',
      url: route.url,
      config: { isStream: true, takesSession: route.transport === 'trpc' },
      // Not an async handler: Fastify would wait for its promise, with its own listeners for each stream.
      handler: (request, reply) => {
        const exchange = { request: request as Request, reply, ...parts };
        turn()
          .then(() => respond(route, exchange))
          .catch((error: unknown) => sendProblem(reply, error));
      },
    };
    if (route.transport === 'rest') routeWithSlash(app, options);
    else app.route(options);
  }
}

interface StreamExchange extends StreamParts {
  readonly request: Request;
  readonly reply: FastifyReply;
}

interface StreamParts {
  readonly services: Services;
  readonly metrics: Metrics;
  readonly sessions: SessionRequests | undefined;
}

async function respond(route: StreamRoute, exchange: StreamExchange): Promise<void> {
  const { request, reply, services, metrics, sessions } = exchange;
  const { operation, transport, format } = route;
  const aborter = new AbortController();
  // Registered before the first wait, in which the client may disconnect.
  onGone(reply.raw, () => aborter.abort());
  const token: TokenCheckSlot = {};
  const response: ResponseState = {};
  const info = new HttpRequestInfo(request, transport);
  const input = async () => route.input(request);
  const call = { services, request: info, response, token, input, signal: aborter.signal };
  if (transport === 'trpc' && sessions?.idOf(request) !== undefined) {
    // Fails with a status, so that a proxy and the browser see that there is no stream.
    const found = await openSession(operation, request, sessions).catch((error: unknown) => ({ error }));
    if ('error' in found) return refuse(found.error, route, exchange);
    request.session = found;
  }
  const events = run(operation, call) as Promise<Events>;
  const refusal = await events.then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  if (refusal !== undefined && transport === 'rest') {
    reply.headers(responseHeaders(response));
    sendProblem(reply, refusal.error, token.principal);
    return;
  }
  reply.headers({ ...HEADERS, vary: `${reply.getHeader('vary')}, accept`, ...responseHeaders(response) });
  if (request.method === 'HEAD') return void reply.send();
  onGone(reply.raw, refusal === undefined ? metrics.watchStarted() : metrics.watchRefused);
  reply.hijack();
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value);
  }
  const stream = new EventStream(reply.raw, format, aborter.signal);
  if (refusal === undefined) closeWhenHalfClosed(request.raw, reply.raw);
  const end = (error: unknown) => {
    recordProblem(request, problemFrom(error), token.principal);
    stream.end(format.format.failure(error, request.url));
  };
  if (request.session !== undefined && sessions !== undefined) {
    const leave = sessions.follow(request.session, () => {
      end(new SessionOverError());
      aborter.abort();
    });
    onGone(reply.raw, leave);
  }
  // Over tRPC a refusal is a message of the stream, with status 200.
  await send(stream, events).then(() => stream.end(format.format.end), end);
}

async function openSession(
  { page }: ServedOperation,
  request: Request,
  sessions: SessionRequests,
): Promise<RequestSession> {
  if (page !== true) throw new ProblemError('not-found', { detail: 'Expected a procedure that pages may call.' });
  return sessions.open(request);
}

function refuse(error: unknown, { format }: StreamRoute, { request, reply }: StreamExchange): void {
  const problem = problemFrom(error);
  recordProblem(request, problem);
  reply.code(PROBLEMS[problem.slug].status).headers(problemHeaders(problem)).type('application/json');
  reply.send(JSON.stringify({ error: trpcErrorOf(problem, format.format.name, request.url) }));
}

async function send(stream: EventStream, source: Promise<Events>): Promise<void> {
  const events = await source;
  events.writeTo?.(stream);
  for (let next = await events.next(); !next.done; next = await events.next()) await stream.send(next.value);
}

function inputOf({ query, headers }: Request): unknown {
  const input = query.input === undefined ? undefined : parsed(query.input);
  const lastEventId = headers['last-event-id'] ?? query.lastEventId;
  return lastEventId === undefined ? input : { ...(input as object | undefined), lastEventId };
}

function parametersOf({ params, query, headers }: Request): unknown {
  const lastEventId = headers['last-event-id'];
  return { ...query, ...params, ...(lastEventId !== undefined && { lastEventId }) };
}

function parsed(input: string): unknown {
  try {
    return JSON.parse(input);
  } catch (error) {
    throw new ProblemError('invalid-request', { detail: 'The input is not JSON.', cause: error });
  }
}

interface StreamFormat {
  readonly format: EventFormat;
  readonly encoding: Encoding;
}

class EventStream implements Outlet {
  readonly encoding: Encoding;
  readonly #response: ServerResponse;
  readonly #gone: AbortSignal;

  /**
   * Sends the headers of the response and the start of the stream.
   * @param gone aborted when the client disconnects
   */
  constructor(response: ServerResponse, { format, encoding }: StreamFormat, gone: AbortSignal) {
    // The stream ends with its connection (RFC 9112, section 6.3): Node would otherwise frame each event as a chunk,
    // for each connection.
    response.removeHeader('transfer-encoding');
    response.setHeader('connection', 'close');
    response.write(format.start);
    this.#response = response;
    this.#gone = gone;
    this.encoding = encoding;
  }

  write(bytes: Buffer): boolean {
    return this.#response.writableEnded || this.#response.write(bytes);
  }

  async drained(): Promise<void> {
    if (!this.#response.writableNeedDrain || this.#gone.aborted) return;
    await once(this.#response, 'drain', { signal: this.#gone }).catch(() => {});
  }

  async send(event: IdentifiedEvent<{ readonly type: string }>): Promise<void> {
    if (!this.write(this.encoding.encode([event]))) await this.drained();
  }

  end(message: string | null): void {
    if (!this.#response.writableEnded) this.#response.end(message ?? undefined);
  }
}

interface EventFormat {
  readonly name: string;
  /** Sent at once, so that the client knows that the stream is open. */
  readonly start: string;
  readonly end: string | null;
  message(event: IdentifiedEvent<{ readonly type: string }>): string;
  /** Returns the last message of a stream that cannot continue. */
  failure(error: unknown, url: string): string;
}

function trpcFormat(path: string): EventFormat {
  return {
    name: path,
    start: 'event: connected\ndata: {}\n\n',
    end: 'event: return\ndata: \n\n',
    message: ({ id, event }) => `data: ${JSON.stringify(event)}\nid: ${id}\n\n`,
    failure: (error, url) => `event: serialized-error\ndata: ${JSON.stringify(trpcErrorOf(error, path, url))}\n\n`,
  };
}

/**
 * The encoding of a format: the same bytes for every connection, because a stream ends with its connection and is not
 * chunked.
 */
function encodingOf(format: EventFormat): Encoding {
  return {
    name: format.name,
    heartbeat: Buffer.from(COMMENT),
    encode: (events) => Buffer.from(events.map((event) => format.message(event)).join('')),
  };
}
