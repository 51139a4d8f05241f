import type { APIAllowedMentions, APIEmbed, APIMessageTopLevelComponent, Snowflake } from 'discord-api-types/v10';

/** A registered application, the OAuth2 client of the documentation. */
export interface Application {
  readonly id: Snowflake;
  readonly clientSecret: string;
  readonly name: string;
  /** When not empty, authorization codes are issued for these addresses only. */
  readonly redirectUris: readonly string[];
  /** The user a client-credentials token stands for; `null` leaves such tokens without a user. */
  readonly ownerId: Snowflake | null;
}

/** A person with an account, or the user that an application's bot is. */
export interface User {
  readonly id: Snowflake;
  readonly username: string;
  readonly globalName: string | null;
  readonly bot: boolean;
}

/** A guild as the guild list shows it. */
export interface Guild {
  readonly id: Snowflake;
  readonly name: string;
  /** Icon hash, or `null` when there is none. */
  readonly icon: string | null;
  readonly ownerId: Snowflake;
}

/** One guild as one of its members sees it. */
export interface Membership {
  readonly guild: Guild;
  readonly owner: boolean;
  /** Effective permission bits; an owner holds all of them. */
  readonly permissions: bigint;
  readonly memberCount: number;
}

/** An application's bot. */
export interface Bot {
  readonly applicationId: Snowflake;
  readonly userId: Snowflake;
  readonly token: string;
  /** The privileged gateway intents it may ask for, as a bit set. */
  readonly privilegedIntents: number;
}

/** Somebody's place in a guild. One role of their own carries their permissions. */
export interface Member {
  readonly userId: Snowflake;
  readonly permissions: bigint;
  readonly roleId: Snowflake;
  readonly nick: string | null;
  /** Milliseconds since the Unix epoch. */
  readonly joinedAt: number;
}

/** The kinds of channel there are here; threads are public. */
export type ChannelKind = 'text' | 'announcement' | 'thread';

/** What a channel gives to and takes from somebody, as bit sets. */
export interface Overwrite {
  readonly allow?: bigint;
  readonly deny?: bigint;
}

/** Overwrites by user id, and for everybody under `@everyone`. */
export type Overwrites = Readonly<Record<Snowflake, Overwrite>>;

/** A channel that people write in. */
export interface Channel {
  readonly id: Snowflake;
  readonly guildId: Snowflake;
  readonly name: string;
  readonly type: ChannelKind;
  /** Where a thread hangs and whose permissions it follows; `null` for other channels. */
  readonly parentId: Snowflake | null;
  readonly permissions: Overwrites;
}

/** A message, a deleted one included. */
export interface Message {
  readonly id: Snowflake;
  readonly channelId: Snowflake;
  readonly guildId: Snowflake;
  readonly authorId: Snowflake;
  readonly content: string;
  readonly embeds: readonly APIEmbed[];
  readonly components: readonly APIMessageTopLevelComponent[];
  /** Message flags as a bit set. */
  readonly flags: number;
  /** Seen by one person only, as an answer to their interaction. */
  readonly ephemeral: boolean;
  /** The placeholder of a deferred answer that has not been filled in. */
  readonly loading: boolean;
  readonly nonce: string | null;
  /** As the bot sent them; `null` when it left them out. */
  readonly allowedMentions: APIAllowedMentions | null;
  /** Users that are notified. */
  readonly mentions: readonly Snowflake[];
  readonly replyTo: Snowflake | null;
  /** The interaction it answers. */
  readonly interactionId: Snowflake | null;
  /** Milliseconds since the Unix epoch. */
  readonly createdAt: number;
  readonly editedAt: number | null;
  readonly deleted: boolean;
}
