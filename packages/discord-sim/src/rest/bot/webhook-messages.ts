import type {
  RESTGetAPIInteractionFollowupResult,
  RESTPatchAPIInteractionFollowupResult,
  RESTPostAPIInteractionFollowupResult,
  Snowflake,
} from 'discord-api-types/v10';
import type { FastifyInstance } from 'fastify';
import { messageObject } from '../../objects/message-object.ts';
import { deleteMessage, visibleMessage } from '../../world/post-message.ts';
import type { World } from '../../world/world.ts';
import { editResponse, interactionOfToken, postResponse, RESPONSE_FLAGS, responseOf } from './interaction-response.ts';
import { messageBody, requireSubstance } from './message-body.ts';

const PATH = '/webhooks/:applicationId/:token';

interface Webhook {
  Params: { applicationId: Snowflake; token: string };
}

interface WebhookMessage {
  Params: { applicationId: Snowflake; token: string; messageId: string };
}

/**
 * Registers the routes for later responses to an interaction: follow-ups, and reading, editing and deleting any response by
 * id or as `@original`.
 *
 * @see https://discord.com/developers/docs/interactions/receiving-and-responding#followup-messages
 */
export function webhookMessages(api: FastifyInstance, world: World): void {
  api.post<Webhook>(PATH, async ({ params, body: json }) => {
    const interaction = interactionOfToken(world, params.applicationId, params.token);
    const body = messageBody(json, RESPONSE_FLAGS);
    requireSubstance(body);
    const { originalId, channelId } = interaction;
    const original = originalId === null ? null : visibleMessage(world, channelId, originalId);
    // The first follow-up to a deferred response fills it in.
    const message = original?.loading ? editResponse(world, original, body) : postResponse(world, interaction, body);
    return messageObject(world, message) satisfies RESTPostAPIInteractionFollowupResult;
  });

  api.get<WebhookMessage>(`${PATH}/messages/:messageId`, async ({ params }) => {
    const interaction = interactionOfToken(world, params.applicationId, params.token);
    const message = responseOf(world, interaction, params.messageId);
    return messageObject(world, message) satisfies RESTGetAPIInteractionFollowupResult;
  });

  api.patch<WebhookMessage>(`${PATH}/messages/:messageId`, async ({ params, body: json }) => {
    const interaction = interactionOfToken(world, params.applicationId, params.token);
    const message = responseOf(world, interaction, params.messageId);
    const body = messageBody(json, RESPONSE_FLAGS);
    requireSubstance({ ...message, ...body });
    return messageObject(world, editResponse(world, message, body)) satisfies RESTPatchAPIInteractionFollowupResult;
  });

  api.delete<WebhookMessage>(`${PATH}/messages/:messageId`, async ({ params }, reply) => {
    const interaction = interactionOfToken(world, params.applicationId, params.token);
    deleteMessage(world, responseOf(world, interaction, params.messageId));
    return reply.code(204).send();
  });
}
