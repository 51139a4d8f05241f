import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { loggedPath } from './logged-path.ts';
import type { Metrics } from './metrics.ts';

/** A request and the status of its response. */
export interface LoggedRequest {
  /** Request id, where the logger does not add it. */
  readonly reqId?: string;
  readonly method: string;
  /** Pattern of the route. */
  readonly route: string;
  /** Only the path is logged: a client may have put a secret into the query. */
  readonly url: string;
  readonly status: number;
  readonly durationMs: number;
}

/** Logs one line for a request, and measures its duration. */
export function recordRequest(log: FastifyBaseLogger, metrics: Metrics, request: LoggedRequest): void {
  const { reqId, method, route, url, status, durationMs } = request;
  metrics.request({ method, route, status }, durationMs / 1_000);
  if (log.level !== 'info' && log.level !== 'debug' && log.level !== 'trace') return;
  const path = loggedPath(url);
  const ms = Math.round(durationMs * 100) / 100;
  log.info({ ...(reqId && { reqId }), method, path, status, ms }, 'request');
}

/** Records a request that could not be parsed. Only the status of its response is logged. */
export function recordUnreadable(log: FastifyBaseLogger, metrics: Metrics, status: number): void {
  metrics.unreadableRequest(status);
  log.info({ status }, 'unreadable request');
}

/** Records every request that the application responds to. */
export function recordRequests(app: FastifyInstance, metrics: Metrics): void {
  app.addHook('onResponse', (request, reply, done) => {
    recordRequest(request.log, metrics, {
      method: request.method,
      route: request.routeOptions.url ?? 'none',
      url: request.url,
      status: reply.statusCode,
      durationMs: reply.elapsedTime,
    });
    done();
  });
}
