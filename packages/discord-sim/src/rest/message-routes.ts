import {
  type APIDMChannel,
  type ChannelFlags,
  ChannelType,
  MessageFlags,
  PermissionFlagsBits,
  type RESTGetAPIChannelMessageResult,
  type RESTGetAPIChannelMessagesResult,
  RESTJSONErrorCodes,
  type RESTPatchAPIChannelMessageResult,
  type RESTPostAPIChannelMessageCrosspostResult,
  type RESTPostAPIChannelMessageResult,
  type Snowflake,
} from 'discord-api-types/v10';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { userObject } from '../objects/guild-objects.ts';
import { messageObject } from '../objects/message-objects.ts';
import type { Message } from '../world/entities.ts';
import type { DirectChannel } from '../world/messages.ts';
import { has } from '../world/permissions.ts';
import { deleteMessage, editMessage, newMessage, postMessage, visibleMessage } from '../world/post-message.ts';
import { byAge } from '../world/snowflake.ts';
import type { World } from '../world/world.ts';
import { knownMessage, missingPermissions, requireBot, viewedChannel, writableChannel } from './access.ts';
import { invalidField, refusal } from './error-body.ts';
import { id, integerText, optional, readForm } from './form.ts';
import { type NewMessage, readMessageEdit, readNewMessage, requireSubstance } from './message-form.ts';

/**
 * `POST /channels/:channelId/messages`. With `enforce_nonce`, returns the author's earlier message with the same nonce
 * instead of a new one.
 *
 * @see https://discord.com/developers/docs/resources/message#create-message
 */
export function createMessage(api: FastifyInstance, world: World): void {
  api.post<{ Params: { channelId: Snowflake } }>('/channels/:channelId/messages', async (request) => {
    const bot = requireBot(request, world);
    const direct = world.direct.find(request.params.channelId);
    if (direct?.botId === bot.userId) {
      const sent = readNewMessage(request.body);
      requireSubstance(sent.message);
      return sendDirectMessage(world, direct, sent);
    }
    const { id: channelId } = writableChannel(world, bot, request.params.channelId);
    const { message, nonce, enforceNonce, reference } = readNewMessage(request.body);
    requireSubstance(message);
    const permissions = world.permissionsIn(channelId, bot.userId);
    if (message.embeds?.length && !has(permissions, PermissionFlagsBits.EmbedLinks)) throw missingPermissions();
    if (reference && !has(permissions, PermissionFlagsBits.ReadMessageHistory)) throw unreadableHistory();

    if (nonce !== null && enforceNonce) {
      const earlier = world.messages.findByNonce(bot.userId, nonce, world.clock());
      if (earlier) return messageObject(world, earlier) satisfies RESTPostAPIChannelMessageResult;
    }
    const replyTo = repliedTo(world, channelId, reference);
    const draft = { content: '', ...message, channelId, authorId: bot.userId, nonce, replyTo };
    return messageObject(world, postMessage(world, draft)) satisfies RESTPostAPIChannelMessageResult;
  });
}

function unreadableHistory() {
  const message = 'Cannot reply without permission to read message history';
  return refusal(403, RESTJSONErrorCodes.CannotReplyWithoutPermissionToReadMessageHistory, message);
}

function repliedTo(world: World, channelId: Snowflake, reference: NewMessage['reference']): Snowflake | null {
  if (!reference) return null;
  const { message_id: messageId, channel_id: where = channelId, fail_if_not_exists: strict = true } = reference;
  if (where !== channelId) {
    const message = 'Cannot reply to a message in a different channel';
    throw invalidField(['message_reference'], 'REPLIES_CANNOT_REFERENCE_OTHER_CHANNEL', message);
  }
  if (visibleMessage(world, channelId, messageId)) return messageId;
  if (!strict) return null;
  throw invalidField(['message_reference'], 'REPLIES_UNKNOWN_MESSAGE', 'Unknown message');
}

const recipient = z.object({ recipient_id: id });

