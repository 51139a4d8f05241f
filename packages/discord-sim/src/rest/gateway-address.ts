import type { RESTGetAPIGatewayResult } from 'discord-api-types/v10';
import type { FastifyInstance } from 'fastify';
import { gatewayUrl } from '../gateway/gateway-url.ts';

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
