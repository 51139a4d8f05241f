import {
  type APIDMChannel,
  type ChannelFlags,
  ChannelType,
  RESTJSONErrorCodes,
  type RESTPostAPIChannelMessageResult,
  type Snowflake,
} from 'discord-api-types/v10';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { userObject } from '../../objects/guild-objects.ts';
import { messageObject } from '../../objects/message-objects.ts';
import type { Message } from '../../world/entities.ts';
import type { DirectChannel } from '../../world/messages.ts';
import type { World } from '../../world/world.ts';
import { requireBot } from '../authorization.ts';
import { refusal } from '../error-body.ts';
import { id } from '../form/fields.ts';
import { readForm } from '../form/read-form.ts';
import type { NewMessage } from './message/message-form.ts';

const recipient = z.object({ recipient_id: id });

/**
 * `POST /users/@me/channels`: opens the channel of the bot and a user.
 *
 * @see https://docs.discord.com/developers/resources/user#create-dm
 */
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
export function sendDirectMessage(
  world: World,
  { id: channelId, botId, userId }: DirectChannel,
  { message, nonce }: NewMessage,
): RESTPostAPIChannelMessageResult {
  if (!haveCommonGuild(world, botId, userId)) {
    throw refusal(403, RESTJSONErrorCodes.CannotSendMessagesToThisUser, 'Cannot send messages to this user');
  }
  const sent: Message = {
    content: '',
    embeds: [],
    components: [],
    flags: 0,
    allowedMentions: null,
    ...message,
    id: world.ids.next(),
    channelId,
    guildId: '',
    authorId: botId,
    ephemeral: false,
    loading: false,
    nonce,
    mentions: [],
    replyTo: null,
    interactionId: null,
    createdAt: world.clock(),
    editedAt: null,
    deleted: false,
  };
  world.direct.add(sent);
  return messageObject(world, sent);
}

function haveCommonGuild(world: World, botId: Snowflake, userId: Snowflake): boolean {
  return world.membershipsOf(botId).some(({ guild }) => world.guilds.findMember(guild.id, userId) !== null);
}
