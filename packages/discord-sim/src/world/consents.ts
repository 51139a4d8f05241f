import type { OAuth2Scopes, Snowflake } from 'discord-api-types/v10';

export interface Authorization {
  readonly applicationId: Snowflake;
  /** `null` for the client credentials of an application without an owner. */
  readonly userId: Snowflake | null;
  readonly scopes: readonly OAuth2Scopes[];
  readonly grant: 'user' | 'client_credentials';
  /** True: its tokens belong to no consent, and a revocation of other tokens of the user leaves them valid. */
  readonly isStandalone: boolean;
}

/** Returns whether revoking a token of one authorization revokes the tokens of the other. */
export function sameConsent(a: Authorization, b: Authorization): boolean {
  if (a.isStandalone || b.isStandalone) return a === b;
  return a.applicationId === b.applicationId && a.userId === b.userId && a.grant === b.grant;
}

export interface Consent {
  readonly applicationId: Snowflake;
  readonly userId: Snowflake;
  readonly scopes: readonly OAuth2Scopes[];
}

/** The consents of users, until they are withdrawn. */
export class Consents {
  readonly #scopes = new Map<string, ReadonlySet<OAuth2Scopes>>();

  give({ scopes, ...parties }: Consent): void {
    this.#scopes.set(keyOf(parties), new Set([...this.#given(parties), ...scopes]));
  }

  covers({ scopes, ...parties }: Consent): boolean {
    const given = this.#given(parties);
    return given.size > 0 && scopes.every((scope) => given.has(scope));
  }

  withdraw(parties: Omit<Consent, 'scopes'>): void {
    this.#scopes.delete(keyOf(parties));
  }

  #given(parties: Omit<Consent, 'scopes'>): ReadonlySet<OAuth2Scopes> {
    return this.#scopes.get(keyOf(parties)) ?? new Set();
  }
}

function keyOf({ applicationId, userId }: Omit<Consent, 'scopes'>): string {
  return `${applicationId} ${userId}`;
}
