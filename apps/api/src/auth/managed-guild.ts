import { type GuildId, type GuildProfile, ProblemError } from '@guild-settings/contract';
import type { Principal } from './principal.ts';

declare const checked: unique symbol;

/**
 * A guild that the caller has been found to manage. Whatever reads or changes a guild takes one of these instead of an
 * id, and only {@link authorizeGuild} makes them: a path that forgets the check does not compile.
 */
export interface ManagedGuild {
  readonly [checked]: true;
  readonly id: GuildId;
  readonly principal: Principal;
  /** Name and icon by the caller's own guild list; absent for the application, which has none. */
  readonly profile: GuildProfile | undefined;
}

/**
 * Checks that a principal may read and change a guild.
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
