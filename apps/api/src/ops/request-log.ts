import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { loggedPath } from './logged-path.ts';
import type { Metrics } from './metrics.ts';

/** A request that was answered. */
export interface AnsweredRequest {
  /** Its id, where the logger does not add it by itself. */
  readonly reqId?: string;
  readonly method: string;
  /** The pattern of its address. */
  readonly route: string;
  /** The address itself. Of it only the path is logged: a query may hold what somebody should not have put there. */
  readonly url: string;
  readonly status: number;
  readonly milliseconds: number;
}

/** Writes one line and takes one measurement. */
export function recordRequest(log: FastifyBaseLogger, metrics: Metrics, request: AnsweredRequest): void {
  const { reqId, method, route, url, status, milliseconds } = request;
  metrics.request({ method, route, status }, milliseconds / 1_000);
  if (log.level !== 'info' && log.level !== 'debug' && log.level !== 'trace') return;
  const path = loggedPath(url);
  const ms = Math.round(milliseconds * 100) / 100;
  log.info({ ...(reqId && { reqId }), method, path, status, ms }, 'request');
}

/** Records what was no readable request: nothing of it is logged but how it was answered. */
export function recordUnreadable(log: FastifyBaseLogger, metrics: Metrics, status: number): void {
  metrics.unreadableRequest(status);
  log.info({ status }, 'unreadable request');
}

/** Records every request that the application answers. */
export function recordRequests(app: FastifyInstance, metrics: Metrics): void {
  app.addHook('onResponse', (request, reply, done) => {
    recordRequest(request.log, metrics, {
      method: request.method,
      route: request.routeOptions.url ?? 'none',
      url: request.url,
      status: reply.statusCode,
      milliseconds: reply.elapsedTime,
    });
    done();
  });
}
