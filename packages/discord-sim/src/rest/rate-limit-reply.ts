import { RESTJSONErrorCodes, type RESTRateLimit } from 'discord-api-types/v10';
import type { FastifyReply } from 'fastify';

/**
 * Returns the headers that describe a bucket.
 *
 * @see https://discord.com/developers/docs/topics/rate-limits#header-format
 */
export const RATE_LIMIT_HEADERS = [
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'x-ratelimit-reset-after',
  'x-ratelimit-bucket',
] as const;

/** How long the caller must wait, and whether on all routes. */
export interface RateLimited {
  readonly retryAfterSeconds: number;
  readonly global: boolean;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
}

/**
 * Sends 429. A global limit has no bucket, and so no headers of one.
 *
 * @see https://discord.com/developers/docs/topics/rate-limits#exceeding-a-rate-limit
 */
export function sendRateLimited(reply: FastifyReply, { retryAfterSeconds, global, now }: RateLimited): FastifyReply {
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
