import { GatewayCloseCodes, type Snowflake } from 'discord-api-types/v10';
import type { Bot } from '../world/entities.ts';
import type { World } from '../world/world.ts';
import { areAllowed, areIntents } from './intents.ts';
import { isObject } from './payloads.ts';
import { type Identity, shardOf } from './session.ts';

const MIN_LARGE_THRESHOLD = 50;
const MAX_LARGE_THRESHOLD = 250;
const MAX_SHARD_GUILDS = 2_500;

/**
 * Parses an IDENTIFY.
 *
 * @returns who it is, or the code to close with
 * @see https://discord.com/developers/docs/events/gateway-events#identify
 */
export function identityOf(world: World, data: unknown): Identity | GatewayCloseCodes {
  if (!isObject(data) || !isIdentify(data)) return GatewayCloseCodes.DecodeError;
  const { token, intents, shard: givenShard, large_threshold: largeThreshold, compress } = data;
  const bot = botOfToken(world, token);
  if (!bot) return GatewayCloseCodes.AuthenticationFailed;
  const shard = givenShard ?? [0, 1];
  if (!isShard(shard)) return GatewayCloseCodes.InvalidShard;
  if (!areIntents(intents)) return GatewayCloseCodes.InvalidIntents;
  if (!areAllowed(intents, bot)) return GatewayCloseCodes.DisallowedIntents;
  if (guildIdsOf(world, bot, shard).length > MAX_SHARD_GUILDS) return GatewayCloseCodes.ShardingRequired;
  const threshold = typeof largeThreshold === 'number' ? largeThreshold : MIN_LARGE_THRESHOLD;
  return {
    bot,
    intents,
    shard,
    isSharded: givenShard !== undefined && givenShard !== null,
    compress: compress === true,
    largeThreshold: Math.min(Math.max(threshold, MIN_LARGE_THRESHOLD), MAX_LARGE_THRESHOLD),
  };
}

/** Returns the guilds of a bot in a shard, oldest first. */
export function guildIdsOf(world: World, { userId }: Bot, [id, count]: Identity['shard']): Snowflake[] {
  return world
    .membershipsOf(userId)
    .map(({ guild }) => guild.id)
    .filter((guildId) => shardOf(guildId, count) === id);
}

/** Discord requires `properties`, but none of the members that it documents. */
function isIdentify({ token, properties, presence, compress }: Readonly<Record<string, unknown>>): boolean {
  const isOptionalPresence = presence === undefined || presence === null || isObject(presence);
  const isOptionalFlag = compress === undefined || compress === null || typeof compress === 'boolean';
  return typeof token === 'string' && isObject(properties) && isOptionalPresence && isOptionalFlag;
}

function isShard(shard: unknown): shard is [number, number] {
  if (!Array.isArray(shard) || shard.length !== 2) return false;
  const [id, count]: unknown[] = shard;
  return Number.isInteger(id) && Number.isInteger(count) && Number(id) >= 0 && Number(id) < Number(count);
}

/** Returns the bot of a token in IDENTIFY or RESUME, with which some libraries send the prefix `Bot `, too. */
export function botOfToken(world: World, token: unknown): Bot | null {
  return typeof token === 'string' ? world.bots.findByToken(token.replace(/^Bot +/, '')) : null;
}
