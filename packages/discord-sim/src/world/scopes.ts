import { OAuth2Scopes } from 'discord-api-types/v10';

export type Scope = `${OAuth2Scopes}`;

const KNOWN: ReadonlySet<string> = new Set(Object.values(OAuth2Scopes));

/**
 * Granted by the client-credentials grant alone.
 *
 * @see https://discord.com/developers/docs/topics/oauth2#shared-resources-oauth2-scopes
 */
const CLIENT_CREDENTIALS_ONLY: ReadonlySet<Scope> = new Set([OAuth2Scopes.ApplicationsCommandsUpdate]);

/** Returns whether Discord documents a scope of this name. */
export function isScope(name: string): name is OAuth2Scopes {
  return KNOWN.has(name);
}

/** Parses a space-separated list of scopes and removes duplicates. Returns `null` when one is unknown. */
export function readScopes(list: string): OAuth2Scopes[] | null {
  const names = [...new Set(list.split(' ').filter((name) => name !== ''))];
  return names.every(isScope) ? names : null;
}

/** Returns whether users cannot grant this scope. */
export function isClientCredentialsOnly(scope: Scope): boolean {
  return CLIENT_CREDENTIALS_ONLY.has(scope);
}
