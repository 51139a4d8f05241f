import type { GuildId, GuildProfile, Snowflake } from '@guild-settings/contract';

/** A person, known by an access token that they gave a dashboard or script. */
export interface UserPrincipal {
  readonly kind: 'user';
  readonly userId: Snowflake;
  /** The guilds that they manage, as their own guild list shows them. */
  readonly managedGuilds: ReadonlyMap<GuildId, GuildProfile>;
}

/** The application itself: the bot, and internal jobs. */
export interface ApplicationPrincipal {
  readonly kind: 'application';
  readonly applicationId: Snowflake;
  /** The person it acts for, by its own word. */
  readonly onBehalfOf?: Snowflake;
}

/** Who makes a request. */
export type Principal = UserPrincipal | ApplicationPrincipal;

/** One string a principal, for counting its calls. */
export function principalKey(principal: Principal): string {
  switch (principal.kind) {
    case 'user':
      return `user:${principal.userId}`;
    case 'application':
      return `application:${principal.applicationId}:${principal.onBehalfOf ?? ''}`;
  }
}
