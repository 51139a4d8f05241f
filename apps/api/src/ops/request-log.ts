import { isIP } from 'node:net';
import { PROBLEMS, type ProblemSlug } from '@guild-settings/contract';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { loggedPath } from './logged-path.ts';
import type { Metrics } from './metrics.ts';

export interface LoggedPrincipal {
  readonly kind: 'user' | 'application';
  readonly id: string;
  readonly onBehalfOf?: string;
}

export interface LoggedRefusal {
  readonly problem: ProblemSlug;
  readonly principal?: LoggedPrincipal | undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    refusal?: LoggedRefusal;
  }
  interface FastifyContextConfig {
    /** True: the response to GET is a stream that lasts for minutes. It is not part of the durations of requests. */
    readonly isStream?: boolean;
    /** True for health checks and scrapes, which come every few seconds: they are logged at level debug. */
    readonly isProbe?: boolean;
  }
}

export interface LoggedRequest {
  readonly reqId?: string;
  readonly method: string;
  readonly route: string;
  /** Only the path is logged: a client may have put a secret into the query. */
  readonly url: string;
  readonly status: number;
  readonly durationMs: number;
  readonly refusal?: LoggedRefusal | undefined;
  readonly client?: string;
  readonly isStream?: boolean;
  readonly isProbe?: boolean;
}

/** Refusals whose callers an operator looks for. */
const NAMED_STATUSES: ReadonlySet<number> = new Set([401, 403, 429]);

export function recordRequest(log: FastifyBaseLogger, metrics: Metrics, request: LoggedRequest): void {
  const { reqId, method, route, url, status, durationMs, refusal, isStream = false, isProbe = false } = request;
  if (!isStream) metrics.request({ method, route, status }, durationMs / 1_000);
  if (log.level !== 'debug' && log.level !== 'trace' && (isProbe || log.level !== 'info')) return;
  const path = loggedPath(url);
  const ms = Math.round(durationMs * 100) / 100;
  // A literal without spreads, which take V8 as long as writing the line does. Undefined fields are not written.
  const line = { reqId, method, path, status, ms };
  const fields = refusal === undefined ? line : { ...line, ...refusedFields(refusal, request.client) };
  if (isProbe) log.debug(fields, 'request');
  else log.info(fields, 'request');
}

function refusedFields({ problem, principal }: LoggedRefusal, client = ''): object {
  if (!NAMED_STATUSES.has(PROBLEMS[problem].status)) return { problem };
  // Behind a proxy that does not check it, the address is whatever the client has sent.
  return { problem, ...(isIP(client) && { client }), ...(principal && { principal }) };
}

/** Records a request that could not be parsed. Only the status and the request id of its response are logged. */
export function recordUnreadable(
  log: FastifyBaseLogger,
  metrics: Metrics,
  { status, reqId }: { readonly status: number; readonly reqId: string },
): void {
  metrics.unreadableRequest(status);
  log.info({ reqId, status }, 'unreadable request');
}

export function recordRequests(app: FastifyInstance, metrics: Metrics): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { method, url, routeOptions, refusal } = request;
    recordRequest(request.log, metrics, {
      method,
      route: routeOptions.url?.replace(/(?<=.)\/$/, '') ?? 'none',
      url,
      status: reply.statusCode,
      durationMs: reply.elapsedTime,
      isStream: method === 'GET' && routeOptions.config.isStream === true,
      isProbe: routeOptions.config.isProbe === true,
      ...(refusal && { refusal, client: request.ip }),
    });
    done();
  });
}
