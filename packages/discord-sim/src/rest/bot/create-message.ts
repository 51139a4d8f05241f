import {
  PermissionFlagsBits,
  RESTJSONErrorCodes,
  type RESTPostAPIChannelMessageResult,
  type Snowflake,
} from 'discord-api-types/v10';
import type { FastifyInstance } from 'fastify';
import { messageObject } from '../../objects/message-objects.ts';
import { has } from '../../world/permissions.ts';
import { postMessage, visibleMessage } from '../../world/post-message.ts';
import type { World } from '../../world/world.ts';
import { requireBot } from '../authorization.ts';
import { invalidField, refusal } from '../error-body.ts';
import { missingPermissions, writableChannel } from './access.ts';
import { sendDirectMessage } from './direct-messages.ts';
import { type NewMessage, readNewMessage, requireSubstance } from './message/message-form.ts';

/**
 * `POST /channels/:channelId/messages`. With `enforce_nonce`, returns the author's earlier message of the same nonce
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
