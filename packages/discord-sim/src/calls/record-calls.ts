import type { FastifyInstance, FastifyRequest } from 'fastify';
import { pathBelowApi } from '../rest/path.ts';
import type { CallLog } from './call-log.ts';

/** Enters every request in the log. To be added before any hook that may answer. */
export function recordCalls(app: FastifyInstance, calls: CallLog): void {
  const answered = new WeakMap<FastifyRequest, (status: number) => void>();

  app.addHook('onRequest', async (request) => {
    answered.set(request, calls.enter(request.method, pathBelowApi(request.url)));
  });

  app.addHook('onSend', async (request, reply) => {
    answered.get(request)?.(reply.statusCode);
  });
}