/** @see https://docs.discord.com/developers/resources/user#create-dm */
export function directMessages(api: FastifyInstance, world: World): void {
  api.post('/users/@me/channels', async (request) => {
    const { userId: botId } = requireBot(request, world);
    const { recipient_id: userId } = readForm(recipient, request.body);
    const user = world.findUser(userId);
    if (!user) throw refusal(404, RESTJSONErrorCodes.UnknownUser, 'Unknown User');
    const channel = world.direct.open(botId, userId, () => world.ids.next());
    return {
      id: channel.id,
      type: ChannelType.DM,
      last_message_id: world.direct.to(userId).at(-1)?.id ?? null,
      flags: 0 as ChannelFlags,
      recipients: [userObject(user)],
    } satisfies Omit<APIDMChannel, 'name' | 'recipients'> & { flags: ChannelFlags; recipients: unknown };
  });
}

/**
 * Sends a message to a user.
 *
 * @throws {RestRefusal} 403 (50007) when the user is in no guild of the bot
 */
function sendDirectMessage(
  world: World,
  { id: channelId, botId, userId }: DirectChannel,
  { message, nonce }: NewMessage,
): RESTPostAPIChannelMessageResult {
  if (!haveCommonGuild(world, botId, userId)) {
    throw refusal(403, RESTJSONErrorCodes.CannotSendMessagesToThisUser, 'Cannot send messages to this user');
  }
  const sent = newMessage(world, { content: '', ...message, channelId, authorId: botId, nonce });
  world.direct.add(sent);
  return messageObject(world, sent);
}

function haveCommonGuild(world: World, botId: Snowflake, userId: Snowflake): boolean {
  return world.membershipsOf(botId).some(({ guild }) => world.guilds.findMember(guild.id, userId) !== null);
}

const MESSAGE_PATH = '/channels/:channelId/messages/:messageId';

interface OneMessage {
  Params: { channelId: Snowflake; messageId: Snowflake };
}

/** @see https://discord.com/developers/docs/resources/message */
export function messages(api: FastifyInstance, world: World): void {
  api.get<{ Params: { channelId: Snowflake } }>('/channels/:channelId/messages', async (request) => {
    const { id } = viewedChannel(world, requireBot(request, world), request.params.channelId);
    const found = world.messages
      .all()
      .filter(({ channelId, deleted, ephemeral }) => channelId === id && !deleted && !ephemeral);
    const newestFirst = messagePage(found, request.query).reverse();
    return newestFirst.map((message) => messageObject(world, message)) satisfies RESTGetAPIChannelMessagesResult;
  });

  api.get<OneMessage>(MESSAGE_PATH, async (request) => {
    const { id } = viewedChannel(world, requireBot(request, world), request.params.channelId);
    const message = knownMessage(world, id, request.params.messageId);
    return messageObject(world, message) satisfies RESTGetAPIChannelMessageResult;
  });

  api.patch<OneMessage>(MESSAGE_PATH, async (request) => {
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

  api.delete<OneMessage>(MESSAGE_PATH, async (request, reply) => {
    const bot = requireBot(request, world);
    const { id } = viewedChannel(world, bot, request.params.channelId);
    const message = knownMessage(world, id, request.params.messageId);
    const mayManage = has(world.permissionsIn(id, bot.userId), PermissionFlagsBits.ManageMessages);
    if (message.authorId !== bot.userId && !mayManage) throw missingPermissions();
    deleteMessage(world, message);
    return reply.code(204).send();
  });

  // Publishes a message of an announcement channel to the channels that follow it.
  api.post<OneMessage>(`${MESSAGE_PATH}/crosspost`, async (request) => {
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

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 100;

const pageQuery = z.object({
  around: optional(id),
  before: optional(id),
  after: optional(id),
  limit: optional(integerText({ min: 1, max: MAX_LIMIT })),
});

/**
 * @param messages - oldest first
 * @throws {RestRefusal} 400 with the parameters that are malformed or out of bounds
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
