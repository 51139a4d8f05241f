import type { GuildId, GuildProfile, Snowflake } from '@guild-settings/contract';

/** A guild as the caller's own guild list shows it. */
export interface MemberGuild extends GuildProfile {
  /** Whether the caller may read and change its settings. */
  readonly manages: boolean;
}

/** A person, known by an access token that they gave a dashboard or script. */
export interface UserPrincipal {
  readonly kind: 'user';
  readonly userId: Snowflake;
  readonly guilds: ReadonlyMap<GuildId, MemberGuild>;
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
