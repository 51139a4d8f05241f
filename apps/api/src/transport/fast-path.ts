import type { IncomingMessage, ServerResponse } from 'node:http';
import { operations } from '@guild-settings/contract/operations';
import type { Around } from '@guild-settings/runtime/http-server';
import type { FastifyBaseLogger } from 'fastify';
import { authorizeManager } from '../auth/guild-access.ts';
import { versionOf } from '../domain/record.ts';
import { recordRequest } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Services } from '../operations/call.ts';
import { bearerToken } from './request-info.ts';
import {
  type Cors,
  commonHeaders,
  entityTag,
  rateLimitField,
  rateLimitPolicy,
  requestId,
  responseHeaders,
} from './response-headers.ts';
import { COUNTED_BYTES } from './responses.ts';

interface FastPathOptions {
  readonly log: FastifyBaseLogger;
  readonly services: Services;
  readonly metrics: Metrics;
  readonly cors: Cors;
  readonly hasPage: boolean;
  readonly isClosing: () => boolean;
}

const ROUTE = '/guilds/:guild';
const PATH = /^\/guilds\/(\d{17,19})$/;

/**
 * Serves a request without Fastify. Resolves with false, or returns undefined, before sending anything if Fastify has
 * to serve it.
 */
type Serve = (request: IncomingMessage, response: ServerResponse) => Promise<boolean> | undefined;

/**
 * Serves the most frequent request, a plain `GET /guilds/{guild}` with a token that was checked before, without
 * Fastify's routing. It only sends successful responses: every other request is passed on to the REST route of the
 * operation, which refuses or serves it. docs/decisions/0011-fast-path.md
 */
export class FastPath {
  #serve: Serve = () => undefined;

  /** Serves requests before Fastify does, once there is what serves them. */
  readonly around: Around = (pass) => (request, response) => {
    const served = request.method === 'GET' ? this.#serve(request, response) : undefined;
    if (served === undefined) return pass(request, response);
    served.then(
      (isServed) => isServed || pass(request, response),
      () => response.headersSent || pass(request, response),
    );
  };

  mount(options: FastPathOptions): void {
    this.#serve = plainReads(options);
  }
}

function plainReads(options: FastPathOptions): Serve {
  const { services, metrics, isClosing, cors, log } = options;
  const { records } = services;
  // Requests with an origin are passed on.
  const { 'x-request-id': _, ...common } = commonHeaders({ requestId: '', origin: undefined, cors });
  const { deprecation } = operations.guilds.get;
  // Names and values alternate: the fastest form for Node to write.
  const vary = options.hasPage ? `${common.vary}, Accept` : `${common.vary}`;
  const constantHeaders = Object.entries({
    ...common,
    vary,
    ...responseHeaders(deprecation ? { deprecation } : {}),
  }).flat();
  return (request, response) => {
    const guildId = PATH.exec(request.url ?? '')?.[1];
    return guildId === undefined || !isPlain(request) || isClosing() ? undefined : serve(guildId, request, response);
  };

  async function serve(guildId: string, request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const started = performance.now();
    const caller = services.authenticator.recognize(bearerToken(request.headers.authorization));
    if (caller === undefined) return false;
    const guild = authorizeManager(caller.principal, guildId);
    const stored = await services.guilds.find(guild);
    if (stored?.presence !== 'present') return false;
    const etag = entityTag(versionOf(stored), records.settings.tag);
    const isNotModified = request.headers['if-none-match'] === etag;
    const status = isNotModified ? 304 : 200;
    const body = isNotModified ? '' : JSON.stringify(records.of(guild.id, stored, guild.profile));
    const bytes = Buffer.byteLength(body);
    // The REST route counts large responses until they are sent.
    if (bytes > COUNTED_BYTES) return false;
    const reqId = requestId(request);
    const headers = [...constantHeaders, 'x-request-id', reqId, 'etag', etag];
    // Last, so that a request that is passed on is not counted twice.
    if (services.principalLimit.isOn) {
      services.principalLimit.spend(caller.principal, (state) => {
        headers.push('ratelimit-policy', rateLimitPolicy(state), 'ratelimit', rateLimitField(state));
      });
    }
    if (!isNotModified) headers.push('content-type', 'application/json; charset=utf-8', 'content-length', `${bytes}`);
    response.writeHead(status, headers).end(body);
    metrics.authCache('hit');
    const durationMs = performance.now() - started;
    const url = request.url ?? '';
    recordRequest(log, metrics, { reqId, method: 'GET', route: ROUTE, url, status, durationMs });
    return true;
  }
}

/** Returns true if a request has no headers that need the REST route. */
function isPlain({ headers, httpVersion }: IncomingMessage): boolean {
  return (
    httpVersion === '1.1' &&
    headers.host !== undefined &&
    headers['if-match'] === undefined &&
    isOneTag(headers['if-none-match']) &&
    headers['x-on-behalf-of'] === undefined &&
    headers.origin === undefined &&
    headers['content-length'] === undefined &&
    headers['transfer-encoding'] === undefined
  );
}

/**
 * Returns true if a condition is absent or a single entity tag of this service. Others are parsed after the rate limit.
 */
function isOneTag(ifNoneMatch: string | undefined): boolean {
  return ifNoneMatch === undefined || /^"\d{1,16}(?:-[0-9a-z]{1,64})?"$/.test(ifNoneMatch);
}
