import type { OAuth2Scopes } from 'discord-api-types/v10';
import { readScopes } from '../../world/scopes.ts';
import { OAuth2Refusal } from './oauth2-refusal.ts';

/**
 * Parses a space-separated list of scopes and removes duplicates.
 *
 * @throws {OAuth2Refusal} `invalid_scope` for an unknown one
 */
export function parseScopes(list: string): OAuth2Scopes[] {
  const scopes = readScopes(list);
  if (!scopes) throw invalidScope();
  return scopes;
}

/** The error for scopes that do not exist or that this grant cannot issue. */
export function invalidScope(): OAuth2Refusal {
  return new OAuth2Refusal('invalid_scope', 'The requested scope is invalid, unknown, or malformed.');
}
