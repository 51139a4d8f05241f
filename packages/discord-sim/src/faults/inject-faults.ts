import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../clock.ts';
import { httpError } from '../rest/error-body.ts';
import { pathBelowApi } from '../rest/path.ts';
import { RATE_LIMIT_HEADERS, sendRateLimited } from '../rest/rate-limit-reply.ts';
import { cloudflarePage } from './cloudflare-page.ts';
import type { BodyFault, Fault } from './fault.ts';
import type { FaultPlan } from './fault-plan.ts';
import { spoilBody } from './spoil-body.ts';

/** Dependencies of the fault injection. */
export interface FaultInjection {
  readonly faults: FaultPlan;
  readonly clock: Clock;
  /** Aborts the waits of delayed responses. */
  readonly closing: AbortSignal;
}

/** Injects planned faults into requests. */
export function injectFaults(app: FastifyInstance, { faults, clock, closing }: FaultInjection): void {
  const bodyFaults = new WeakMap<FastifyRequest, BodyFault>();

  app.addHook('onRequest', async (request, reply) => {
    const fault = faults.take(pathBelowApi(request.url));
    if (!fault) return undefined;
    switch (fault.kind) {
      case 'latency':
        await delay(fault.ms, undefined, { signal: closing }).catch(() => reply.hijack());
        return undefined;
      case 'truncated-json':
      case 'wrong-shape':
      case 'close-mid-body':
        bodyFaults.set(request, fault);
        return undefined;
      default:
        return injectFault(fault, reply, clock());
    }
  });

  app.addHook('onSend', async (request, reply, payload) => {
    const fault = bodyFaults.get(request);
    return fault && typeof payload === 'string' ? spoilBody(fault, payload, reply) : payload;
  });
}

function injectFault(
  fault: Exclude<Fault, BodyFault | { kind: 'latency' }>,
  reply: FastifyReply,
  now: number,
): FastifyReply {
  switch (fault.kind) {
    case 'status':
      return reply.code(fault.status).send(httpError(fault.status));
    case 'rate-limit':
      return sendRateLimited(reply, {
        retryAfterSeconds: fault.retryAfterSeconds,
        global: fault.global ?? false,
        now,
      });
    case 'html': {
      const status = fault.status ?? 502;
      for (const header of RATE_LIMIT_HEADERS) reply.removeHeader(header);
      reply.code(status).header('server', 'cloudflare').type('text/html; charset=UTF-8');
      return reply.send(cloudflarePage(status));
    }
    case 'close-socket':
      reply.request.raw.socket.destroy();
      return reply.hijack();
    case 'hang':
      return reply.hijack();
  }
}
