import type { APIUser } from 'discord-api-types/v10';
import { userObject } from '../rest/users/user-object.ts';
import type { User } from '../world/entities.ts';

/** Returns the user object for the user themselves. */
export function ownUserObject(user: User) {
  return {
    ...userObject(user),
    locale: 'en-US',
    mfa_enabled: false,
    premium_type: 0,
    ...(user.bot && { verified: true }),
  } satisfies APIUser;
}
