import type { OAuth2Scopes, Snowflake } from 'discord-api-types/v10';

/** An authorization: an application, a user, scopes. */
export interface Authorization {
  readonly applicationId: Snowflake;
  /** `null` for the client credentials of an application without an owner. */
  readonly userId: Snowflake | null;
  readonly scopes: readonly OAuth2Scopes[];
  readonly grant: 'user' | 'client_credentials';
  /** Whether its tokens belong to no consent: a revocation of other tokens of the user leaves them valid. */
  readonly isStandalone: boolean;
}

/** Returns whether revoking a token of one authorization revokes the tokens of the other. */
export function sameConsent(a: Authorization, b: Authorization): boolean {
  if (a.isStandalone || b.isStandalone) return a === b;
  return a.applicationId === b.applicationId && a.userId === b.userId && a.grant === b.grant;
}
