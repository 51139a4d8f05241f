import type { Bot } from '../world/entities.ts';
import type { World } from '../world/world.ts';

/** Returns the bot of a token in IDENTIFY or RESUME, with which some libraries send the prefix `Bot `, too. */
export function botOfToken(world: World, token: unknown): Bot | null {
  return typeof token === 'string' ? world.bots.findByToken(token.replace(/^Bot +/, '')) : null;
}
