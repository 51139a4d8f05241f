import {
  MessageFlags,
  PermissionFlagsBits,
  RESTJSONErrorCodes,
  type RESTPostAPIChannelMessageCrosspostResult,
  type Snowflake,
} from 'discord-api-types/v10';
import type { FastifyInstance } from 'fastify';
import { messageObject } from '../../objects/message-objects.ts';
import { has } from '../../world/permissions.ts';
import { editMessage } from '../../world/post-message.ts';
import type { World } from '../../world/world.ts';
import { requireBot } from '../authorization.ts';
import { refusal } from '../error-body.ts';
import { knownMessage, missingPermissions, writableChannel } from './access.ts';

/**
 * `POST /channels/:channelId/messages/:messageId/crosspost`: publishes a message of an announcement channel to the channels that
 * follow it.
 *
 * @see https://docs.discord.com/developers/resources/message#crosspost-message
 */
export function crosspost(api: FastifyInstance, world: World): void {
  const path = '/channels/:channelId/messages/:messageId/crosspost';
  api.post<{ Params: { channelId: Snowflake; messageId: Snowflake } }>(path, async (request) => {
    const bot = requireBot(request, world);
    const { id, type } = writableChannel(world, bot, request.params.channelId);
    if (type !== 'announcement') {
      const code = RESTJSONErrorCodes.CannotExecuteActionOnThisChannelType;
      throw refusal(400, code, 'Cannot execute action on this channel type');
    }
    const message = knownMessage(world, id, request.params.messageId);
    const mayManage = has(world.permissionsIn(id, bot.userId), PermissionFlagsBits.ManageMessages);
    if (message.authorId !== bot.userId && !mayManage) throw missingPermissions();
    if ((message.flags & MessageFlags.Crossposted) !== 0) {
      const text = 'This message has already been crossposted.';
      throw refusal(400, RESTJSONErrorCodes.ThisMessageWasAlreadyCrossposted, text);
    }
    const published = editMessage(world, message, { flags: message.flags | MessageFlags.Crossposted });
    return messageObject(world, published) satisfies RESTPostAPIChannelMessageCrosspostResult;
  });
}
