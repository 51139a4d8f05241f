import { ProblemError } from '@guild-settings/contract';
import {
  type Around,
  closeAfterUnreadBodies,
  serverInTurns,
  trustProxyOption,
} from '@guild-settings/runtime/http-server';
import { type LogOutput, openLogOutput, type Redactor } from '@guild-settings/runtime/log';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import type { Config } from '../../config.ts';
import { logOptions, recordRequest, recordRequests, recordUnreadable } from '../../observability/log.ts';
import type { Metrics } from '../../observability/metrics.ts';
import type { Cors } from '../headers/cors.ts';
import { requestId } from '../headers/response-headers.ts';
import { respondToClientError } from '../problems/client-errors.ts';
import { sendProblem } from '../problems/send-problem.ts';
import { serveHalfClosed } from './half-closed.ts';
import { registerEveryMethod } from './other-methods.ts';
import { allowPreflight, receiveRequests } from './receive-requests.ts';

/** Limits of slow clients, in milliseconds. */
export interface ServerTimeouts {
  readonly headers: number;
  readonly request: number;
  /** For reading nothing of a response. */
  readonly write: number;
}

export interface ServerOptions {
  readonly redactor: Redactor;
  readonly metrics: Metrics;
  readonly cors: Cors;
  /** True: some paths have pages, which browsers open. */
  readonly hasPage: boolean;
  /** Serves requests before Fastify does; none unless given. */
  readonly around?: Around | undefined;
  readonly logger?: { readonly stream: LogOutput } | undefined;
  readonly timeouts?: Partial<ServerTimeouts> | undefined;
}

const TIMEOUTS_MS: ServerTimeouts = { headers: 10_000, request: 15_000, write: 20_000 };

/** Interval at which Node looks for requests that exceed a timeout. */
const TIMEOUT_CHECK_INTERVAL_MS = 500;

/** The longest path parameter: a whole batch of procedure names. A longer one is a 400. */
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
    // No hook runs for these requests.
    frameworkErrors: (error, request, reply) => {
      const { method, url } = request;
      const { statusCode: status } = refuseAddress(request, reply, { cors, error });
      recordRequest(request.log, metrics, { method, route: 'none', url, status, durationMs: reply.elapsedTime });
    },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
  });
  // A request with an unknown expectation is served like any other.
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

/** Refuses an address that the router cannot read; OPTIONS from an allowed origin is 204 there as well. */
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
