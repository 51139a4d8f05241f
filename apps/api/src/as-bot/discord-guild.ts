import { Snowflake } from '@guild-settings/contract';
import { z } from 'zod';
import type { PermissionMember, PermissionOverwrite } from './permissions.ts';

const Bits = z.string().regex(/^\d+$/).transform(BigInt);

const Role = z.object({
  id: Snowflake,
  name: z.string(),
  // Discord deprecates it.
  color: z
    .int()
    .nullish()
    .transform((color) => color ?? 0),
  position: z.int(),
  managed: z.boolean(),
  permissions: Bits,
});

/**
 * The fields of a guild that the service uses, with the roles by id. A response of another shape counts as an outage.
 * @see https://docs.discord.com/developers/resources/guild#guild-object
 */
export const DiscordGuild = z
  .object({ id: Snowflake, owner_id: Snowflake, roles: z.array(Role) })
  .transform(({ id, owner_id: ownerId, roles }) => ({
    id,
    ownerId,
    roles: new Map(roles.map((role) => [role.id, role])),
  }));
export type DiscordGuild = z.infer<typeof DiscordGuild>;

/** Discord's number of the type of an overwrite: 0 for a role, 1 for a member. */
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

export const DiscordApplication = z.object({
  id: Snowflake,
  bot: z.object({ id: Snowflake }),
  // Only shown.
  name: z.string().optional().catch(undefined),
  icon: z.string().nullish().catch(undefined),
});
