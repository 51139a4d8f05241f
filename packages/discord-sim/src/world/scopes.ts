import { OAuth2Scopes } from 'discord-api-types/v10';

/** The name of a scope. Enum members of `OAuth2Scopes` are accepted as well. */
export type Scope = `${OAuth2Scopes}`;

const KNOWN: ReadonlySet<string> = new Set(Object.values(OAuth2Scopes));

/**
 * Granted by the client-credentials grant alone.
 *
 * @see https://discord.com/developers/docs/topics/oauth2#shared-resources-oauth2-scopes
 */
const CLIENT_CREDENTIALS_ONLY: ReadonlySet<Scope> = new Set([
  OAuth2Scopes.ApplicationsCommandsUpdate,
  OAuth2Scopes.ApplicationCommandsPermissionsUpdate,
]);

/** Returns whether Discord documents a scope of this name. */
export function isScope(name: string): name is OAuth2Scopes {
  return KNOWN.has(name);
}

/** Returns whether users cannot grant this scope. */
export function isClientCredentialsOnly(scope: Scope): boolean {
  return CLIENT_CREDENTIALS_ONLY.has(scope);
}
