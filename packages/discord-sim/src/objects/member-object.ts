import type {
  APIGuildMember,
  APIGuildMemberNoUser,
  APIRole,
  GuildMemberFlags,
  RoleFlags,
  Snowflake,
} from 'discord-api-types/v10';
import type { Member } from '../world/entities.ts';
import type { World } from '../world/world.ts';
import { userObject } from './user-object.ts';

/** Returns a member without the user, as in messages. */
export function memberWithoutUser({ nick, roleId, joinedAt, timedOutUntil }: Member) {
  return {
    nick,
    avatar: null,
    banner: null,
    roles: [roleId],
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

const PLAIN_ROLE = {
  color: 0,
  colors: { primary_color: 0, secondary_color: null, tertiary_color: null },
  hoist: false,
  icon: null,
  unicode_emoji: null,
  managed: false,
  mentionable: false,
  flags: 0 as RoleFlags,
} satisfies Partial<APIRole>;

/** Returns the role @everyone. It has no permissions: members have roles of their own. */
export function everyoneRole(guildId: Snowflake) {
  return { ...PLAIN_ROLE, id: guildId, name: '@everyone', position: 0, permissions: '0' } satisfies APIRole;
}

/**
 * Returns the role with one member's permissions.
 *
 * @see https://discord.com/developers/docs/topics/permissions#role-object
 */
export function roleObject({ roleId, userId, permissions }: Member) {
  return {
    ...PLAIN_ROLE,
    id: roleId,
    name: `of ${userId}`,
    position: 1,
    permissions: permissions.toString(),
  } satisfies APIRole;
}
