import type { Snowflake } from 'discord-api-types/v10';

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

/** A person with an account. */
export interface User {
  readonly id: Snowflake;
  readonly username: string;
  readonly globalName: string | null;
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
