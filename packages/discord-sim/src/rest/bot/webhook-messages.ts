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
import { ANSWER_FLAGS, answeredInteraction, answerOf, editAnswer, postAnswer } from './interaction-answer.ts';
import { messageBody, requireSubstance } from './message-body.ts';

const PATH = '/webhooks/:applicationId/:token';

interface Webhook {
  Params: { applicationId: Snowflake; token: string };
}

interface WebhookMessage {
  Params: { applicationId: Snowflake; token: string; messageId: string };
}

/**
 * Registers the routes for later responses to an interaction: follow-ups, and reading, editing and deleting any response by id or as `@original`.
 *
 * @see https://discord.com/developers/docs/interactions/receiving-and-responding#followup-messages
 */
export function webhookMessages(api: FastifyInstance, world: World): void {
  api.post<Webhook>(PATH, async ({ params, body: json }) => {
    const interaction = answeredInteraction(world, params.applicationId, params.token);
    const body = messageBody(json, ANSWER_FLAGS);
    requireSubstance(body);
    const { originalId, channelId } = interaction;
    const original = originalId === null ? null : visibleMessage(world, channelId, originalId);
    // The first follow-up to a deferred response fills it in.
    const message = original?.loading ? editAnswer(world, original, body) : postAnswer(world, interaction, body);
    return messageObject(world, message) satisfies RESTPostAPIInteractionFollowupResult;
  });

  api.get<WebhookMessage>(`${PATH}/messages/:messageId`, async ({ params }) => {
    const interaction = answeredInteraction(world, params.applicationId, params.token);
    const message = answerOf(world, interaction, params.messageId);
    return messageObject(world, message) satisfies RESTGetAPIInteractionFollowupResult;
  });

  api.patch<WebhookMessage>(`${PATH}/messages/:messageId`, async ({ params, body: json }) => {
    const interaction = answeredInteraction(world, params.applicationId, params.token);
    const message = answerOf(world, interaction, params.messageId);
    const body = messageBody(json, ANSWER_FLAGS);
    requireSubstance({ ...message, ...body });
    return messageObject(world, editAnswer(world, message, body)) satisfies RESTPatchAPIInteractionFollowupResult;
  });

  api.delete<WebhookMessage>(`${PATH}/messages/:messageId`, async ({ params }, reply) => {
    const interaction = answeredInteraction(world, params.applicationId, params.token);
    deleteMessage(world, answerOf(world, interaction, params.messageId));
    return reply.code(204).send();
  });
}
