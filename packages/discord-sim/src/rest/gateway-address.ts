import type { RESTGetAPIGatewayResult } from 'discord-api-types/v10';
import type { FastifyInstance } from 'fastify';
import { GATEWAY_PATH } from '../gateway/gateway.ts';

/**
 * `GET /gateway`, without credentials
 *
 * @see https://discord.com/developers/docs/events/gateway#get-gateway
 */
export function gatewayAddress(api: FastifyInstance): void {
  api.get('/gateway', async ({ headers }) => {
    return { url: `ws://${headers.host}${GATEWAY_PATH}` } satisfies RESTGetAPIGatewayResult;
  });
}
