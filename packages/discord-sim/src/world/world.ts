import type { OAuth2Scopes, Snowflake } from 'discord-api-types/v10';
import type { Clock } from '../clock.ts';
import { AccessTokens, type IssuedToken, type IssuedUserToken } from './access-tokens.ts';
import { AuthorizationCodes } from './authorization-codes.ts';
import type { Application, Guild, Membership, User } from './entities.ts';
import { Guilds } from './guilds.ts';
import { isScope, type Scope } from './scopes.ts';
import { snowflake } from './snowflake.ts';

/** An {@link Application}; what is left out has a plain default. */
export type NewApplication = Pick<Application, 'id' | 'clientSecret'> & Partial<Application>;

/** A {@link User}; the global name may be left out. */
export type NewUser = Pick<User, 'id' | 'username'> & Partial<User>;

/** A {@link Guild}; the icon may be left out. */
export type NewGuild = Omit<Guild, 'icon'> & Partial<Guild>;

/** What may change about a guild. */
export type GuildChange = Partial<Pick<Guild, 'name' | 'icon'>>;

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

/**
 * What exists in this Discord: applications, users, guilds, members and tokens. Changes show in the next answer.
 *
 * Methods throw an `Error` for ids nobody has added and a `TypeError` for ids that are no snowflakes. No message
 * holds a token.
 */
export class World {
  readonly #applications = new Map<Snowflake, Application>();
  readonly #users = new Map<Snowflake, User>();
  readonly #guilds = new Guilds();
  /** @internal */
  readonly tokens: AccessTokens;
  /** @internal */
  readonly codes: AuthorizationCodes;

  constructor(clock: Clock) {
    this.tokens = new AccessTokens(clock);
    this.codes = new AuthorizationCodes(clock);
  }

  addApplication({ id, clientSecret, name = 'Application', redirectUris = [], ownerId = null }: NewApplication): void {
    if (ownerId !== null) this.user(ownerId);
    this.#applications.set(snowflake(id), { id, clientSecret, name, redirectUris: [...redirectUris], ownerId });
  }

  addUser({ id, username, globalName = null }: NewUser): void {
    this.#users.set(snowflake(id), { id, username, globalName });
  }

  /** Adds a guild with its owner as first member; under a known id it replaces the guild, members and all. */
  addGuild({ id, name, icon = null, ownerId }: NewGuild): void {
    this.user(ownerId);
    this.#guilds.add({ id: snowflake(id), name, icon, ownerId });
  }

  updateGuild(guildId: Snowflake, change: GuildChange): void {
    this.#guilds.update(guildId, change);
  }

  removeGuild(guildId: Snowflake): void {
    this.#guilds.remove(guildId);
  }

  /** Adds a member with the permissions that roles and overwrites leave them, as a bit set. */
  addMember(guildId: Snowflake, userId: Snowflake, { permissions }: { readonly permissions: bigint }): void {
    this.user(userId);
    this.#guilds.addMember(guildId, userId, permissions);
  }

  /** Replaces a member's permissions. An owner holds all of them whatever is set. */
  setPermissions(guildId: Snowflake, userId: Snowflake, permissions: bigint): void {
    this.#guilds.setPermissions(guildId, userId, permissions);
  }

  /** @throws {Error} when the user owns the guild */
  removeMember(guildId: Snowflake, userId: Snowflake): void {
    this.#guilds.removeMember(guildId, userId);
  }

  /** Issues a token as if the user had agreed to these scopes, which are taken as they are. */
  issueUserToken({ userId, applicationId, scopes, ...options }: NewUserToken): IssuedUserToken {
    this.user(userId);
    this.application(applicationId);
    return this.tokens.issueRenewable({ applicationId, userId, scopes: known(scopes), grant: 'user' }, options);
  }

  /** Issues a token for the application itself; its user is the application's owner. */
  issueClientCredentialsToken({ applicationId, scopes, ...options }: NewClientCredentialsToken): IssuedToken {
    const userId = this.application(applicationId).ownerId;
    return this.tokens.issue({ applicationId, userId, scopes: known(scopes), grant: 'client_credentials' }, options);
  }

  /**
   * Stands for the user pressing "Authorize". The code can be exchanged once, within 100 seconds.
   *
   * @throws {Error} when the application has registered redirect addresses and this is none of them
   */
  issueAuthorizationCode({ userId, applicationId, scopes, redirectUri }: NewAuthorizationCode): string {
    this.user(userId);
    const { redirectUris } = this.application(applicationId);
    if (redirectUris.length > 0 && !redirectUris.includes(redirectUri)) {
      throw new Error(`Redirect address ${redirectUri} is not registered for application ${applicationId}`);
    }
    return this.codes.issue({ applicationId, userId, scopes: known(scopes), grant: 'user' }, redirectUri);
  }

  /** Forgets one access token and its refresh token; other tokens of the same user stay. */
  revokeToken(token: string): void {
    if (!this.tokens.revoke(token)) throw new Error('Unknown access token');
  }

  /** Lets an access token expire now; its refresh token stays good. */
  expireToken(token: string): void {
    if (!this.tokens.expire(token)) throw new Error('Unknown access token');
  }

  application(id: Snowflake): Application {
    const application = this.findApplication(id);
    if (!application) throw new Error(`Unknown application ${id}`);
    return application;
  }

  findApplication(id: Snowflake): Application | null {
    return this.#applications.get(id) ?? null;
  }

  user(id: Snowflake): User {
    const user = this.#users.get(id);
    if (!user) throw new Error(`Unknown user ${id}`);
    return user;
  }

  /** The user's guilds, oldest first, with what the user may do in each as of now. */
  membershipsOf(userId: Snowflake): Membership[] {
    return this.#guilds.membershipsOf(userId);
  }
}

function known(scopes: readonly Scope[]): OAuth2Scopes[] {
  return scopes.map((scope: string) => {
    if (!isScope(scope)) throw new Error(`Unknown OAuth2 scope ${JSON.stringify(scope)}`);
    return scope;
  });
}
