import {
  InteractionResponseType,
  InteractionType,
  MessageFlags,
  type RESTGetAPIInteractionFollowupResult,
  RESTJSONErrorCodes,
  type RESTPatchAPIInteractionFollowupResult,
  type RESTPostAPIInteractionCallbackWithResponseResult,
  type RESTPostAPIInteractionFollowupResult,
  type Snowflake,
} from 'discord-api-types/v10';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { messageObject } from '../objects/message-objects.ts';
import type { Message } from '../world/entities.ts';
import { FIRST_ANSWER_MS, INTERACTION_TOKEN_MS, type Interaction } from '../world/messages.ts';
import { deleteMessage, editMessage, type MessageEdit, postMessage, visibleMessage } from '../world/post-message.ts';
import type { World } from '../world/world.ts';
import { unknownMessage } from './access.ts';
import { readChoices } from './command-form.ts';
import { readModal } from './component-form.ts';
import { invalidField, refusal } from './error-body.ts';
import { checkPathIds, choice, flagText, notAmong, optional, readForm } from './form.ts';
import { readMessageEdit, requireSubstance } from './message-form.ts';

const {
  ApplicationCommandAutocompleteResult,
  ChannelMessageWithSource,
  DeferredChannelMessageWithSource,
  DeferredMessageUpdate,
  Modal,
  UpdateMessage,
} = InteractionResponseType;

const MESSAGES = [ChannelMessageWithSource, DeferredChannelMessageWithSource] as const;
const UPDATES = [DeferredMessageUpdate, UpdateMessage] as const;
const RESPONSES = {
  command: [...MESSAGES, Modal],
  autocomplete: [ApplicationCommandAutocompleteResult],
  button: [...MESSAGES, ...UPDATES, Modal],
  modal: [...MESSAGES, ...UPDATES],
} as const;

const callbackQuery = z.object({ with_response: optional(flagText) });
const callback = z.object({
  type: choice([...MESSAGES, ...UPDATES, ApplicationCommandAutocompleteResult, Modal]),
  data: z.unknown().optional(),
});

/** @see https://discord.com/developers/docs/interactions/receiving-and-responding#create-interaction-response */
export function interactionCallback(api: FastifyInstance, world: World): void {
  api.post<{ Params: { interactionId: Snowflake; token: string } }>(
    '/interactions/:interactionId/:token/callback',
    async (request, reply) => {
      checkPathIds(request);
      const { interactionId, token } = request.params;
      const interaction = world.interactions.find(interactionId);
      if (interaction?.token !== token || world.clock() - interaction.createdAt > FIRST_ANSWER_MS) {
        throw refusal(404, RESTJSONErrorCodes.UnknownInteraction, 'Unknown interaction');
      }
      if (interaction.responseType !== null) {
        const code = RESTJSONErrorCodes.InteractionHasAlreadyBeenAcknowledged;
        throw refusal(400, code, 'Interaction has already been acknowledged.');
      }
      const { with_response: withResponse = false } = readForm(callbackQuery, request.query);
      const { type, data } = readForm(callback, request.body ?? {});
      const response = firstResponse(world, interaction, type, data);
      const message = 'id' in response ? response : null;
      const offered = 'id' in response ? {} : response;
      const answered = { ...interaction, ...offered, responseType: type, originalId: message?.id ?? null };
      world.interactions.put(answered);
      world.changes.publish({ kind: 'interaction-answered', guildId: interaction.guildId, interaction: answered });
      return withResponse ? callbackObject(world, interaction, type, message) : reply.code(204).send();
    },
  );
}

type CallbackType = z.output<typeof callback>['type'];

/** Responds with a message, or returns the content that the person's client shows instead. */
function firstResponse(
  world: World,
  interaction: Interaction,
  type: CallbackType,
  data: unknown,
): Message | Pick<Interaction, 'choices' | 'modal'> {
  const { use } = interaction;
  const allowed: readonly CallbackType[] = RESPONSES[use.kind];
  if (!allowed.includes(type)) {
    const { code, message } = notAmong(allowed);
    throw invalidField(['type'], code, message);
  }
  if (use.kind === 'autocomplete') return { choices: readChoices(data, use.data) };
  if (type === Modal) return { modal: readModal(data) };
  const edit = readMessageEdit(data, { settable: RESPONSE_FLAGS, at: ['data'] });
  switch (type) {
    case ChannelMessageWithSource:
      requireSubstance(edit);
      return postResponse(world, interaction, edit);
    case DeferredChannelMessageWithSource:
      return postResponse(world, interaction, { flags: (edit.flags ?? 0) | MessageFlags.Loading });
    case DeferredMessageUpdate:
      return buttonMessage(world, interaction);
    default:
      return editResponse(world, buttonMessage(world, interaction), edit);
  }
}

