import { type IncomingMessage, METHODS, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { PROBLEM_MEDIA_TYPE, PROBLEMS, ProblemError, type ProblemSlug } from '@guild-settings/contract';
import {
  type Around,
  closeAfterUnreadBodies,
  pendingResponse,
  serverInTurns,
  trustProxyOption,
} from '@guild-settings/runtime/http-server';
import { type LogOutput, openLogOutput, type Redactor } from '@guild-settings/runtime/log';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import type { Config } from '../config.ts';
import { logOptions, recordRequest, recordRequests, recordUnreadable } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import { sendProblem } from './problems.ts';
import { allowPreflight, receiveRequests, registerEveryMethod } from './receive-requests.ts';
import { type Cors, commonHeaders, requestId } from './response-headers.ts';
import { serveHalfClosed } from './responses.ts';

/** Limits for slow clients, in milliseconds. */
interface ServerTimeouts {
  readonly headers: number;
  readonly request: number;
  /** Time for which a client may read nothing of a response. */
  readonly write: number;
}

export interface ServerOptions {
  readonly redactor: Redactor;
  readonly metrics: Metrics;
  readonly cors: Cors;
  /** True: some paths have pages, which browsers open. */
  readonly hasPage: boolean;
  /** Handles requests before Fastify; not set unless given. */
  readonly around?: Around | undefined;
  readonly logger?: { readonly stream: LogOutput } | undefined;
  readonly timeouts?: Partial<ServerTimeouts> | undefined;
}

const TIMEOUTS_MS: ServerTimeouts = { headers: 10_000, request: 15_000, write: 20_000 };

/** Interval at which Node checks for requests that exceed a timeout. */
const TIMEOUT_CHECK_INTERVAL_MS = 500;

/** The longest path parameter: a complete batch of procedure names. A longer one is a 400. */
const MAX_PARAM_LENGTH = 2_000;

/** Creates a Fastify server without routes: logging, timeouts, common headers, CORS and problem documents for failures. */
export function createServer(config: Config['server'], options: ServerOptions): FastifyInstance {
  const { redactor, metrics, cors, logger } = options;
  const timeouts = { ...TIMEOUTS_MS, ...options.timeouts };
  const app = Fastify({
    logger: { level: config.logLevel, ...logOptions(redactor), stream: logger?.stream ?? openLogOutput() },
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestId,
    requestIdHeader: false,
    trustProxy: trustProxyOption(config.trustProxy),
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    serverFactory: serverInTurns(options.around),
    requestTimeout: timeouts.request,
    // For connections without progress in either direction. A watch sends an event at least every 5 s.
    connectionTimeout: timeouts.write,
    http: {
      requireHostHeader: false,
      headersTimeout: timeouts.headers,
      connectionsCheckingInterval: TIMEOUT_CHECK_INTERVAL_MS,
    },
    clientErrorHandler: (error, socket) =>
      respondToClientError(error, socket, {
        cors,
        record: (unreadable) => recordUnreadable(app.log, metrics, unreadable),
      }),
    // Hooks do not run for these requests.
    frameworkErrors: (error, request, reply) => {
      const { method, url } = request;
      const { statusCode: status } = refuseAddress(request, reply, { cors, error });
      recordRequest(request.log, metrics, { method, route: 'none', url, status, durationMs: reply.elapsedTime });
    },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
  });
  // A request with an unknown `Expect` header is served like any other.
  app.server.on('checkExpectation', app.routing);
  serveHalfClosed(app);
  registerEveryMethod(app);
  receiveRequests(app, cors, options.hasPage);
  closeAfterUnreadBodies(app);
  recordRequests(app, metrics);
  app.setErrorHandler((error, _request, reply) => sendProblem(reply, error));
  app.setNotFoundHandler((_request, reply) => sendProblem(reply, new ProblemError('not-found')));
  return app;
}

/** Refuses a URL that the router cannot parse; OPTIONS from an allowed origin still gets a 204. */
function refuseAddress(
  request: FastifyRequest,
  reply: FastifyReply,
  { cors, error }: { readonly cors: Cors; readonly error: Error },
): FastifyReply {
  if (allowPreflight(request, reply, cors)) return reply.code(204).send();
  // Fastify's message would repeat the whole request target.
  const detail = 'The address is too long, or its percent-encoding is malformed.';
  return sendProblem(reply, new ProblemError('invalid-request', { detail, cause: error }));
}

const BY_CODE: ReadonlyMap<string, ProblemSlug> = new Map([
  ['ERR_HTTP_REQUEST_TIMEOUT', 'request-timeout'],
  ['HPE_HEADER_OVERFLOW', 'headers-too-large'],
]);

interface ClientErrorOptions {
  readonly cors: Cors;
  readonly record: (unreadable: { readonly status: number; readonly reqId: string }) => void;
}

/**
 * Responds to a request that is malformed or arrives too slowly, and closes the connection. Node creates no
 * `ServerResponse` for such a request, so this decides if the response has a body.
 */
function respondToClientError(error: UnreadableError, socket: Socket, { cors, record }: ClientErrorOptions): void {
  const response = pendingResponse(socket);
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  // The client is already receiving the response, and would interpret another one as a part of it.
  if (response?.headersSent) return void socket.destroySoon();
  // The request is complete, so the error is in the data after it. The response is sent, and is the last one.
  if (response?.req.complete) return void response.setHeader('connection', 'close');
  const slug = BY_CODE.get(error.code ?? '');
  const problem = new ProblemError(slug ?? 'invalid-request', {
    ...(slug === undefined && { detail: 'This is not a well-formed HTTP/1.1 request.' }),
  });
  const head = response === undefined ? readHead(error) : headOf(response.req);
  record({ status: PROBLEMS[problem.slug].status, reqId: head.requestId });
  socket.end(responseTo(head, problem, cors));
}

/**
 * Returns a complete response. Without a body, it only has the length of the response to GET if the request is HEAD.
 */
function responseTo({ requestId, origin, body }: RequestHead, problem: ProblemError, cors: Cors): string {
  const { status } = PROBLEMS[problem.slug];
  const text = JSON.stringify(problem.toProblem('/'));
  const headers = {
    ...commonHeaders({ requestId, origin: origin ?? cors.onlyOrigin, cors }),
    ...(body !== 'unknown' && { 'content-type': PROBLEM_MEDIA_TYPE }),
    'content-length': body === 'unknown' ? '0' : String(Buffer.byteLength(text)),
    date: new Date().toUTCString(),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', ''].join('\r\n');
  return body === 'allowed' ? head + text : head;
}

/** An error of Node's HTTP parser, or a timeout. */
interface UnreadableError extends Error {
  readonly code?: string;
  /** The data received together with the error, a Buffer; absent for a timeout. */
  readonly rawPacket?: unknown;
}

interface RequestHead {
  /** The client's own id if it could be read, otherwise a new one. */
  readonly requestId: string;
  /** Undefined: not sent, or not readable. */
  readonly origin: string | undefined;
  /** Permission of a body in the response: not for HEAD, nor if the method could not be read. */
  readonly body: 'allowed' | 'head' | 'unknown';
}

/** Returns the head of a request whose headers were received and whose body is malformed or too slow. */
function headOf(request: IncomingMessage): RequestHead {
  const { method, headers } = request;
  return { requestId: requestId(request), origin: headers.origin, body: method === 'HEAD' ? 'head' : 'allowed' };
}

/**
 * Returns the head of a request whose headers were not completely received, from the data that arrived with the error:
 * the entire request, or its last part. Node does not keep earlier parts.
 */
function readHead({ code, rawPacket }: UnreadableError): RequestHead {
  const packet = Buffer.isBuffer(rawPacket) ? rawPacket.toString('latin1') : '';
  return {
    requestId: requestId({ headers: { 'x-request-id': headerIn(packet, 'x-request-id') } }),
    origin: headerIn(packet, 'origin'),
    body: bodyFor(packet, code),
  };
}

function bodyFor(packet: string, code: string | undefined): RequestHead['body'] {
  const method = /^(?:\r?\n)*([A-Z-]+) /.exec(packet)?.[1] ?? '';
  // Several requests may be in one packet, and the packet may be the end of a request.
  if (packet.includes('HEAD ')) return method === 'HEAD' ? 'head' : 'unknown';
  // An unknown HTTP method is not HEAD either.
  return METHODS.includes(method) || code === 'HPE_INVALID_METHOD' ? 'allowed' : 'unknown';
}

function headerIn(packet: string, name: string): string | undefined {
  const lines = packet.split('\r\n').slice(1, -1);
  const line = lines.findLast((one) => one.slice(0, name.length + 1).toLowerCase() === `${name}:`);
  return line?.slice(name.length + 1).trim();
}
