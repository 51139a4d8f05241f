import {
  InteractionResponseType,
  InteractionType,
  MessageFlags,
  RESTJSONErrorCodes,
  type RESTPostAPIInteractionCallbackWithResponseResult,
  type Snowflake,
} from 'discord-api-types/v10';
import type { FastifyInstance } from 'fastify';
import { messageObject } from '../../objects/message-object.ts';
import { record } from '../../record.ts';
import type { Message } from '../../world/entities.ts';
import { FIRST_ANSWER_MS, type Interaction } from '../../world/interactions.ts';
import { visibleMessage } from '../../world/post-message.ts';
import type { World } from '../../world/world.ts';
import { invalidField, refusal } from '../error-body.ts';
import { unknownMessage } from './access.ts';
import { editResponse, postResponse, RESPONSE_FLAGS } from './interaction-response.ts';
import { messageBody, requireSubstance } from './message-body.ts';

interface Callback {
  Params: { interactionId: Snowflake; token: string };
  Querystring: { with_response?: string };
}

/**
 * `POST /interactions/:interactionId/:token/callback`: the first response, within three seconds.
 *
 * @see https://discord.com/developers/docs/interactions/receiving-and-responding#create-interaction-response
 */
export function interactionCallback(api: FastifyInstance, world: World): void {
  api.post<Callback>('/interactions/:interactionId/:token/callback', async (request, reply) => {
    const { interactionId, token } = request.params;
    const interaction = world.interactions.find(interactionId);
    if (interaction?.token !== token || world.clock() - interaction.createdAt > FIRST_ANSWER_MS) {
      throw refusal(404, RESTJSONErrorCodes.UnknownInteraction, 'Unknown interaction');
    }
    if (interaction.responseType !== null) {
      const code = RESTJSONErrorCodes.InteractionHasAlreadyBeenAcknowledged;
      throw refusal(400, code, 'Interaction has already been acknowledged.');
    }
    const { type, data } = record(request.body);
    const { use } = interaction;
    const message = firstResponse(world, interaction, type, data);
    const responseType: InteractionResponseType = Number(type);
    world.interactions.put({ ...interaction, responseType, originalId: message.id });
    if (request.query.with_response !== 'true') return reply.code(204).send();
    return {
      interaction: {
        id: interaction.id,
        type: use.kind === 'command' ? InteractionType.ApplicationCommand : InteractionType.MessageComponent,
        response_message_id: message.id,
        response_message_loading: message.loading,
        response_message_ephemeral: message.ephemeral,
      },
      resource: { type: responseType, message: messageObject(world, message) },
    } satisfies RESTPostAPIInteractionCallbackWithResponseResult;
  });
}

function firstResponse(world: World, interaction: Interaction, type: unknown, data: unknown): Message {
  const body = messageBody(data, RESPONSE_FLAGS);
  switch (type) {
    case InteractionResponseType.ChannelMessageWithSource:
      requireSubstance(body);
      return postResponse(world, interaction, body);
    case InteractionResponseType.DeferredChannelMessageWithSource:
      return postResponse(world, interaction, { flags: (body.flags ?? 0) | MessageFlags.Loading });
    case InteractionResponseType.DeferredMessageUpdate:
      return buttonMessage(world, interaction);
    case InteractionResponseType.UpdateMessage:
      return editResponse(world, buttonMessage(world, interaction), body);
    default:
      throw invalidField('type', 'BASE_TYPE_CHOICES', 'Value must be one of {4, 5, 6, 7}.');
  }
}

/** @throws {RestRefusal} 400 for a command, which has no message to update; 404 (10008) when the message was deleted */
function buttonMessage(world: World, { use, channelId }: Interaction): Message {
  if (use.kind === 'command') throw invalidField('type', 'BASE_TYPE_CHOICES', 'Value must be one of {4, 5}.');
  const message = visibleMessage(world, channelId, use.messageId);
  if (!message) throw unknownMessage();
  return message;
}
