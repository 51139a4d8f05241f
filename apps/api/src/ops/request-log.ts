import type { FastifyInstance } from 'fastify';
import type { Metrics } from './metrics.ts';

/**
 * One line and one measurement a request. Of the address only the path is logged: a query may hold what somebody should
 * not have put there.
 */
export function recordRequests(app: FastifyInstance, metrics: Metrics): void {
  app.addHook('onResponse', async (request, reply) => {
    const { method } = request;
    const route = request.routeOptions.url ?? 'none';
    const { statusCode, elapsedTime } = reply;
    metrics.request({ method, route, status: statusCode }, elapsedTime / 1_000);
    const path = request.url.split('?', 1)[0];
    request.log.info({ method, path, status: statusCode, ms: Math.round(elapsedTime * 100) / 100 }, 'request');
  });
}