/** @throws {RestRefusal} 400 without a message to update; 404 (10008) when the message was deleted */
function buttonMessage(world: World, { use, channelId }: Interaction): Message {
  if (!('messageId' in use) || use.messageId === null) {
    const { code, message } = notAmong(MESSAGES);
    throw invalidField(['type'], code, message);
  }
  const message = visibleMessage(world, channelId, use.messageId);
  if (!message) throw unknownMessage();
  return message;
}

const TYPES = {
  command: InteractionType.ApplicationCommand,
  autocomplete: InteractionType.ApplicationCommandAutocomplete,
  button: InteractionType.MessageComponent,
  modal: InteractionType.ModalSubmit,
} as const;

function callbackObject(world: World, { id, use }: Interaction, type: CallbackType, message: Message | null) {
  return {
    interaction: {
      id,
      type: TYPES[use.kind],
      ...(message && {
        response_message_id: message.id,
        response_message_loading: message.loading,
        response_message_ephemeral: message.ephemeral,
      }),
    },
    ...((type === ChannelMessageWithSource || type === UpdateMessage) &&
      message !== null && {
        resource: { type, message: messageObject(world, message) },
      }),
  } satisfies RESTPostAPIInteractionCallbackWithResponseResult;
}

const PATH = '/webhooks/:webhookId/:token';

interface Webhook {
  Params: { webhookId: Snowflake; token: string; messageId?: Snowflake };
}

/**
 * Registers the routes for later responses to an interaction: follow-ups, and reading, editing and deleting any response by
 * id or as `@original`. The id of the webhook is that of the application.
 *
 * @see https://discord.com/developers/docs/interactions/receiving-and-responding#followup-messages
 */
export function webhookMessages(api: FastifyInstance, world: World): void {
  api.post<Webhook>(PATH, async (request) => {
    const interaction = interactionOf(world, request);
    const message = readMessageEdit(request.body, { settable: RESPONSE_FLAGS });
    requireSubstance(message);
    const { originalId, channelId } = interaction;
    const original = originalId === null ? null : visibleMessage(world, channelId, originalId);
    // The first follow-up to a deferred response fills it in.
    const posted = original?.loading
      ? editResponse(world, original, message)
      : postResponse(world, interaction, message);
    return messageObject(world, posted) satisfies RESTPostAPIInteractionFollowupResult;
  });

  for (const path of [`${PATH}/messages/@original`, `${PATH}/messages/:messageId`]) {
    api.get<Webhook>(path, async (request) => {
      const message = responseOf(world, interactionOf(world, request), request.params.messageId);
      return messageObject(world, message) satisfies RESTGetAPIInteractionFollowupResult;
    });

    api.patch<Webhook>(path, async (request) => {
      const message = responseOf(world, interactionOf(world, request), request.params.messageId);
      const edit = readMessageEdit(request.body, { settable: RESPONSE_FLAGS });
      requireSubstance({ ...message, ...edit });
      return messageObject(world, editResponse(world, message, edit)) satisfies RESTPatchAPIInteractionFollowupResult;
    });

    api.delete<Webhook>(path, async (request, reply) => {
      deleteMessage(world, responseOf(world, interactionOf(world, request), request.params.messageId));
      return reply.code(204).send();
    });
  }
}

function interactionOf(world: World, request: FastifyRequest<Webhook>) {
  checkPathIds(request);
  return interactionOfToken(world, request.params.webhookId, request.params.token);
}

const RESPONSE_FLAGS = MessageFlags.Ephemeral | MessageFlags.SuppressEmbeds | MessageFlags.SuppressNotifications;

/** @throws {RestRefusal} 401 (50027) when the token is unknown or 15 minutes old, 404 (10015) before the first response */
function interactionOfToken(world: World, applicationId: Snowflake, token: string): Interaction {
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
function postResponse(world: World, interaction: Interaction, body: MessageEdit): Message {
  const { id, applicationId, channelId } = interaction;
  if (!world.channels.find(channelId)) throw refusal(404, RESTJSONErrorCodes.UnknownChannel, 'Unknown Channel');
  const { userId: authorId } = world.bots.bot(applicationId);
  return postMessage(world, { content: '', ...body, channelId, authorId, interactionId: id });
}

/** Edits a response; a placeholder becomes a message and stays ephemeral if it was. */
function editResponse(world: World, message: Message, body: MessageEdit): Message {
  const flags = ((body.flags ?? 0) & ~MessageFlags.Ephemeral) | (message.flags & MessageFlags.Ephemeral);
  return editMessage(world, message, { ...body, flags });
}

/** @throws {RestRefusal} 404 (10008) when the interaction has no such response, or it was deleted */
function responseOf(world: World, interaction: Interaction, messageId?: Snowflake): Message {
  const id = messageId ?? interaction.originalId;
  const message = id === null ? null : visibleMessage(world, interaction.channelId, id);
  if (!message || (message.interactionId !== interaction.id && id !== interaction.originalId)) throw unknownMessage();
  return message;
}
