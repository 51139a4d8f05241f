import type { GuildId, GuildProfile, Snowflake } from '@guild-settings/contract';

/** A user, authenticated by an access token of theirs. */
export interface UserPrincipal {
  readonly kind: 'user';
  readonly userId: Snowflake;
  /** Guilds that the user manages, with the profiles of the user's own guild list. */
  readonly managedGuilds: ReadonlyMap<GuildId, GuildProfile>;
  /** Those of them that the user owns. */
  readonly ownedGuilds: ReadonlySet<GuildId>;
}

/** The application itself: the bot and internal jobs. */
export interface ApplicationPrincipal {
  readonly kind: 'application';
  readonly applicationId: Snowflake;
  /** User that it acts for, as the application states it. */
  readonly onBehalfOf?: Snowflake;
}

/** An authenticated caller. */
export type Principal = UserPrincipal | ApplicationPrincipal;
