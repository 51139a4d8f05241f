import type { OAuth2Scopes, Snowflake } from 'discord-api-types/v10';

/** An authorization: an application, a user, scopes. */
export interface Authorization {
  readonly applicationId: Snowflake;
  /** `null` for the client credentials of an application without an owner. */
  readonly userId: Snowflake | null;
  readonly scopes: readonly OAuth2Scopes[];
  readonly grant: 'user' | 'client_credentials';
}

/** Returns whether two authorizations have the same user and application. */
export function sameConsent(a: Authorization, b: Authorization): boolean {
  return a.applicationId === b.applicationId && a.userId === b.userId && a.grant === b.grant;
}
