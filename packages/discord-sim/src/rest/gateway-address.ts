import type { RESTGetAPIGatewayBotResult, RESTGetAPIGatewayResult } from 'discord-api-types/v10';
import type { FastifyInstance } from 'fastify';
import { type GatewayOptions, gatewayUrl } from '../gateway/gateway.ts';
import type { World } from '../world/world.ts';
import { requireBot } from './authorization.ts';

/**
 * `GET /gateway`, without credentials
 *
 * @see https://discord.com/developers/docs/events/gateway#get-gateway
 */
export function gatewayAddress(api: FastifyInstance): void {
  api.get('/gateway', async ({ raw }) => {
    return { url: gatewayUrl(raw) } satisfies RESTGetAPIGatewayResult;
  });
}

const STARTS_A_DAY = 1_000;
const DAY_MS = 86_400_000;

/**
 * `GET /gateway/bot`. Session starts are not counted, so `remaining` does not change.
 *
 * @see https://discord.com/developers/docs/events/gateway#get-gateway-bot
 */
export function gatewayBot(api: FastifyInstance, world: World, { shards = 1, maxConcurrency = 16 }: GatewayOptions) {
  api.get('/gateway/bot', async (request) => {
    requireBot(request, world);
    return {
      url: gatewayUrl(request.raw),
      shards,
      session_start_limit: {
        total: STARTS_A_DAY,
        remaining: STARTS_A_DAY,
        reset_after: DAY_MS,
        max_concurrency: maxConcurrency,
      },
    } satisfies RESTGetAPIGatewayBotResult;
  });
}
