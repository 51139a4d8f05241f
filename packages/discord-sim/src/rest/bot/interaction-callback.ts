import {
  InteractionResponseType,
  InteractionType,
  MessageFlags,
  RESTJSONErrorCodes,
  type RESTPostAPIInteractionCallbackWithResponseResult,
  type Snowflake,
} from 'discord-api-types/v10';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { messageObject } from '../../objects/message-objects.ts';
import type { Message } from '../../world/entities.ts';
import { FIRST_ANSWER_MS, type Interaction } from '../../world/messages.ts';
import { visibleMessage } from '../../world/post-message.ts';
import type { World } from '../../world/world.ts';
import { invalidField, refusal } from '../error-body.ts';
import { choice, flagText, notAmong, optional } from '../form/fields.ts';
import { checkPathIds, readForm } from '../form/read-form.ts';
import { unknownMessage } from './access.ts';
import { readChoices } from './command/choices-form.ts';
import { editResponse, postResponse, RESPONSE_FLAGS } from './interaction-response.ts';
import { readMessageEdit, requireSubstance } from './message/message-form.ts';
import { readModal } from './modal/modal-form.ts';

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

/**
 * `POST /interactions/:interactionId/:token/callback`: the first response, within three seconds.
 *
 * @see https://discord.com/developers/docs/interactions/receiving-and-responding#create-interaction-response
 */
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

/** Responds with a message, or returns what the person's client shows instead. */
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

/** @throws {RestRefusal} 400 where there is no message to update; 404 (10008) when the message was deleted */
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

/** Returns the result of a callback. A deferred response has no resource yet. */
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
