import type { Snowflake } from 'discord-api-types/v10';
import type { Application, Channel, ChannelKind, Guild, Overwrites, User } from './entities.ts';
import type { Scope } from './scopes.ts';

/** An {@link Application}; what is left out has a plain default. */
export type NewApplication = Pick<Application, 'id' | 'clientSecret'> & Partial<Application>;

/** A {@link User}; the global name may be left out. */
export type NewUser = Pick<User, 'id' | 'username'> & Partial<User>;

/** A {@link Guild}; the icon may be left out. */
export type NewGuild = Omit<Guild, 'icon'> & Partial<Guild>;

/** What may change about a guild. */
export type GuildChange = Partial<Pick<Guild, 'name' | 'icon'>>;

/** The bot of an application. */
export interface NewBot {
  readonly applicationId: Snowflake;
  readonly token: string;
  /** The application's id when left out, as Discord does it today. */
  readonly userId?: Snowflake;
  /** The application's name when left out. */
  readonly username?: string;
  /** The privileged gateway intents switched on for it; all of them when left out. */
  readonly privilegedIntents?: number;
}

/** A channel. */
export interface NewChannel extends Pick<Channel, 'id' | 'guildId' | 'name'> {
  /** `text` when left out. */
  readonly type?: ChannelKind;
  /** The channel a thread hangs in, which it needs and nothing else has. */
  readonly parentId?: Snowflake;
  /** Where `@everyone` is left out, every member may read and write. */
  readonly permissions?: Overwrites;
}

/** How a bot enters a guild. */
export interface BotInvitation {
  /** May be left out while there is one bot. */
  readonly applicationId?: Snowflake;
  /** Permissions in the guild; to read and to write when left out. */
  readonly permissions?: bigint;
}

/** A token that an application obtains by its own credentials. */
export interface NewClientCredentialsToken {
  /** The token's text; random when left out. */
  readonly token?: string;
  readonly applicationId: Snowflake;
  readonly scopes: readonly Scope[];
  /** Defaults to Discord's 604,800; zero or less makes a token that has expired already. */
  readonly expiresInSeconds?: number;
}

/** A token that an application obtains for a user. */
export interface NewUserToken extends NewClientCredentialsToken {
  readonly userId: Snowflake;
}

/** A user's consent, given on the authorization page. */
export interface NewAuthorizationCode {
  readonly userId: Snowflake;
  readonly applicationId: Snowflake;
  readonly scopes: readonly Scope[];
  readonly redirectUri: string;
}
