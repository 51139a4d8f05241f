import { OAuth2Scopes } from 'discord-api-types/v10';

/** A scope's name on the wire. Enum members of `OAuth2Scopes` are accepted too. */
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

/** Whether Discord documents a scope of this name. */
export function isScope(name: string): name is OAuth2Scopes {
  return KNOWN.has(name);
}

/** Whether no user can ever grant this scope. */
export function isClientCredentialsOnly(scope: Scope): boolean {
  return CLIENT_CREDENTIALS_ONLY.has(scope);
}
