import type { OAuth2Scopes, Snowflake } from 'discord-api-types/v10';
import type { Clock } from '../clock.ts';
import { AccessTokens, type IssuedToken, type IssuedUserToken } from './access-tokens.ts';
import { AuthorizationCodes } from './authorization-codes.ts';
import type { Application, User } from './entities.ts';
import type {
  NewApplication,
  NewAuthorizationCode,
  NewClientCredentialsToken,
  NewUser,
  NewUserToken,
} from './new-entities.ts';
import { isScope, type Scope } from './scopes.ts';
import { snowflake } from './snowflake.ts';

/** Applications, users and authorizations: the part of a world without guilds. */
export class Accounts {
  readonly #applications = new Map<Snowflake, Application>();
  readonly #users = new Map<Snowflake, User>();
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

  addUser({ id, username, globalName = null, bot = false }: NewUser): void {
    this.#users.set(snowflake(id), { id, username, globalName, bot });
  }

  /** Issues a token as if the user had authorised these scopes, without checking them. */
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
   * Simulates the user pressing "Authorize". The code can be exchanged once, within 100 seconds.
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

  /** Deletes an access token and its refresh token; other tokens of the user stay. */
  revokeToken(token: string): void {
    if (!this.tokens.revoke(token)) throw new Error('Unknown access token');
  }

  /** Makes an access token expire now; its refresh token stays valid. */
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

  /** Returns all users, including bots, in the order they were added. */
  users(): User[] {
    return [...this.#users.values()];
  }

  findUser(id: Snowflake): User | null {
    return this.#users.get(id) ?? null;
  }

  user(id: Snowflake): User {
    const user = this.findUser(id);
    if (!user) throw new Error(`Unknown user ${id}`);
    return user;
  }
}

function known(scopes: readonly Scope[]): OAuth2Scopes[] {
  return scopes.map((scope: string) => {
    if (!isScope(scope)) throw new Error(`Unknown OAuth2 scope ${JSON.stringify(scope)}`);
    return scope;
  });
}
