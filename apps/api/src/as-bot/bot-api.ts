import type { GuildId, Snowflake } from '@guild-settings/contract';
import { z } from 'zod';
import type { DiscordGet } from '../auth/discord-api.ts';
import {
  DiscordApplication,
  type DiscordChannel,
  DiscordChannels,
  DiscordGuild,
  DiscordMember,
  DiscordThread,
} from './discord-guild.ts';
import { DiscordUser, NamedMember, type Person } from './discord-person.ts';
import type { PermissionMember } from './permissions.ts';

export interface BotApi {
  /** Returns the application, and the id of its bot, which differs from that of the application for those of 2016 and before. */
  application(signal: AbortSignal): Promise<z.output<typeof DiscordApplication>>;
  guild(id: GuildId, signal: AbortSignal): Promise<DiscordGuild>;
  channels(id: GuildId, signal: AbortSignal): Promise<readonly DiscordChannel[]>;
  /** Returns a thread, or another channel, that the bot sees. */
  thread(id: Snowflake, signal: AbortSignal): Promise<DiscordThread>;
  member(id: GuildId, userId: Snowflake, signal: AbortSignal): Promise<PermissionMember>;
  namedMember(id: GuildId, userId: Snowflake, signal: AbortSignal): Promise<Person>;
  searchMembers(id: GuildId, search: { query: string; limit: number }, signal: AbortSignal): Promise<Person[]>;
  user(userId: Snowflake, signal: AbortSignal): Promise<Person>;
}

export function createBotApi(send: DiscordGet, token: string): BotApi {
  const authorization = `Bot ${token}`;
  const get = async <T>(path: string, endpoint: string, shape: z.ZodType<T>, signal: AbortSignal): Promise<T> =>
    (await send({ path, endpoint, authorization, signal, shape })).value;
  const member = <T>(id: GuildId, userId: Snowflake, shape: z.ZodType<T>, signal: AbortSignal) =>
    get(`/guilds/${id}/members/${userId}`, '/guilds/{guild}/members/{user}', shape, signal);
  return {
    application: (signal) => get('/applications/@me', '/applications/@me', DiscordApplication, signal),
    guild: (id, signal) => get(`/guilds/${id}`, '/guilds/{guild}', DiscordGuild, signal),
    channels: (id, signal) => get(`/guilds/${id}/channels`, '/guilds/{guild}/channels', DiscordChannels, signal),
    thread: (id, signal) => get(`/channels/${id}`, '/channels/{channel}', DiscordThread, signal),
    member: (id, userId, signal) => member(id, userId, DiscordMember, signal),
    namedMember: (id, userId, signal) => member(id, userId, NamedMember, signal),
    searchMembers: (id, { query, limit }, signal) => {
      const parameters = new URLSearchParams({ query, limit: String(limit) });
      const endpoint = '/guilds/{guild}/members/search';
      return get(`/guilds/${id}/members/search?${parameters}`, endpoint, z.array(NamedMember), signal);
    },
    user: (userId, signal) => get(`/users/${userId}`, '/users/{user}', DiscordUser, signal),
  };
}
