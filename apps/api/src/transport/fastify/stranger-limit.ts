import { ProblemError } from '@guild-settings/contract';
import { clientNetwork } from '@guild-settings/runtime/http-server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createWindows, secondsLeft } from '../../auth/limits.ts';
import { bearerToken } from '../headers/request-info.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Returns how many results a response has that everybody may request. Default: none. */
    readonly publicResults?: (params: unknown) => number;
    /** True: a session is a credential. */
    readonly takesSession?: boolean;
  }
}

const WINDOW_MS = 60_000;

/** Requests without credentials from one address for each that a person may send: many people can share an address. */
const PEOPLE = 4;

/** Bytes of responses to them in a minute. */
const MAX_BYTES = 128 * 1_024 * 1_024;

const MAX_ADDRESSES = 100_000;

const DETAIL =
  'Too many requests without credentials were sent from this IP address. Retry after the seconds in Retry-After, or send a token.';

export interface StrangerLimitOptions {
  /** Requests that one person may send in a minute; 0: no limit, also not of strangers. */
  readonly perMinute: number;
  readonly monotonicMs: () => number;
  /** Returns whether a token was checked before. */
  readonly isKnown: (token: string) => boolean;
  /** Returns whether the request has a session that was found before; absent: there is no page. */
  readonly hasKnownSession: ((request: FastifyRequest) => boolean) | undefined;
}

/**
 * Limits requests without credentials by address: their number, and the bytes of the responses. For results that everybody may
 * request, a token that is not known is no credential. Health checks are not limited.
 */
export function limitStrangers(
  app: FastifyInstance,
  { perMinute, monotonicMs, isKnown, hasKnownSession }: StrangerLimitOptions,
): void {
  if (perMinute === 0) return;
  const windows = createWindows({ windowMs: WINDOW_MS, maxClients: MAX_ADDRESSES, monotonicMs });
  const windowOf = ({ ip }: FastifyRequest) => windows(clientNetwork(ip));
  const isStranger = (request: FastifyRequest) => {
    const { method, headers, routeOptions, params } = request;
    const { isProbe = false, publicResults, takesSession = false } = routeOptions.config;
    if (method === 'OPTIONS' || (isProbe && routeOptions.url !== '/metrics')) return false;
    if (takesSession && hasKnownSession?.(request) === true) return false;
    const token = tokenIn(headers.authorization);
    return token === undefined || ((publicResults?.(params) ?? 0) > 0 && !isKnown(token));
  };
  app.addHook('onRequest', (request, _reply, done) => {
    if (!isStranger(request)) return done();
    const window = windowOf(request);
    window.count += Math.max(1, request.routeOptions.config.publicResults?.(request.params) ?? 1);
    if (window.count <= perMinute * PEOPLE && window.bytes <= MAX_BYTES) return done();
    done(new ProblemError('rate-limited', { retryAfter: secondsLeft(window, monotonicMs), detail: DETAIL }));
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    if (request.method !== 'HEAD' && isStranger(request)) windowOf(request).bytes += bytesOf(reply, payload);
    done();
  });
}

function tokenIn(authorization: string | undefined): string | undefined {
  try {
    return bearerToken(authorization);
  } catch {
    return undefined;
  }
}

function bytesOf(reply: FastifyReply, payload: unknown): number {
  if (typeof payload === 'string' || payload instanceof Uint8Array) return payload.length;
  return payload == null ? 0 : Number(reply.getHeader('content-length') ?? 0);
}
