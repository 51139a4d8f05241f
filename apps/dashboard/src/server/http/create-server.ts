import { randomUUID } from 'node:crypto';
import cookie from '@fastify/cookie';
import { LIMITS } from '@guild-settings/contract';
import { logRedaction, type Redactor } from '@guild-settings/log-redaction';
import Fastify, { type FastifyInstance, LogController } from 'fastify';
import type { DashboardConfig } from '../../config.ts';
import { sendProblem } from './problems.ts';
import { setSecurityHeaders } from './security-headers.ts';

/** The largest body: that of a tRPC call which the service accepts of a user, in bytes. It is read before the session is known. */
const MAX_BODY_BYTES = LIMITS.bodyBytes + 128;

const REQUEST_TIMEOUT_MS = 15_000;
const HEADERS_TIMEOUT_MS = 10_000;
const CONNECTION_TIMEOUT_MS = 20_000;

export interface ServerOptions {
  readonly redactor: Redactor;
  /** Destination of the log; standard output unless given. */
  readonly logger?: { readonly stream: { write(line: string): unknown } } | undefined;
}

/** Creates a Fastify server without routes: log, limits, security headers, cookies and problems. */
export async function createServer(
  { url, server }: Pick<DashboardConfig, 'url' | 'server'>,
  { redactor, logger }: ServerOptions,
): Promise<FastifyInstance> {
  const { trustProxy, logLevel: level } = server;
  const { serializers, hooks } = logRedaction(redactor);
  const app = Fastify({
    logger: {
      level,
      // Fastify's type names the fields that every error has.
      serializers: serializers as { err: (error: unknown) => { type: string; message: string; stack: string } },
      hooks,
      ...logger,
    },
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    trustProxy: typeof trustProxy === 'number' ? (_address: string, hop: number) => hop < trustProxy : trustProxy,
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    // For connections without progress in either direction. A stream of the service has an event at least every 5 s.
    connectionTimeout: CONNECTION_TIMEOUT_MS,
    http: { headersTimeout: HEADERS_TIMEOUT_MS },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
  });
  await setSecurityHeaders(app, { isHttps: url.startsWith('https:') });
  await app.register(cookie);
  readJson(app);
  logRequests(app);
  app.setErrorHandler((error, request, reply) => sendProblem(request, reply, error));
  return app;
}

/** Reads JSON bodies alone. An empty one is no input. */
function readJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, body === '' ? undefined : JSON.parse(String(body)));
    } catch (error) {
      done(Object.assign(error as SyntaxError, { statusCode: 400 }));
    }
  });
}

/** Logs a line for each request. Of its address, the log has the pattern of the route: queries hold codes. */
function logRequests(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const { method, routeOptions, problem } = request;
    const ms = Math.round(reply.elapsedTime * 100) / 100;
    const route = routeOptions.url ?? 'none';
    request.log.info({ method, route, status: reply.statusCode, ms, ...(problem && { problem }) }, 'request');
    done();
  });
}
