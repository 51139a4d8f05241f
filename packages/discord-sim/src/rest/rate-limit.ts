import { createHash } from 'node:crypto';
import { RESTJSONErrorCodes, type RESTRateLimit } from 'discord-api-types/v10';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { record } from '../json.ts';
import type { Clock } from '../world/snowflake.ts';
import type { World } from '../world/world.ts';
import { bearerToken, botOf } from './access.ts';

const KEPT_WINDOWS = 10_000;

export interface RateLimit {
  readonly limit: number;
  readonly windowMs: number;
}

export interface RateLimiting {
  /** The limit of one caller to one route of one guild, channel or webhook. */
  readonly rateLimit: RateLimit;
  /** The limit of one bot for all routes, except those with a token in the path. */
  readonly globalRateLimit: RateLimit;
  readonly world: World;
  readonly clock: Clock;
}

interface Window {
  used: number;
  readonly resetAt: number;
}

/**
 * Counts each call in the bucket of its route, for its caller and its top-level resource. Describes the bucket in the
 * response headers and refuses calls above the limit. The global limit of a bot is checked first.
 *
 * @see https://discord.com/developers/docs/topics/rate-limits
 */
export function limitRates(app: FastifyInstance, { rateLimit, globalRateLimit, world, clock }: RateLimiting): void {
  const { limit } = rateLimit;
  const windows = new Map<string, Window>();

  const windowOf = (key: string, { windowMs }: RateLimit): Window => {
    const current = windows.get(key);
    if (current && current.resetAt > clock()) return current;
    windows.delete(key);
    const [oldest] = windows.keys();
    if (oldest !== undefined && windows.size >= KEPT_WINDOWS) windows.delete(oldest);
    const opened = { used: 0, resetAt: clock() + windowMs };
    windows.set(key, opened);
    return opened;
  };

  app.addHook('onRequest', async (request, reply) => {
    const bucket = bucketOf(request);
    const resource = topLevelResource(request);
    const now = clock();
    const bot = resource.token === undefined ? botOf(request, world) : null;
    if (bot) {
      const all = windowOf(`bot ${bot.applicationId}`, globalRateLimit);
      all.used += 1;
      const retryAfterSeconds = (all.resetAt - now) / 1000;
      if (all.used > globalRateLimit.limit) return sendRateLimited(reply, { retryAfterSeconds, global: true, now });
    }
    const key = `${bucket} ${resource.id ?? ''} ${resource.token ?? callerOf(request, world)}`;
    const window = windowOf(key, rateLimit);
    window.used += 1;
    const resetAfter = (window.resetAt - now) / 1000;
    reply.headers({
      'x-ratelimit-limit': String(limit),
      'x-ratelimit-remaining': String(Math.max(0, limit - window.used)),
      'x-ratelimit-reset': (window.resetAt / 1000).toFixed(3),
      'x-ratelimit-reset-after': resetAfter.toFixed(3),
      'x-ratelimit-bucket': bucket,
    });
    if (window.used <= limit) return undefined;
    return sendRateLimited(reply, { retryAfterSeconds: resetAfter, global: false, now });
  });
}

function bucketOf(request: FastifyRequest): string {
  const route = `${request.method} ${request.routeOptions.url ?? 'unknown'}`;
  return createHash('sha256').update(route).digest('hex').slice(0, 32);
}

/** Returns the guild, the channel, or the webhook or interaction with its token: each has its own limits. */
function topLevelResource({ params }: FastifyRequest): { readonly id: unknown; readonly token: unknown } {
  const { guildId, channelId, webhookId, interactionId, token } = record(params);
  return { id: guildId ?? channelId ?? webhookId ?? interactionId, token };
}

function callerOf(request: FastifyRequest, world: World): string {
  const bot = botOf(request, world);
  if (bot) return `bot ${bot.applicationId}`;
  const token = bearerToken(request);
  return token !== null && world.tokens.find(token) ? `token ${token}` : `address ${request.ip}`;
}

/** @see https://discord.com/developers/docs/topics/rate-limits#header-format */
export const RATE_LIMIT_HEADERS = [
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'x-ratelimit-reset-after',
  'x-ratelimit-bucket',
] as const;

/**
 * Sends 429. A global limit has no bucket, and therefore no bucket headers.
 *
 * @see https://discord.com/developers/docs/topics/rate-limits#exceeding-a-rate-limit
 */
export function sendRateLimited(
  reply: FastifyReply,
  limit: { readonly retryAfterSeconds: number; readonly global: boolean; readonly now: number },
): FastifyReply {
  const { retryAfterSeconds, global, now } = limit;
  if (global) {
    for (const header of RATE_LIMIT_HEADERS) reply.removeHeader(header);
    reply.header('x-ratelimit-global', 'true');
  } else {
    reply.headers({
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': (now / 1000 + retryAfterSeconds).toFixed(3),
      'x-ratelimit-reset-after': retryAfterSeconds.toFixed(3),
    });
  }
  return reply
    .code(429)
    .header('x-ratelimit-scope', global ? 'global' : 'user')
    .header('retry-after', String(Math.ceil(retryAfterSeconds)))
    .send({
      message: 'You are being rate limited.',
      code: RESTJSONErrorCodes.GeneralError,
      retry_after: retryAfterSeconds,
      global,
    } satisfies RESTRateLimit);
}
