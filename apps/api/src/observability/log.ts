import { isIP } from 'node:net';
import { PROBLEMS, type ProblemSlug } from '@guild-settings/contract';
import { createRedactor, logRedaction, type Redactor, urlSecrets } from '@guild-settings/runtime/log';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import type { Metrics } from './metrics.ts';

export interface LoggedPrincipal {
  readonly kind: 'user' | 'application';
  readonly id: string;
  readonly onBehalfOf?: string;
}

interface LoggedRefusal {
  readonly problem: ProblemSlug;
  readonly principal?: LoggedPrincipal | undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    refusal?: LoggedRefusal;
  }
  interface FastifyContextConfig {
    /** True: the response to GET is a stream that lasts for minutes, and is excluded from the request durations. */
    readonly isStream?: boolean;
    /** True for health checks and scrapes, which occur every few seconds: they are logged at level debug. */
    readonly isProbe?: boolean;
  }
}

interface LoggedRequest {
  readonly reqId?: string;
  readonly method: string;
  readonly route: string;
  /** Only the path is logged: the query could contain a secret of a client. */
  readonly url: string;
  readonly status: number;
  readonly durationMs: number;
  readonly refusal?: LoggedRefusal | undefined;
  readonly client?: string;
  readonly isStream?: boolean;
  readonly isProbe?: boolean;
}

/** Refusals whose callers are of interest to an operator. */
const NAMED_STATUSES: ReadonlySet<number> = new Set([401, 403, 429]);

export function recordRequest(log: FastifyBaseLogger, metrics: Metrics, request: LoggedRequest): void {
  const { reqId, method, route, url, status, durationMs, refusal, isStream = false, isProbe = false } = request;
  if (!isStream) metrics.request({ method, route, status }, durationMs / 1_000);
  if (log.level !== 'debug' && log.level !== 'trace' && (isProbe || log.level !== 'info')) return;
  const path = loggedPath(url);
  const ms = Math.round(durationMs * 100) / 100;
  // A literal without spreads, which would take V8 as long as writing the line. Undefined fields are not written.
  const line = { reqId, method, path, status, ms };
  const fields = refusal === undefined ? line : { ...line, ...refusedFields(refusal, request.client) };
  if (isProbe) log.debug(fields, 'request');
  else log.info(fields, 'request');
}

function refusedFields({ problem, principal }: LoggedRefusal, client = ''): object {
  if (!NAMED_STATUSES.has(PROBLEMS[problem].status)) return { problem };
  // The address is checked, because a proxy may pass on any value that the client has sent.
  return { problem, ...(isIP(client) && { client }), ...(principal && { principal }) };
}

/** Records a request that could not be parsed. Only the status and the request id of its response are logged. */
export function recordUnreadable(
  log: FastifyBaseLogger,
  metrics: Metrics,
  { status, reqId }: { readonly status: number; readonly reqId: string },
): void {
  metrics.unreadableRequest(status);
  log.info({ reqId, status }, 'unreadable request');
}

export function recordRequests(app: FastifyInstance, metrics: Metrics): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { method, url, routeOptions, refusal } = request;
    recordRequest(request.log, metrics, {
      method,
      route: routeOptions.url?.replace(/(?<=.)\/$/, '') ?? 'none',
      url,
      status: reply.statusCode,
      durationMs: reply.elapsedTime,
      isStream: method === 'GET' && routeOptions.config.isStream === true,
      isProbe: routeOptions.config.isProbe === true,
      ...(refusal && { refusal, client: request.ip }),
    });
    done();
  });
}

const MAX_SEGMENTS = 8;

/** An id, or a short word as in the paths of this service: too short for a token. */
const PLAIN_SEGMENT = /^(?:\d{0,20}|[A-Za-z][\w.-]{0,19})$/;

const PLAIN_PATH = /^(?:\/(?:\d{0,20}|[A-Za-z][\w.-]{0,19})){1,7}$/;

/** Maximum number of operation names in a segment, separated by commas. */
const MAX_NAMES = 10;

/**
 * Returns the path of a URL for the log: limited in length, without the query, and without segments that could be a
 * misplaced token.
 */
export function loggedPath(url: string): string {
  if (PLAIN_PATH.test(url)) return url;
  const path = url.slice(0, 2_048).split(/[?#]/, 1)[0] ?? '';
  const segments = path.split('/');
  const logged = segments.slice(0, MAX_SEGMENTS).map((segment) => {
    const names = segment.split(',');
    return names.length <= MAX_NAMES && names.every((name) => PLAIN_SEGMENT.test(name)) ? segment : '[redacted]';
  });
  return [...logged, ...(segments.length > MAX_SEGMENTS ? ['...'] : [])].join('/');
}

const OWN_REQUEST_ID = /"reqId":"[\da-f]{8}-[\da-f-]{27}"/;

const MAX_TOKENS = 50;

/**
 * Creates the redactor of the log. It knows the secrets of the configuration, and access tokens from their first use.
 */
export function apiRedactor({ database, discord, page }: Pick<Config, 'database' | 'discord' | 'page'>): Redactor {
  const passwords = database.kind === 'postgres' ? urlSecrets([database.url]) : [];
  const secrets = [...passwords, discord.botToken, page?.clientSecret].filter((secret) => secret !== undefined);
  return createRedactor({ secrets, maxAdded: MAX_TOKENS });
}

export function logOptions(redactor: Redactor) {
  const { serializers, hooks } = logRedaction(redactor);
  return {
    // Fastify's type requires the fields that every error has.
    serializers: serializers as { err: (error: unknown) => { type: string; message: string; stack: string } },
    hooks: {
      // The line of a request consists of fields without secrets (see `recordRequest`), except for an id chosen by the
      // client.
      streamWrite: (line: string) =>
        line.endsWith('"msg":"request"}\n') && OWN_REQUEST_ID.test(line) ? line : hooks.streamWrite(line),
    },
  };
}

const REPEAT_AFTER_MS = 60_000;

interface ThrottledWarningOptions {
  readonly log: Pick<FastifyBaseLogger, 'warn'>;
  readonly message: string;
  readonly monotonicMs: () => number;
}

/**
 * Returns a function that logs failures of one kind of work. Each kind of failure is logged at most once a minute, with
 * the number of failures since that were not logged.
 */
export function throttledWarning({ log, message, monotonicMs }: ThrottledWarningOptions) {
  const kinds = new Map<string, { readonly loggedAtMs: number; leftOut: number }>();
  return (kind: string, error: unknown): void => {
    const last = kinds.get(kind);
    if (last !== undefined && monotonicMs() - last.loggedAtMs < REPEAT_AFTER_MS) {
      last.leftOut += 1;
      return;
    }
    log.warn({ err: error, ...(last && last.leftOut > 0 && { leftOut: last.leftOut }) }, message);
    kinds.set(kind, { loggedAtMs: monotonicMs(), leftOut: 0 });
  };
}
