import {
  PermissionFlagsBits,
  type RESTGetAPIChannelMessageResult,
  type RESTGetAPIChannelMessagesResult,
  RESTJSONErrorCodes,
  type RESTPatchAPIChannelMessageResult,
  type Snowflake,
} from 'discord-api-types/v10';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { messageObject } from '../../objects/message-objects.ts';
import type { Message } from '../../world/entities.ts';
import { has } from '../../world/permissions.ts';
import { deleteMessage, editMessage } from '../../world/post-message.ts';
import { byAge } from '../../world/snowflake.ts';
import type { World } from '../../world/world.ts';
import { requireBot } from '../authorization.ts';
import { refusal } from '../error-body.ts';
import { id, integerText, optional } from '../form/fields.ts';
import { readForm } from '../form/read-form.ts';
import { knownMessage, missingPermissions, viewedChannel } from './access.ts';
import { readMessageEdit, requireSubstance } from './message/message-form.ts';

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
    const newestFirst = messagePage(found, request.query).reverse();
    return newestFirst.map((message) => messageObject(world, message)) satisfies RESTGetAPIChannelMessagesResult;
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

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 100;

const pageQuery = z.object({
  around: optional(id),
  before: optional(id),
  after: optional(id),
  limit: optional(integerText({ min: 1, max: MAX_LIMIT })),
});

/**
 * Returns the requested page of a channel's messages, oldest first.
 *
 * @param messages - oldest first
 * @throws {RestRefusal} 400 naming the parameters that are malformed or out of bounds
 * @see https://discord.com/developers/docs/resources/message#get-channel-messages
 */
function messagePage(messages: readonly Message[], query: unknown): Message[] {
  const { around, before, after, limit = DEFAULT_LIMIT } = readForm(pageQuery, query);
  if (around !== undefined) {
    const newer = messages.filter((message) => byAge(message.id, around) >= 0);
    const older = messages.length - newer.length;
    const start = Math.max(0, older - Math.floor(limit / 2));
    return messages.slice(start, start + limit);
  }
  if (before !== undefined) return messages.filter((message) => byAge(message.id, before) < 0).slice(-limit);
  if (after !== undefined) return messages.filter((message) => byAge(message.id, after) > 0).slice(0, limit);
  return messages.slice(-limit);
}
