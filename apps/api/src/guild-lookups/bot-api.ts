import { type GuildId, Snowflake } from '@guild-settings/contract';
import { z } from 'zod';
import type { DiscordGet } from '../auth/discord-api.ts';
import type { PermissionMember, PermissionOverwrite } from './permissions.ts';

export type BotApi = ReturnType<typeof createBotApi>;

export function createBotApi(send: DiscordGet, token: string) {
  const authorization = `Bot ${token}`;
  const get = async <T>(path: string, endpoint: string, shape: z.ZodType<T>, signal: AbortSignal): Promise<T> =>
    (await send({ path, endpoint, authorization, signal, shape })).value;
  const member = <T>(id: GuildId, userId: Snowflake, shape: z.ZodType<T>, signal: AbortSignal) =>
    get(`/guilds/${id}/members/${userId}`, '/guilds/{guild}/members/{user}', shape, signal);
  return {
    /**
     * Returns the application, and the id of its bot, which differs from the application's for applications from 2016
     * and before.
     */
    application: (signal: AbortSignal) => get('/applications/@me', '/applications/@me', DiscordApplication, signal),
    guild: (id: GuildId, signal: AbortSignal) => get(`/guilds/${id}`, '/guilds/{guild}', DiscordGuild, signal),
    channels: (id: GuildId, signal: AbortSignal) =>
      get(`/guilds/${id}/channels`, '/guilds/{guild}/channels', DiscordChannels, signal),
    /** Returns a thread, or another channel, that is visible to the bot. */
    thread: (id: Snowflake, signal: AbortSignal) =>
      get(`/channels/${id}`, '/channels/{channel}', DiscordThread, signal),
    member: (id: GuildId, userId: Snowflake, signal: AbortSignal) => member(id, userId, DiscordMember, signal),
    namedMember: (id: GuildId, userId: Snowflake, signal: AbortSignal) => member(id, userId, NamedMember, signal),
    searchMembers: (id: GuildId, { query, limit }: { query: string; limit: number }, signal: AbortSignal) => {
      const parameters = new URLSearchParams({ query, limit: String(limit) });
      const endpoint = '/guilds/{guild}/members/search';
      return get(`/guilds/${id}/members/search?${parameters}`, endpoint, z.array(NamedMember), signal);
    },
    user: (userId: Snowflake, signal: AbortSignal) => get(`/users/${userId}`, '/users/{user}', DiscordUser, signal),
  };
}

const Bits = z.string().regex(/^\d+$/).transform(BigInt);

const Role = z.object({
  id: Snowflake,
  name: z.string(),
  // Deprecated by Discord.
  color: z
    .int()
    .nullish()
    .transform((color) => color ?? 0),
  position: z.int(),
  managed: z.boolean(),
  permissions: Bits,
});

/**
 * An emoji of a guild. Discord omits fields with their usual values. @see
 * https://docs.discord.com/developers/resources/emoji#emoji-object
 */
const Emoji = z.object({
  id: Snowflake,
  name: z.string(),
  animated: z.boolean().default(false),
  available: z.boolean().default(true),
});

/**
 * The fields of a guild that the service uses, with the roles by id. A response of another shape counts as an outage.
 * @see https://docs.discord.com/developers/resources/guild#guild-object
 */
export const DiscordGuild = z
  .object({
    id: Snowflake,
    owner_id: Snowflake,
    roles: z.array(Role),
    // Malformed emojis do not affect the lists of channels and roles.
    emojis: z.array(Emoji).catch([]),
  })
  .transform(({ id, owner_id: ownerId, emojis, roles }) => ({
    id,
    ownerId,
    emojis,
    roles: new Map(roles.map((role) => [role.id, role])),
  }));
export type DiscordGuild = z.infer<typeof DiscordGuild>;

/** Discord's type number of an overwrite: 0 for a role, 1 for a member. */
const Overwrite = z
  .object({ id: Snowflake, type: z.union([z.literal(0), z.literal(1)]), allow: Bits, deny: Bits })
  .transform(
    ({ id, type, allow, deny }): PermissionOverwrite => ({ id, kind: type === 0 ? 'role' : 'member', allow, deny }),
  );

export const DiscordChannels = z.array(
  z
    .object({
      id: Snowflake,
      type: z.int().min(0),
      name: z.string().nullish(),
      position: z.int().nullish(),
      parent_id: Snowflake.nullish(),
      permission_overwrites: z.array(Overwrite).nullish(),
    })
    .transform(({ id, type, name, position, parent_id: parentId, permission_overwrites: overwrites }) => ({
      id,
      type,
      name: name ?? '',
      position: position ?? 0,
      parentId: parentId ?? null,
      overwrites: overwrites ?? [],
    })),
);
export type DiscordChannel = z.infer<typeof DiscordChannels>[number];

/**
 * A channel by its id. A thread has no overwrites, and a direct message no guild.
 * @see https://docs.discord.com/developers/resources/channel#get-channel
 */
export const DiscordThread = z
  .object({
    id: Snowflake,
    type: z.int().min(0),
    name: z.string().nullish(),
    guild_id: Snowflake.nullish(),
    parent_id: Snowflake.nullish(),
  })
  .transform(({ id, type, name, guild_id: guildId, parent_id: parentId }) => ({
    id,
    type,
    name: name ?? '',
    guildId: guildId ?? null,
    parentId: parentId ?? null,
  }));
export type DiscordThread = z.infer<typeof DiscordThread>;

export const DiscordMember = z
  .object({
    user: z.object({ id: Snowflake }),
    roles: z.array(Snowflake),
    communication_disabled_until: z.string().nullish(),
  })
  .transform(({ user, roles, communication_disabled_until: timeoutEnd }): PermissionMember => {
    const timeoutUntilMs = timeoutEnd == null ? Number.NaN : Date.parse(timeoutEnd);
    return {
      userId: user.id,
      roleIds: roles,
      timeoutUntilMs: Number.isNaN(timeoutUntilMs) ? null : timeoutUntilMs,
    };
  });

const DiscordApplication = z.object({
  id: Snowflake,
  bot: z.object({ id: Snowflake }),
  // Display only.
  name: z.string().optional().catch(undefined),
  icon: z.string().nullish().catch(undefined),
});

export interface Person {
  readonly id: Snowflake;
  readonly name: string;
  readonly avatar: string | null;
}

const User = z.object({
  id: Snowflake,
  username: z.string(),
  global_name: z.string().nullish(),
  avatar: z.string().nullish(),
});

/**
 * The fields of a user that the service uses, as a {@link Person}. A response of another shape counts as an outage.
 * @see https://docs.discord.com/developers/resources/user#user-object
 */
export const DiscordUser = User.transform((user) => personOf(user));

/**
 * A member of a guild with their name in that guild. @see
 * https://docs.discord.com/developers/resources/guild#guild-member-object
 */
export const NamedMember = z
  .object({ user: User, nick: z.string().nullish() })
  .transform(({ user, nick }) => personOf(user, nick));

function personOf(
  { id, username, global_name: globalName, avatar }: z.infer<typeof User>,
  nick?: string | null,
): Person {
  return { id, name: nick || globalName || username, avatar: avatar ?? null };
}
