import type { OAuth2Scopes } from 'discord-api-types/v10';
import type { FastifyRequest } from 'fastify';
import type { Bot } from '../world/entities.ts';
import type { AccessToken } from '../world/tokens.ts';
import type { World } from '../world/world.ts';
import { missingAccess, unauthorized } from './error-body.ts';
import { checkPathIds } from './form/read-form.ts';

const BEARER = /^Bearer +([^\s]+)$/i;

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

const BOT = /^Bot +([^\s]+)$/i;

export function botOf(request: Pick<FastifyRequest, 'headers'>, world: World): Bot | null {
  const token = BOT.exec(request.headers.authorization ?? '')?.[1];
  return token === undefined ? null : world.bots.findByToken(token);
}

/**
 * Returns the bot of the request's token.
 *
 * @throws {RestRefusal} 401 without one, then 400 (50035) when an id in the path is malformed
 * @see https://discord.com/developers/docs/reference#authentication
 */
export function requireBot(request: Pick<FastifyRequest, 'headers' | 'params'>, world: World): Bot {
  const bot = botOf(request, world);
  if (!bot) throw unauthorized();
  checkPathIds(request);
  return bot;
}
