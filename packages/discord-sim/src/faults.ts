import { STATUS_CODES } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { httpError } from './rest/error-body.ts';
import { pathBelowApi } from './rest/path.ts';
import { RATE_LIMIT_HEADERS, sendRateLimited } from './rest/rate-limit.ts';
import type { Clock } from './world/snowflake.ts';

export type Fault =
  /** Handles the request `ms` real milliseconds after its arrival, with the state at that time. */
  | { readonly kind: 'latency'; readonly ms: number }
  | { readonly kind: 'status'; readonly status: number }
  | { readonly kind: 'rate-limit'; readonly retryAfterSeconds: number; readonly global?: boolean }
  /** Responds with an HTML page of the CDN; status 502 unless given. */
  | { readonly kind: 'html'; readonly status?: number }
  /** Responds with the first half of the JSON, with a matching content length. */
  | { readonly kind: 'truncated-json' }
  /** Responds with the right status and JSON of another shape. */
  | { readonly kind: 'wrong-shape' }
  /** Destroys the socket without a response. */
  | { readonly kind: 'close-socket' }
  /** Sends the headers and half of the body, then destroys the socket. */
  | { readonly kind: 'close-mid-body' }
  /** Never responds; the socket stays open until the simulator closes. */
  | { readonly kind: 'hang' };

type BodyFault = Extract<Fault, { kind: 'truncated-json' | 'wrong-shape' | 'close-mid-body' }>;

export interface FaultScope {
  /** Prefix of the path below `/api/v10`, such as `/users/@me`; every path unless given. */
  readonly path?: string;
  /** The number of calls until the fault is removed; unlimited unless given. */
  readonly times?: number;
}

/** Planned faults, at most one per path prefix. The longest matching prefix applies. */
export class FaultPlan {
  readonly #planned = new Map<string, { readonly fault: Fault; remaining: number }>();

  /** Plans a fault, replacing that of the same prefix; `null` removes it. */
  set(fault: Fault | null, { path = '', times = Number.POSITIVE_INFINITY }: FaultScope = {}): void {
    if (fault && times > 0) this.#planned.set(path, { fault, remaining: times });
    else this.#planned.delete(path);
  }

  clear(): void {
    this.#planned.clear();
  }

  /**
   * Returns the fault for a call to this path, and counts the call.
   *
   * @internal
   */
  take(path: string): Fault | null {
    const prefix = [...this.#planned.keys()]
      .filter((candidate) => path.startsWith(candidate))
      .reduce<string | null>(
        (longest, next) => (longest !== null && longest.length > next.length ? longest : next),
        null,
      );
    const planned = prefix === null ? undefined : this.#planned.get(prefix);
    if (prefix === null || !planned) return null;
    planned.remaining -= 1;
    if (planned.remaining <= 0) this.#planned.delete(prefix);
    return planned.fault;
  }
}

export interface FaultInjection {
  readonly faults: FaultPlan;
  readonly clock: Clock;
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
