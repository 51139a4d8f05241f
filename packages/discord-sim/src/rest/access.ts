import { type OAuth2Scopes, PermissionFlagsBits, RESTJSONErrorCodes, type Snowflake } from 'discord-api-types/v10';
import type { FastifyRequest } from 'fastify';
import type { Bot, Channel, Guild, Message } from '../world/entities.ts';
import { has } from '../world/permissions.ts';
import { visibleMessage } from '../world/post-message.ts';
import type { AccessToken } from '../world/tokens.ts';
import type { World } from '../world/world.ts';
import { missingAccess, refusal, unauthorized } from './error-body.ts';
import { checkPathIds } from './form.ts';

const BEARER = /^Bearer +([^\s]+)$/i;

export function bearerToken(request: FastifyRequest): string | null {
  return BEARER.exec(request.headers.authorization ?? '')?.[1] ?? null;
}

/**
 * @throws {RestRefusal} 401 without one
 * @see https://discord.com/developers/docs/reference#authentication
 */
export function requireToken(request: FastifyRequest, world: World): AccessToken {
  const text = bearerToken(request);
  const token = text === null ? null : world.tokens.find(text);
  if (!token) throw unauthorized();
  return token;
}

/** @throws {RestRefusal} 401 without a live token, 403 without the scope or the user */
export function requireUser(request: FastifyRequest, world: World, scope: OAuth2Scopes) {
  const { userId, scopes } = requireToken(request, world).authorization;
  if (userId === null || !scopes.includes(scope)) throw missingAccess();
  return world.user(userId);
}

const BOT = /^Bot +([^\s]+)$/i;

export function botOf(request: Pick<FastifyRequest, 'headers'>, world: World): Bot | null {
  const token = BOT.exec(request.headers.authorization ?? '')?.[1];
  return token === undefined ? null : world.bots.findByToken(token);
}

/**
 * @throws {RestRefusal} 401 without one, then 400 (50035) when an id in the path is malformed
 * @see https://discord.com/developers/docs/reference#authentication
 */
export function requireBot(request: Pick<FastifyRequest, 'headers' | 'params'>, world: World): Bot {
  const bot = botOf(request, world);
  if (!bot) throw unauthorized();
  checkPathIds(request);
  return bot;
}

/** @throws {RestRefusal} 404 (10003) for an unknown channel, 403 (50001) when the bot cannot see it */
export function viewedChannel(world: World, bot: Bot, channelId: Snowflake): Channel {
  const channel = world.channels.find(channelId);
  if (!channel) throw refusal(404, RESTJSONErrorCodes.UnknownChannel, 'Unknown Channel');
  if (!has(world.permissionsIn(channelId, bot.userId), PermissionFlagsBits.ViewChannel)) throw missingAccess();
  return channel;
}

/**
 * @throws {RestRefusal} the errors of {@link viewedChannel}, 400 (50008) for a category, 403 (50001) without access to
 * a voice channel, and 403 (50013) when the bot may read but not write
 */
export function writableChannel(world: World, bot: Bot, channelId: Snowflake): Channel {
  const channel = viewedChannel(world, bot, channelId);
  const { Connect, SendMessages, SendMessagesInThreads } = PermissionFlagsBits;
  if (channel.type === 'category') {
    const code = RESTJSONErrorCodes.CannotSendMessagesInNonTextChannel;
    throw refusal(400, code, 'Cannot send messages in a non-text channel');
  }
  const permissions = world.permissionsIn(channelId, bot.userId);
  if (channel.type === 'voice' && !has(permissions, Connect)) throw missingAccess();
  const wanted = channel.type === 'thread' ? SendMessagesInThreads : SendMessages;
  if (!has(permissions, wanted)) throw missingPermissions();
  return channel;
}

/** @throws {RestRefusal} 404 (10008) when the message is not in the channel */
export function knownMessage(world: World, channelId: Snowflake, messageId: Snowflake): Message {
  const message = visibleMessage(world, channelId, messageId);
  if (!message || message.ephemeral) throw unknownMessage();
  return message;
}

/** @throws {RestRefusal} 404 (10004) for an unknown guild, 403 (50001) when the bot is not in it */
export function joinedGuild(world: World, bot: Bot, guildId: Snowflake): Guild {
  const guild = world.guilds.find(guildId);
  if (!guild) throw refusal(404, RESTJSONErrorCodes.UnknownGuild, 'Unknown Guild');
  if (!world.guilds.findMember(guildId, bot.userId)) throw missingAccess();
  return guild;
}

export function missingPermissions() {
  return refusal(403, RESTJSONErrorCodes.MissingPermissions, 'Missing Permissions');
}

export function unknownMessage() {
  return refusal(404, RESTJSONErrorCodes.UnknownMessage, 'Unknown Message');
}
