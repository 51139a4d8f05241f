import { STATUS_CODES } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { httpError } from '../rest/error-body.ts';
import { pathBelowApi } from '../rest/path.ts';
import { RATE_LIMIT_HEADERS, sendRateLimited } from '../rest/rate-limit.ts';
import type { Clock } from '../world/snowflake.ts';
import type { BodyFault, Fault, FaultPlan } from './fault-plan.ts';

export interface FaultInjection {
  readonly faults: FaultPlan;
  readonly clock: Clock;
  /** Aborts the waits of delayed responses. */
  readonly closing: AbortSignal;
}

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

/** Returns the replacement of a body. Fastify sets the content length of strings, but not of streams. */
function spoilBody(fault: BodyFault, body: string, reply: FastifyReply): string | Readable {
  switch (fault.kind) {
    case 'truncated-json':
      return firstHalf(body);
    case 'wrong-shape':
      return JSON.stringify(body.startsWith('[') ? { items: null } : [{ unexpected: true }]);
    case 'close-mid-body':
      reply.header('content-length', Buffer.byteLength(body));
      return Readable.from(halfThenBreak(body));
  }
}

function firstHalf(body: string): string {
  return body.slice(0, Math.floor(body.length / 2));
}

async function* halfThenBreak(body: string): AsyncGenerator<string> {
  yield firstHalf(body);
  // The first half must be sent before Fastify handles the error by destroying the socket.
  await nextTurn();
  throw new Error('Closed by fault close-mid-body');
}

function cloudflarePage(status: number): string {
  const title = status === 200 ? 'Just a moment...' : `discord.com | ${status}: ${STATUS_CODES[status] ?? 'Error'}`;
  return [
    '<!DOCTYPE html>',
    '<html lang="en-US">',
    `<head><title>${title}</title><meta charset="UTF-8" /></head>`,
    `<body><div id="cf-wrapper"><h1>${title}</h1><p>Cloudflare Ray ID: <code>8c0ffee0c0ffee00</code></p></div></body>`,
    '</html>',
    '',
  ].join('\n');
}
