import { PermissionFlagsBits, type RESTPostAPIChannelMessageResult, type Snowflake } from 'discord-api-types/v10';
import type { FastifyInstance } from 'fastify';
import { messageObject } from '../../objects/message-object.ts';
import { record } from '../../record.ts';
import { has } from '../../world/permissions.ts';
import { postMessage, visibleMessage } from '../../world/post-message.ts';
import type { World } from '../../world/world.ts';
import { invalidField } from '../error-body.ts';
import { missingPermissions, writableChannel } from './access.ts';
import { requireBot } from './bot-authorization.ts';
import { messageBody, requireSubstance } from './message-body.ts';

const MAX_NONCE = 25;

/**
 * `POST /channels/:channelId/messages`. With `enforce_nonce`, returns the author's earlier message of the same nonce
 * instead of a new one.
 *
 * @see https://discord.com/developers/docs/resources/message#create-message
 */
export function createMessage(api: FastifyInstance, world: World): void {
  api.post<{ Params: { channelId: Snowflake } }>('/channels/:channelId/messages', async (request) => {
    const bot = requireBot(request, world);
    const { id: channelId } = writableChannel(world, bot, request.params.channelId);
    const body = messageBody(request.body);
    requireSubstance(body);
    const mayEmbed = has(world.permissionsIn(channelId, bot.userId), PermissionFlagsBits.EmbedLinks);
    if (body.embeds?.length && !mayEmbed) throw missingPermissions();

    const nonce = nonceOf(request.body);
    if (nonce !== null && record(request.body).enforce_nonce === true) {
      const earlier = world.messages.findByNonce(bot.userId, nonce, world.clock());
      if (earlier) return messageObject(world, earlier) satisfies RESTPostAPIChannelMessageResult;
    }
    const replyTo = referenceOf(world, channelId, request.body);
    const draft = { content: '', ...body, channelId, authorId: bot.userId, nonce, replyTo };
    return messageObject(world, postMessage(world, draft)) satisfies RESTPostAPIChannelMessageResult;
  });
}

function nonceOf(body: unknown): string | null {
  const { nonce } = record(body);
  if (typeof nonce === 'number') return String(nonce);
  if (typeof nonce !== 'string') return null;
  if (nonce.length > MAX_NONCE) {
    throw invalidField('nonce', 'BASE_TYPE_MAX_LENGTH', `Must be ${MAX_NONCE} or fewer in length.`);
  }
  return nonce;
}

function referenceOf(world: World, channelId: Snowflake, body: unknown): Snowflake | null {
  const { message_id: messageId, fail_if_not_exists: strict = true } = record(record(body).message_reference);
  if (typeof messageId !== 'string') return null;
  if (visibleMessage(world, channelId, messageId)) return messageId;
  if (strict === false) return null;
  throw invalidField('message_reference', 'REPLIES_UNKNOWN_MESSAGE', 'Unknown message');
}
