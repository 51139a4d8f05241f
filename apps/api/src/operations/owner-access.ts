import { authorizeOwner, type OwnedGuild } from '../auth/guild-access.ts';
import {
  type Access,
  type AuthorizeGuild,
  authorizeCaller,
  type Caller,
  checkedAgain,
  guildIdOf,
} from './authorize.ts';

/** The grant of {@link guildOwner}: a guild that the caller may erase. */
export interface OwnerAccess {
  readonly caller: Caller;
  readonly guild: OwnedGuild;
}

export const ownerOf: AuthorizeGuild<OwnedGuild> = ({ principal }, id) => authorizeOwner(principal, id);

/**
 * Grants the owner of the guild that the path names, and the application, whether the bot is in that guild or not. An old
 * check of a user's token is made again: an erasure by a former owner could not be undone.
 */
export const guildOwner: Access<OwnerAccess> = {
  problems: ['not-guild-owner'],
  async grant(found, call) {
    const wanted = { id: await guildIdOf(call), authorize: ownerOf };
    const caller = found.principal.kind === 'user' ? await checkedAgain(call, found) : undefined;
    return authorizeCaller(call, caller ?? found, wanted);
  },
};
