import {
  PermissionFlagsBits,
  type RESTGetAPIChannelMessageResult,
  type RESTGetAPIChannelMessagesResult,
  RESTJSONErrorCodes,
  type RESTPatchAPIChannelMessageResult,
  type Snowflake,
} from 'discord-api-types/v10';
import type { FastifyInstance } from 'fastify';
import { messageObject } from '../../objects/message-object.ts';
import { has } from '../../world/permissions.ts';
import { deleteMessage, editMessage } from '../../world/post-message.ts';
import type { World } from '../../world/world.ts';
import { refusal } from '../error-body.ts';
import { knownMessage, missingPermissions, viewedChannel } from './access.ts';
import { requireBot } from './bot-authorization.ts';
import { readMessageEdit, requireSubstance } from './message/message-form.ts';
import { messagePage } from './message-page.ts';

const PATH = '/channels/:channelId/messages/:messageId';

interface OneMessage {
  Params: { channelId: Snowflake; messageId: Snowflake };
}

interface SomeMessages {
  Params: { channelId: Snowflake };
}

/**
 * Registers the routes to read a channel's messages, and to edit or delete the bot's own.
 *
 * @see https://discord.com/developers/docs/resources/message
 */
export function messages(api: FastifyInstance, world: World): void {
  api.get<SomeMessages>('/channels/:channelId/messages', async (request) => {
    const { id } = viewedChannel(world, requireBot(request, world), request.params.channelId);
    const found = world.messages
      .all()
      .filter(({ channelId, deleted, ephemeral }) => channelId === id && !deleted && !ephemeral);
    const page = messagePage(found, request.query);
    return page.map((message) => messageObject(world, message)) satisfies RESTGetAPIChannelMessagesResult;
  });

  api.get<OneMessage>(PATH, async (request) => {
    const { id } = viewedChannel(world, requireBot(request, world), request.params.channelId);
    const message = knownMessage(world, id, request.params.messageId);
    return messageObject(world, message) satisfies RESTGetAPIChannelMessageResult;
  });

  api.patch<OneMessage>(PATH, async (request) => {
    const bot = requireBot(request, world);
    const { id } = viewedChannel(world, bot, request.params.channelId);
    const message = knownMessage(world, id, request.params.messageId);
    if (message.authorId !== bot.userId) {
      const code = RESTJSONErrorCodes.CannotEditMessageAuthoredByAnotherUser;
      throw refusal(403, code, 'Cannot edit a message authored by another user');
    }
    const edit = readMessageEdit(request.body);
    requireSubstance({ ...message, ...edit });
    return messageObject(world, editMessage(world, message, edit)) satisfies RESTPatchAPIChannelMessageResult;
  });

  api.delete<OneMessage>(PATH, async (request, reply) => {
    const bot = requireBot(request, world);
    const { id } = viewedChannel(world, bot, request.params.channelId);
    const message = knownMessage(world, id, request.params.messageId);
    const mayManage = has(world.permissionsIn(id, bot.userId), PermissionFlagsBits.ManageMessages);
    if (message.authorId !== bot.userId && !mayManage) throw missingPermissions();
    deleteMessage(world, message);
    return reply.code(204).send();
  });
}
