import type { FastifyInstance, FastifyRequest } from 'fastify';
import { pathBelowApi } from '../rest/path.ts';
import type { CallLog } from './call-log.ts';

/** Records every request in the log. Must be added before any hook that may respond. */
export function recordCalls(app: FastifyInstance, calls: CallLog): void {
  const setStatus = new WeakMap<FastifyRequest, (status: number) => void>();

  app.addHook('onRequest', async (request) => {
    setStatus.set(request, calls.enter(request.method, pathBelowApi(request.url)));
  });

  app.addHook('onSend', async (request, reply) => {
    setStatus.get(request)?.(reply.statusCode);
  });
}
