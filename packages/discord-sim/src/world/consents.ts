import type { OAuth2Scopes, Snowflake } from 'discord-api-types/v10';

/** What a user has granted to an application. */
export interface Consent {
  readonly applicationId: Snowflake;
  readonly userId: Snowflake;
  readonly scopes: readonly OAuth2Scopes[];
}

/** The consents of users, until they are withdrawn. */
export class Consents {
  readonly #scopes = new Map<string, ReadonlySet<OAuth2Scopes>>();

  /** Adds scopes to the consent of a user to an application. */
  give({ scopes, ...parties }: Consent): void {
    this.#scopes.set(keyOf(parties), new Set([...this.#given(parties), ...scopes]));
  }

  /** Returns whether the user has consented to all of these scopes. */
  covers({ scopes, ...parties }: Consent): boolean {
    const given = this.#given(parties);
    return given.size > 0 && scopes.every((scope) => given.has(scope));
  }

  /** Ends the consent of a user to an application. */
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
