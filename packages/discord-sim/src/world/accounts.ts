import type { OAuth2Scopes, Snowflake } from 'discord-api-types/v10';
import type {
  Application,
  NewApplication,
  NewAuthorizationCode,
  NewClientCredentialsToken,
  NewUser,
  NewUserToken,
  User,
} from './entities.ts';
import { type Clock, snowflake } from './snowflake.ts';
import {
  AccessTokens,
  type Authorization,
  AuthorizationCodes,
  type CodeBinding,
  type Consent,
  Consents,
  type IssuedToken,
  type IssuedUserToken,
  isScope,
  type Scope,
} from './tokens.ts';

export class Accounts {
  readonly #applications = new Map<Snowflake, Application>();
  readonly #users = new Map<Snowflake, User>();
  /** @internal */
  readonly tokens: AccessTokens;
  /** @internal */
  readonly codes: AuthorizationCodes;
  /** @internal */
  readonly consents = new Consents();

  constructor(clock: Clock) {
    this.tokens = new AccessTokens(clock);
    this.codes = new AuthorizationCodes(clock);
  }

  addApplication({
    id,
    clientSecret,
    name = 'Application',
    icon = null,
    redirectUris = [],
    ownerId = null,
    portal = {},
  }: NewApplication): void {
    if (ownerId !== null) this.user(ownerId);
    const uris = redirectUris.map(registrableUri);
    this.#applications.set(snowflake(id), { id, clientSecret, name, icon, redirectUris: uris, ownerId, portal });
  }

  addUser({ id, username, globalName = null, avatar = null, bot = false }: NewUser): void {
    this.#users.set(snowflake(id), { id, username, globalName, avatar, bot });
  }

  /** Issues a token as if the user had authorised these scopes, without checking them. */
  issueUserToken({ userId, applicationId, scopes, isStandalone = false, ...options }: NewUserToken): IssuedUserToken {
    this.user(userId);
    this.application(applicationId);
    const consent = { applicationId, userId, scopes: known(scopes) };
    if (!isStandalone) this.consents.give(consent);
    return this.tokens.issueRenewable({ ...consent, grant: 'user', isStandalone }, options);
  }

  /** Issues a token for the application itself; its user is the application's owner. */
  issueClientCredentialsToken(token: NewClientCredentialsToken): IssuedToken {
    const { applicationId, scopes, isStandalone = false, ...options } = token;
    const userId = this.application(applicationId).ownerId;
    const authorization = {
      applicationId,
      userId,
      scopes: known(scopes),
      grant: 'client_credentials',
      isStandalone,
    } as const;
    return this.tokens.issue(authorization, options);
  }

  /**
   * Simulates the user pressing "Authorize". The code can be exchanged once, within 100 seconds.
   *
   * @throws {Error} when the redirect URI is not registered for the application
   */
  issueAuthorizationCode(consent: NewAuthorizationCode): string {
    const { userId, applicationId, scopes, redirectUri, codeChallenge = null } = consent;
    this.user(userId);
    if (!this.application(applicationId).redirectUris.includes(redirectUri)) {
      throw new Error(`Redirect address ${redirectUri} is not registered for application ${applicationId}`);
    }
    return this.grant(
      { applicationId, userId, scopes: known(scopes) },
      { redirectUri, isRedirectUriImplied: false, codeChallenge },
    );
  }

  /**
   * Records a consent and issues a code for it.
   *
   * @internal
   */
  grant(consent: Consent, binding: CodeBinding): string {
    this.consents.give(consent);
    return this.codes.issue({ ...consent, grant: 'user', isStandalone: false }, binding);
  }

  /**
   * Revokes all tokens and codes of an authorization, and ends the user's consent.
   *
   * @internal
   */
  revokeAuthorization(authorization: Authorization): void {
    const { applicationId, userId, grant, isStandalone } = authorization;
    this.tokens.revokeConsent(authorization);
    this.codes.revokeConsent(authorization);
    if (grant === 'user' && userId !== null && !isStandalone) this.consents.withdraw({ applicationId, userId });
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

/** The characters of a URI without a fragment: https://www.rfc-editor.org/rfc/rfc3986#appendix-A */
const URI_CHARACTERS = /^[A-Za-z0-9\-._~:/?[\]@!$&'()*+,;=%]+$/;

/**
 * Returns true if an application can register a redirect URI: an absolute URI without a fragment.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6749#section-3.1.2
 */
export function isRegistrableUri(uri: string): boolean {
  return URI_CHARACTERS.test(uri) && URL.canParse(uri);
}

/** @throws {TypeError} */
function registrableUri(uri: string): string {
  if (isRegistrableUri(uri)) return uri;
  throw new TypeError(`Expected an absolute redirect URI without a fragment, received ${JSON.stringify(uri)}`);
}

export function listPeople(accounts: Accounts) {
  return accounts.users().flatMap(({ id, username, globalName, bot }) => {
    return bot ? [] : [{ id, username, name: globalName ?? username }];
  });
}

export function findPerson(accounts: Accounts, id: Snowflake): User | null {
  const user = accounts.findUser(id);
  return user && !user.bot ? user : null;
}
