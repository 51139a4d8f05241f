import { type GuildId, type GuildProfile, ProblemError } from '@guild-settings/contract';
import type { Principal } from './principal.ts';

declare const checked: unique symbol;

/**
 * A guild that the caller manages. Functions that read or change a guild take a `ManagedGuild` instead of an id, and only
 * {@link authorizeGuild} returns one: code without the check does not compile.
 */
export interface ManagedGuild {
  readonly [checked]: true;
  readonly id: GuildId;
  readonly principal: Principal;
  /** Name and icon from the user's own guild list; undefined for the application, which has none. */
  readonly profile: GuildProfile | undefined;
}

/**
 * Returns the guild if the principal may read and change it.
 * @throws ProblemError not-guild-manager
 */
export function authorizeGuild(principal: Principal, id: GuildId): ManagedGuild {
  switch (principal.kind) {
    case 'application':
      return { id, principal, profile: undefined } as ManagedGuild;
    case 'user': {
      const profile = principal.managedGuilds.get(id);
      if (profile === undefined) throw new ProblemError('not-guild-manager');
      return { id, principal, profile } as ManagedGuild;
    }
  }
}
