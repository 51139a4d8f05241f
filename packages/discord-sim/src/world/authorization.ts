import type { OAuth2Scopes, Snowflake } from 'discord-api-types/v10';

/** What somebody agreed to: this application, for this user, these scopes. */
export interface Authorization {
  readonly applicationId: Snowflake;
  /** `null` for the client credentials of an application without an owner. */
  readonly userId: Snowflake | null;
  readonly scopes: readonly OAuth2Scopes[];
  readonly grant: 'user' | 'client_credentials';
}

/** Whether both stem from one entry in the user's list of authorised apps, whatever their scopes. */
export function sameConsent(a: Authorization, b: Authorization): boolean {
  return a.applicationId === b.applicationId && a.userId === b.userId && a.grant === b.grant;
}
