import type { GuildId, GuildProfile, Snowflake } from '@guild-settings/contract';

/** A guild that a user manages, from the user's own guild list. */
export interface UserGuild {
  readonly profile: GuildProfile;
  readonly isOwner: boolean;
  readonly permissions: bigint;
}

export interface UserPrincipal {
  readonly kind: 'user';
  readonly userId: Snowflake;
  readonly managedGuilds: ReadonlyMap<GuildId, UserGuild>;
  /** The user's permissions in the other guilds that they are a member of, in Discord's order. */
  readonly otherGuilds: ReadonlyMap<GuildId, bigint>;
}

export interface ApplicationPrincipal {
  readonly kind: 'application';
  readonly applicationId: Snowflake;
  /** The user that it acts for, as stated by the application. */
  readonly onBehalfOf?: Snowflake;
}

export type Principal = UserPrincipal | ApplicationPrincipal;

/** Returns the user who made the request, or for whom the application acts; undefined: the application itself. */
export function personOf(principal: Principal | undefined): Snowflake | undefined {
  return principal?.kind === 'user' ? principal.userId : principal?.onBehalfOf;
}
