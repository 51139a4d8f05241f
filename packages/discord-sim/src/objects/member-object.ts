import type {
  APIGuildMember,
  APIGuildMemberNoUser,
  APIRole,
  GuildMemberFlags,
  RoleFlags,
  Snowflake,
} from 'discord-api-types/v10';
import type { Member, Role } from '../world/entities.ts';
import type { World } from '../world/world.ts';
import { userObject } from './user-object.ts';

export function memberWithoutUser({ nick, roleId, roleIds, joinedAt, timedOutUntil }: Member) {
  return {
    nick,
    avatar: null,
    banner: null,
    roles: [roleId, ...roleIds],
    joined_at: new Date(joinedAt).toISOString(),
    premium_since: null,
    pending: false,
    communication_disabled_until: timedOutUntil === null ? null : new Date(timedOutUntil).toISOString(),
    deaf: false,
    mute: false,
    flags: 0 as GuildMemberFlags,
  } satisfies APIGuildMemberNoUser;
}

/** @see https://discord.com/developers/docs/resources/guild#guild-member-object */
export function memberObject(world: World, member: Member) {
  return { ...memberWithoutUser(member), user: userObject(world.user(member.userId)) } satisfies APIGuildMember;
}

/** Returns the roles of a guild. The role @everyone has no permissions: members have roles of their own. */
export function guildRoleObjects(world: World, guildId: Snowflake) {
  const plain = { color: 0, position: 0, permissions: 0n, hoist: false, mentionable: false, managed: false };
  return [{ ...plain, id: guildId, name: '@everyone' }, ...world.rolesOf(guildId)].map(roleObject);
}

/** @see https://discord.com/developers/docs/topics/permissions#role-object */
export function roleObject({ permissions, ...role }: Role) {
  return {
    ...role,
    colors: { primary_color: role.color, secondary_color: null, tertiary_color: null },
    permissions: permissions.toString(),
    icon: null,
    unicode_emoji: null,
    flags: 0 as RoleFlags,
  } satisfies APIRole;
}
