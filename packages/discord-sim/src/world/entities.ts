import type {
  APIAllowedMentions,
  APIEmbed,
  APIMessageTopLevelComponent,
  Locale,
  Snowflake,
} from 'discord-api-types/v10';
import type { Scope } from './tokens.ts';

/** Settings of an application in the developer portal, besides those that the simulator itself needs. */
interface PortalSettings {
  readonly bot_public?: boolean;
  readonly bot_require_code_grant?: boolean;
  readonly interactions_endpoint_url?: string;
  /** The installation types: 0 to a guild, 1 to a user; to a guild unless given. */
  readonly integration_types_config?: Readonly<
    Record<
      number,
      { readonly oauth2_install_params?: { readonly scopes: readonly string[]; readonly permissions: string } }
    >
  >;
}

/** A registered application, the OAuth2 client of the documentation. */
export interface Application {
  readonly id: Snowflake;
  readonly clientSecret: string;
  readonly name: string;
  readonly icon: string | null;
  /** The URIs that the authorization page redirects to: absolute, in ASCII, without a fragment, compared exactly. */
  readonly redirectUris: readonly string[];
  /** The user of client-credentials tokens; `null`: such tokens have no user. */
  readonly ownerId: Snowflake | null;
  /** Settings of the developer portal, in the form of `GET /applications/@me`. */
  readonly portal?: PortalSettings;
}

export interface User {
  readonly id: Snowflake;
  readonly username: string;
  readonly globalName: string | null;
  readonly avatar: string | null;
  readonly bot: boolean;
}

export interface Guild {
  readonly id: Snowflake;
  readonly name: string;
  readonly icon: string | null;
  readonly ownerId: Snowflake;
  /** `en-US` unless given. */
  readonly preferredLocale?: `${Locale}`;
  /** The channel of Discord's messages about members; none unless given. */
  readonly systemChannelId?: Snowflake;
  /** The channel of Discord's notices to moderators; none unless given. */
  readonly publicUpdatesChannelId?: Snowflake;
}

export interface Membership {
  readonly guild: Guild;
  readonly owner: boolean;
  /** Effective permission bits; an owner has all of them. */
  readonly permissions: bigint;
  readonly memberCount: number;
}

export interface Bot {
  readonly applicationId: Snowflake;
  readonly userId: Snowflake;
  readonly token: string;
  /** The enabled privileged gateway intents, as a bit set. */
  readonly privilegedIntents: number;
}

export interface Role {
  readonly id: Snowflake;
  readonly name: string;
  /** RGB as a number; 0: none. */
  readonly color: number;
  /** The place in the hierarchy, above `@everyone` with 0. */
  readonly position: number;
  readonly permissions: bigint;
  /** True: its members are listed separately. */
  readonly hoist: boolean;
  readonly mentionable: boolean;
  /** True: managed by an integration such as a bot, so it cannot be assigned to people. */
  readonly managed: boolean;
}

/** A member of a guild. Each has their own role with their permissions, besides shared roles. */
export interface Member {
  readonly userId: Snowflake;
  readonly permissions: bigint;
  readonly roleId: Snowflake;
  readonly roleIds: readonly Snowflake[];
  readonly nick: string | null;
  /** Milliseconds since the Unix epoch. */
  readonly joinedAt: number;
  /** The end of a timeout, in milliseconds since the Unix epoch; `null`: none. */
  readonly timedOutUntil: number | null;
}

/** The supported kinds of channels; threads are public. */
export type ChannelKind = 'text' | 'announcement' | 'voice' | 'category' | 'thread';

/** Permissions that a channel allows and denies, as bit sets. */
export interface Overwrite {
  readonly allow?: bigint;
  readonly deny?: bigint;
}

/** A custom emoji of a guild. */
export interface Emoji {
  readonly id: Snowflake;
  readonly name: string;
  readonly animated: boolean;
  /** False: it cannot be used, after a loss of boosts. */
  readonly available: boolean;
}

/** Overwrites by user id or by the id of a member's role, and under `@everyone` for all members. */
export type Overwrites = Readonly<Record<Snowflake, Overwrite>>;

export interface Channel {
  readonly id: Snowflake;
  readonly guildId: Snowflake;
  readonly name: string;
  readonly type: ChannelKind;
  /** The parent of a thread, which determines its permissions, or the category that a channel is in; `null`: none. */
  readonly parentId: Snowflake | null;
  readonly position: number;
  readonly permissions: Overwrites;
}

export interface Message {
  readonly id: Snowflake;
  readonly channelId: Snowflake;
  readonly guildId: Snowflake;
  readonly authorId: Snowflake;
  readonly content: string;
  readonly embeds: readonly APIEmbed[];
  readonly components: readonly APIMessageTopLevelComponent[];
  readonly flags: number;
  readonly ephemeral: boolean;
  readonly loading: boolean;
  readonly nonce: string | null;
  readonly allowedMentions: APIAllowedMentions | null;
  readonly mentions: readonly Snowflake[];
  readonly replyTo: Snowflake | null;
  readonly interactionId: Snowflake | null;
  /** Milliseconds since the Unix epoch. */
  readonly createdAt: number;
  readonly editedAt: number | null;
  readonly deleted: boolean;
}

export type NewApplication = Pick<Application, 'id' | 'clientSecret'> & Partial<Application>;

export type NewUser = Pick<User, 'id' | 'username'> & Partial<User>;

export type NewGuild = Omit<Guild, 'icon'> & Partial<Guild>;

export type GuildChange = Partial<Omit<Guild, 'id' | 'ownerId'>>;

/** A {@link Role} of a guild, by default without permissions and colour, above all others so far. */
export type NewRole = Pick<Role, 'id' | 'name'> & Partial<Role> & { readonly guildId: Snowflake };

/** An {@link Emoji} of a guild, by default static and available. */
export type NewEmoji = Pick<Emoji, 'id' | 'name'> & Partial<Emoji> & { readonly guildId: Snowflake };

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

export interface NewClientCredentialsToken {
  /** The token's text; random unless given. */
  readonly token?: string;
  readonly applicationId: Snowflake;
  readonly scopes: readonly Scope[];
  /** Defaults to Discord's 604,800; zero or less creates an expired token. */
  readonly expiresInSeconds?: number;
  /** True: the token belongs to no consent, so it only ends when it is revoked itself. False unless given. */
  readonly isStandalone?: boolean;
}

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
