import { randomUUID } from 'node:crypto';
import cookie from '@fastify/cookie';
import {
  type Around,
  closeAfterUnreadBodies,
  serverInTurns,
  trustProxyOption,
} from '@guild-settings/runtime/http-server';
import { type LogOutput, logRedaction, openLogOutput, type Redactor } from '@guild-settings/runtime/log';
import Fastify, { type FastifyInstance, LogController } from 'fastify';
import type { DashboardConfig } from '../../config.ts';
import type { Metrics } from './metrics.ts';
import { sendProblem } from './problems.ts';
import { recordRequest } from './request-log.ts';
import { setSecurityHeaders } from './security-headers.ts';

const MAX_BODY_BYTES = 1_024;

export interface ServerTimeouts {
  readonly headers: number;
  readonly request: number;
  /** For a connection without progress in either direction. A stream of the service has an event at least every 5 s. */
  readonly idle: number;
}

const TIMEOUTS_MS: ServerTimeouts = { headers: 10_000, request: 15_000, idle: 20_000 };

const TIMEOUT_CHECK_INTERVAL_MS = 500;

export interface ServerOptions {
  readonly redactor: Redactor;
  readonly metrics: Metrics;
  /** Serves requests before Fastify does; none unless given. */
  readonly around?: Around | undefined;
  readonly logger?: { readonly stream: LogOutput } | undefined;
  readonly timeouts?: Partial<ServerTimeouts> | undefined;
}

/** Creates a Fastify server without routes: log, limits, security headers, cookies and problems. */
export async function createServer(
  { url, server, discord }: Pick<DashboardConfig, 'url' | 'server' | 'discord'>,
  { redactor, metrics, around, logger, timeouts: given }: ServerOptions,
): Promise<FastifyInstance> {
  const { trustProxy, logLevel: level } = server;
  const { serializers, hooks } = logRedaction(redactor);
  const timeouts = { ...TIMEOUTS_MS, ...given };
  const app = Fastify({
    logger: {
      level,
      // Fastify's type names the fields that every error has.
      serializers: serializers as { err: (error: unknown) => { type: string; message: string; stack: string } },
      hooks,
      stream: logger?.stream ?? openLogOutput(),
    },
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    trustProxy: trustProxyOption(trustProxy),
    bodyLimit: MAX_BODY_BYTES,
    serverFactory: serverInTurns(around),
    requestTimeout: timeouts.request,
    connectionTimeout: timeouts.idle,
    http: { headersTimeout: timeouts.headers, connectionsCheckingInterval: TIMEOUT_CHECK_INTERVAL_MS },
    // No hook would run for an address that cannot be decoded.
    rewriteUrl: ({ url = '/' }) => (isDecodable(url) ? url : '/not-decodable'),
    // HEAD would run the handlers of GET, with what they change and the streams that they open.
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
  });
  await setSecurityHeaders(app, { isHttps: url.startsWith('https:'), imageOrigin: discord.cdnUrl });
  await app.register(cookie);
  readJson(app);
  closeAfterUnreadBodies(app);
  recordRequests(app, metrics);
  app.setErrorHandler((error, request, reply) => sendProblem(request, reply, error));
  return app;
}

function isDecodable(url: string): boolean {
  try {
    return decodeURIComponent(url.split('?', 1)[0] ?? '') !== '';
  } catch {
    return false;
  }
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

function recordRequests(app: FastifyInstance, metrics: Metrics): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
  app.addHook('onSend', (_request, reply, _payload, done) => {
    // The files of the page have rules of their own.
    if (!reply.hasHeader('cache-control') && !reply.raw.hasHeader('cache-control'))
      reply.header('cache-control', 'no-store');
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    recordRequest(request, reply, metrics);
    done();
  });
}
