import type { APIGuildMember, APIGuildMemberNoUser, GuildMemberFlags } from 'discord-api-types/v10';
import { userObject } from '../rest/users/user-object.ts';
import type { Member } from '../world/entities.ts';
import type { World } from '../world/world.ts';

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
