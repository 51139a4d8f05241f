import type { RESTGetAPIChannelResult, Snowflake } from 'discord-api-types/v10';
import type { FastifyInstance } from 'fastify';
import { channelObject } from '../../objects/guild-objects.ts';
import type { World } from '../../world/world.ts';
import { requireBot } from '../authorization.ts';
import { viewedChannel, writableChannel } from './access.ts';

/**
 * `GET /channels/:channelId` and `POST /channels/:channelId/typing`
 *
 * @see https://discord.com/developers/docs/resources/channel
 */
export function channels(api: FastifyInstance, world: World): void {
  api.get<{ Params: { channelId: Snowflake } }>('/channels/:channelId', async (request) => {
    const channel = viewedChannel(world, requireBot(request, world), request.params.channelId);
    return channelObject(world, channel) satisfies RESTGetAPIChannelResult;
  });

  api.post<{ Params: { channelId: Snowflake } }>('/channels/:channelId/typing', async (request, reply) => {
    writableChannel(world, requireBot(request, world), request.params.channelId);
    return reply.code(204).send();
  });
}
