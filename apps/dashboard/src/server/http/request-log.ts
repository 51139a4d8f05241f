import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Metrics } from './metrics.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True: the response to GET is a stream that lasts for minutes. It is not part of the durations of requests. */
    readonly isStream?: boolean;
    /** True for health checks and scrapes, which come every few seconds: they are logged at level debug. */
    readonly isProbe?: boolean;
  }
}

/** Logs and measures a request. Of its address, the log has the pattern of the route: queries hold codes. */
export function recordRequest(request: FastifyRequest, reply: FastifyReply, metrics: Metrics): void {
  const { method, routeOptions, problem } = request;
  const { statusCode: status, elapsedTime: durationMs } = reply;
  const route = routeOptions.url ?? 'none';
  const ms = Math.round(durationMs * 100) / 100;
  // Behind a proxy that does not check it, the address is whatever the client has sent.
  const client = status === 429 && { client: request.ip };
  const { isStream, isProbe } = routeOptions.config;
  if (!(isStream && status === 200)) metrics.request({ method, route, status }, durationMs / 1_000);
  request.log[isProbe ? 'debug' : 'info'](
    { method, route, status, ms, ...(problem && { problem }), ...client },
    'request',
  );
}
