import type {
  RESTGetAPIInteractionFollowupResult,
  RESTPatchAPIInteractionFollowupResult,
  RESTPostAPIInteractionFollowupResult,
  Snowflake,
} from 'discord-api-types/v10';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { messageObject } from '../../objects/message-objects.ts';
import { deleteMessage, visibleMessage } from '../../world/post-message.ts';
import type { World } from '../../world/world.ts';
import { checkPathIds } from '../form/read-form.ts';
import { editResponse, interactionOfToken, postResponse, RESPONSE_FLAGS, responseOf } from './interaction-response.ts';
import { readMessageEdit, requireSubstance } from './message/message-form.ts';

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
