import type { FastifyRequest } from 'fastify';
import type { Bot } from '../../world/entities.ts';
import type { World } from '../../world/world.ts';
import { unauthorized } from '../error-body.ts';
import { checkPathIds } from '../form/path-ids.ts';

const BOT = /^Bot +([^\s]+)$/i;

/** Returns the bot of the request's token, if any. */
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
