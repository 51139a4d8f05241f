import type { FastifyRequest } from 'fastify';
import type { Bot } from '../../world/entities.ts';
import type { World } from '../../world/world.ts';
import { unauthorized } from '../error-body.ts';

const BOT = /^Bot +([^\s]+)$/i;

/** Returns the bot of the request's token, if any. */
export function botOf(request: FastifyRequest, world: World): Bot | null {
  const token = BOT.exec(request.headers.authorization ?? '')?.[1];
  return token === undefined ? null : world.bots.findByToken(token);
}

/**
 * Returns the bot of the request's token.
 *
 * @throws {RestRefusal} 401 without one
 * @see https://discord.com/developers/docs/reference#authentication
 */
export function requireBot(request: FastifyRequest, world: World): Bot {
  const bot = botOf(request, world);
  if (!bot) throw unauthorized();
  return bot;
}
