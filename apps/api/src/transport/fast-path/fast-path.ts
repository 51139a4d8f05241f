import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { bearerToken } from '../../auth/bearer-token.ts';
import { authorizeGuild } from '../../auth/managed-guild.ts';
import type { ReplyFacts, Services } from '../../operations/call.ts';
import type { Metrics } from '../../ops/metrics.ts';
import { recordRequest } from '../../ops/request-log.ts';
import { commonHeaders, requestId } from '../headers/common-headers.ts';
import { headersWithoutOrigin } from '../headers/cors.ts';
import { entityTag } from '../headers/entity-tags.ts';
import { replyHeaders } from '../headers/response-headers.ts';

export interface FastLaneOptions {
  readonly services: Services;
  readonly metrics: Metrics;
  /** Origins whose pages may call. */
  readonly corsOrigins: readonly string[];
  /** Whether the service is shutting down. */
  readonly isClosing: () => boolean;
}

const ROUTE = '/guilds/:guild';
const PATH = /^\/guilds\/(\d{17,19})$/;

/**
 * Answers the one question that is asked most, `GET /guilds/{guild}` by somebody whose token is known, before anything
 * else sees the request. It only ever says yes: at the first doubt, or anything out of the ordinary, the request goes the
 * long way, through the procedure, and is refused or answered there. docs/decisions/0011-fast-lane.md
 */
export function openFastLane(app: FastifyInstance, options: FastLaneOptions): void {
  const { services, metrics, isClosing, corsOrigins } = options;
  const { 'x-request-id': _, ...common } = commonHeaders('');
  // As Node takes them quickest: names and values in turn.
  const standing = Object.entries({ ...common, ...headersWithoutOrigin(corsOrigins) }).flat();
  app.server.removeAllListeners('request');
  app.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const guildId = request.method === 'GET' ? PATH.exec(request.url ?? '')?.[1] : undefined;
    if (guildId === undefined || !isPlain(request) || isClosing()) return app.routing(request, response);
    answer(guildId, request, response).then(
      (isAnswered) => isAnswered || app.routing(request, response),
      // Whatever there is to say is said on the long way.
      () => response.headersSent || app.routing(request, response),
    );
  });

  async function answer(guildId: string, request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const started = performance.now();
    const caller = services.authenticator.recognize(bearerToken(request.headers.authorization));
    if (caller === undefined) return false;
    const guild = authorizeGuild(caller.principal, guildId);
    const stamp = await services.presence.stampOf(guild);
    if (stamp?.presence !== 'present') return false;
    const { json, length, revision } =
      services.guilds.known(guild, stamp) ?? (await services.guilds.read(guild, stamp));
    const etag = entityTag(revision);
    const isNotModified = request.headers['if-none-match'] === etag;
    const status = isNotModified ? 304 : 200;
    const facts: ReplyFacts = {};
    // Last, so that nothing is counted twice when the request goes the long way.
    if (services.principalLimit.isOn) {
      await services.principalLimit.spend(caller.principal, (state) => {
        facts.rateLimit = state;
      });
    }
    const reqId = requestId(request);
    const headers = [...standing, 'x-request-id', reqId, 'etag', etag];
    if (facts.rateLimit) headers.push(...Object.entries(replyHeaders(facts)).flat());
    if (!isNotModified) {
      headers.push('content-type', 'application/json; charset=utf-8', 'content-length', length);
    }
    response.writeHead(status, headers).end(isNotModified ? undefined : json);
    metrics.authCache('hit');
    const milliseconds = performance.now() - started;
    recordRequest(app.log, metrics, {
      reqId,
      method: 'GET',
      route: ROUTE,
      url: request.url ?? '',
      status,
      milliseconds,
    });
    return true;
  }
}

/** Whether a request is the plain question that this lane is for. */
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

/** Whether a condition is absent, or one tag as this service gives them: others are parsed once the rate limit has counted. */
function isOneTag(ifNoneMatch: string | undefined): boolean {
  return ifNoneMatch === undefined || /^"\d{1,16}"$/.test(ifNoneMatch);
}
