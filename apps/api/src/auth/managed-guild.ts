import { type GuildId, type GuildProfile, ProblemError } from '@guild-settings/contract';
import type { Principal } from './principal.ts';

declare const checked: unique symbol;
declare const owned: unique symbol;

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

/** A guild that the caller may erase. Only {@link authorizeOwner} returns one. */
export interface OwnedGuild extends ManagedGuild {
  readonly [owned]: true;
}

/** Checks whether a principal may use a guild. @throws ProblemError for one that may not */
export type AuthorizeGuild<Guild extends ManagedGuild> = (principal: Principal, id: GuildId) => Guild;

/**
 * Returns the guild if the principal may read and change it.
 * @throws ProblemError not-guild-manager
 */
export function authorizeGuild(principal: Principal, id: GuildId): ManagedGuild {
  switch (principal.kind) {
    case 'application':
      return { id, principal, profile: undefined } as ManagedGuild;
    case 'user': {
      const found = principal.managedGuilds.get(id);
      if (found === undefined) throw new ProblemError('not-guild-manager');
      return { id, principal, profile: found.profile } as ManagedGuild;
    }
  }
}

/**
 * Returns the guild if the principal may erase it: the application, or a user who owns the guild.
 * @throws ProblemError not-guild-owner
 */
export function authorizeOwner(principal: Principal, id: GuildId): OwnedGuild {
  const isOwner = principal.kind === 'application' || principal.managedGuilds.get(id)?.isOwner === true;
  if (!isOwner) throw new ProblemError('not-guild-owner');
  return authorizeGuild(principal, id) as OwnedGuild;
}
