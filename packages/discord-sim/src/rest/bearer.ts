import type { OAuth2Scopes } from 'discord-api-types/v10';
import type { FastifyRequest } from 'fastify';
import type { AccessToken } from '../world/access-tokens.ts';
import type { World } from '../world/world.ts';
import { missingAccess, unauthorized } from './error-body.ts';

const BEARER = /^Bearer +([^\s]+)$/i;

/** Returns the bearer token in the `Authorization` header, valid or not. */
export function bearerToken(request: FastifyRequest): string | null {
  return BEARER.exec(request.headers.authorization ?? '')?.[1] ?? null;
}

/**
 * Returns the valid token of the request.
 *
 * @throws {RestRefusal} 401 without one
 * @see https://discord.com/developers/docs/reference#authentication
 */
export function requireToken(request: FastifyRequest, world: World): AccessToken {
  const text = bearerToken(request);
  const token = text === null ? null : world.tokens.find(text);
  if (!token) throw unauthorized();
  return token;
}

/**
 * Returns the user of the request's token, which must have `scope`.
 *
 * @throws {RestRefusal} 401 without a live token, 403 without the scope or the user
 */
export function requireUser(request: FastifyRequest, world: World, scope: OAuth2Scopes) {
  const { userId, scopes } = requireToken(request, world).authorization;
  if (userId === null || !scopes.includes(scope)) throw missingAccess();
  return world.user(userId);
}
