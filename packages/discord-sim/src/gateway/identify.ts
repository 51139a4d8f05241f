import { GatewayCloseCodes } from 'discord-api-types/v10';
import { record } from '../record.ts';
import type { World } from '../world/world.ts';
import { areAllowed, areIntents } from './intents.ts';
import type { Identity } from './session.ts';

const DEFAULT_LARGE_THRESHOLD = 50;

/**
 * Parses an IDENTIFY.
 *
 * @returns who it is, or the code to close with
 * @see https://discord.com/developers/docs/events/gateway-events#identify
 */
export function identityOf(world: World, data: unknown): Identity | GatewayCloseCodes {
  const { token, intents, shard = [0, 1], large_threshold: largeThreshold } = record(data);
  const bot = typeof token === 'string' ? world.bots.findByToken(token.replace(/^Bot /, '')) : null;
  if (!bot) return GatewayCloseCodes.AuthenticationFailed;
  if (!isShard(shard)) return GatewayCloseCodes.InvalidShard;
  if (!areIntents(intents)) return GatewayCloseCodes.InvalidIntents;
  if (!areAllowed(intents, bot)) return GatewayCloseCodes.DisallowedIntents;
  return {
    bot,
    intents,
    shard,
    largeThreshold: typeof largeThreshold === 'number' ? largeThreshold : DEFAULT_LARGE_THRESHOLD,
  };
}

function isShard(shard: unknown): shard is [number, number] {
  if (!Array.isArray(shard) || shard.length !== 2) return false;
  const [id, count]: unknown[] = shard;
  return Number.isInteger(id) && Number.isInteger(count) && Number(id) >= 0 && Number(id) < Number(count);
}
