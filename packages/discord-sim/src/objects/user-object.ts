import type { APIUser, UserFlags } from 'discord-api-types/v10';
import type { User } from '../world/entities.ts';

const NO_FLAGS = 0 as UserFlags;

/**
 * Returns the public user object. Accounts with unique usernames have the discriminator `"0"`.
 *
 * @see https://discord.com/developers/docs/resources/user#user-object
 */
export function userObject({ id, username, globalName, avatar, bot }: User) {
  return {
    id,
    username,
    discriminator: '0',
    global_name: globalName,
    avatar,
    avatar_decoration_data: null,
    banner: null,
    accent_color: null,
    flags: NO_FLAGS,
    public_flags: NO_FLAGS,
    collectibles: null,
    primary_guild: null,
    ...(bot && { bot }),
  } satisfies APIUser;
}

export function ownUserObject(user: User) {
  return {
    ...userObject(user),
    locale: 'en-US',
    mfa_enabled: false,
    premium_type: 0,
    ...(user.bot && { verified: true }),
  } satisfies APIUser;
}
