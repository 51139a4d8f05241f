import type { Snowflake } from 'discord-api-types/v10';
import type { Application, Channel, ChannelKind, Guild, Overwrites, Role, User } from './entities.ts';
import type { Scope } from './scopes.ts';

export type NewApplication = Pick<Application, 'id' | 'clientSecret'> & Partial<Application>;

export type NewUser = Pick<User, 'id' | 'username'> & Partial<User>;

export type NewGuild = Omit<Guild, 'icon'> & Partial<Guild>;

export type GuildChange = Partial<Omit<Guild, 'id' | 'ownerId'>>;

/** A {@link Role} of a guild, by default without permissions and colour, above all others so far. */
export type NewRole = Pick<Role, 'id' | 'name'> & Partial<Role> & { readonly guildId: Snowflake };

/** A command whose permissions are set. */
export interface CommandTarget {
  /** The name of a chat command; without it, the permissions are for all commands of the application. */
  readonly command?: string;
  /** Optional while there is one bot. */
  readonly applicationId?: Snowflake;
}

export interface NewBot {
  readonly applicationId: Snowflake;
  readonly token: string;
  /** The application's id unless given, as in Discord. */
  readonly userId?: Snowflake;
  /** The application's name unless given. */
  readonly username?: string;
  /** The enabled privileged gateway intents; all of them unless given. */
  readonly privilegedIntents?: number;
}

export interface NewChannel extends Pick<Channel, 'id' | 'guildId' | 'name'> {
  /** `text` unless given. */
  readonly type?: ChannelKind;
  /** The parent of a thread, which needs one, or the category of another channel. */
  readonly parentId?: Snowflake;
  /** 0 unless given. */
  readonly position?: number;
  /** Without `@everyone`, every member may read and write, and connect to a voice channel. */
  readonly permissions?: Overwrites;
}

export interface BotInvitation {
  /** Optional while there is one bot. */
  readonly applicationId?: Snowflake;
  /** Permissions in the guild; to read and to write unless given. */
  readonly permissions?: bigint;
}

/** A token that an application obtains by its own credentials. */
export interface NewClientCredentialsToken {
  /** The token's text; random unless given. */
  readonly token?: string;
  readonly applicationId: Snowflake;
  readonly scopes: readonly Scope[];
  /** Defaults to Discord's 604,800; zero or less creates an expired token. */
  readonly expiresInSeconds?: number;
  /**
   * True: the token belongs to no consent, so that only a revocation of itself ends it, and not one of the user's other
   * tokens. False unless given.
   */
  readonly isStandalone?: boolean;
}

/** A token that an application obtains for a user. */
export interface NewUserToken extends NewClientCredentialsToken {
  readonly userId: Snowflake;
}

/** A user's consent on the authorization page. */
export interface NewAuthorizationCode {
  readonly userId: Snowflake;
  readonly applicationId: Snowflake;
  readonly scopes: readonly Scope[];
  readonly redirectUri: string;
  /** The PKCE challenge, by the method S256; the exchange then needs its verifier. */
  readonly codeChallenge?: string;
}
