import type { RESTGetAPIGatewayBotResult, RESTGetAPIGatewayResult } from 'discord-api-types/v10';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { GATEWAY_PATH, type GatewayOptions } from '../../gateway/gateway.ts';
import type { World } from '../../world/world.ts';
import { requireBot } from './bot-authorization.ts';

const STARTS_A_DAY = 1_000;
const DAY_MS = 86_400_000;

/**
 * `GET /gateway`, for everyone, and `GET /gateway/bot`. Session starts are not counted, so `remaining` does not change.
 *
 * @see https://discord.com/developers/docs/events/gateway#get-gateway
 */
export function gatewayRoutes(
  api: FastifyInstance,
  world: World,
  { shards = 1, maxConcurrency = 16 }: GatewayOptions,
): void {
  api.get('/gateway', async (request) => ({ url: gatewayUrl(request) }) satisfies RESTGetAPIGatewayResult);

  api.get('/gateway/bot', async (request) => {
    requireBot(request, world);
    return {
      url: gatewayUrl(request),
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

function gatewayUrl({ headers }: FastifyRequest): string {
  return `ws://${headers.host}${GATEWAY_PATH}`;
}
