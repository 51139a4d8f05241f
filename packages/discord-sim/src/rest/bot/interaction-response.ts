import { MessageFlags, RESTJSONErrorCodes, type Snowflake } from 'discord-api-types/v10';
import type { Message } from '../../world/entities.ts';
import { INTERACTION_TOKEN_MS, type Interaction } from '../../world/messages.ts';
import { editMessage, type MessageEdit, postMessage, visibleMessage } from '../../world/post-message.ts';
import type { World } from '../../world/world.ts';
import { refusal } from '../error-body.ts';
import { unknownMessage } from './access.ts';

export const RESPONSE_FLAGS = MessageFlags.Ephemeral | MessageFlags.SuppressEmbeds | MessageFlags.SuppressNotifications;

/**
 * Returns the interaction of a webhook token.
 *
 * @throws {RestRefusal} 401 (50027) when the token is unknown or 15 minutes old, 404 (10015) before the first response
 */
export function interactionOfToken(world: World, applicationId: Snowflake, token: string): Interaction {
  const interaction = world.interactions.findByToken(applicationId, token);
  if (!interaction || world.clock() - interaction.createdAt > INTERACTION_TOKEN_MS) {
    throw refusal(401, RESTJSONErrorCodes.InvalidWebhookToken, 'Invalid Webhook Token');
  }
  if (interaction.responseType === null) throw refusal(404, RESTJSONErrorCodes.UnknownWebhook, 'Unknown Webhook');
  return interaction;
}

/**
 * Posts a response to an interaction, which needs no permission in the channel.
 *
 * @throws {RestRefusal} 404 (10003) when the channel is gone
 */
export function postResponse(world: World, interaction: Interaction, body: MessageEdit): Message {
  const { id, applicationId, channelId } = interaction;
  if (!world.channels.find(channelId)) throw refusal(404, RESTJSONErrorCodes.UnknownChannel, 'Unknown Channel');
  const { userId: authorId } = world.bots.bot(applicationId);
  return postMessage(world, { content: '', ...body, channelId, authorId, interactionId: id });
}

/** Edits a response; a placeholder becomes a message and stays ephemeral if it was. */
export function editResponse(world: World, message: Message, body: MessageEdit): Message {
  const flags = ((body.flags ?? 0) & ~MessageFlags.Ephemeral) | (message.flags & MessageFlags.Ephemeral);
  return editMessage(world, message, { ...body, flags });
}

/**
 * Returns a response to an interaction: its first one, unless an id is given.
 *
 * @throws {RestRefusal} 404 (10008) when the interaction has no such response, or it was deleted
 */
export function responseOf(world: World, interaction: Interaction, messageId?: Snowflake): Message {
  const id = messageId ?? interaction.originalId;
  const message = id === null ? null : visibleMessage(world, interaction.channelId, id);
  if (!message || (message.interactionId !== interaction.id && id !== interaction.originalId)) throw unknownMessage();
  return message;
}
