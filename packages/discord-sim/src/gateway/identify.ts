import { GatewayCloseCodes, type Snowflake } from 'discord-api-types/v10';
import { z } from 'zod';
import type { Bot } from '../world/entities.ts';
import type { World } from '../world/world.ts';
import { areAllowed, areIntents } from './intents.ts';
import { type Identity, shardOf } from './session.ts';

const MIN_LARGE_THRESHOLD = 50;
const MAX_LARGE_THRESHOLD = 250;
const MAX_SHARD_GUILDS = 2_500;

/** Discord requires `properties`, but none of the members that it documents. */
const identify = z.object({
  token: z.string(),
  properties: z.looseObject({}),
  presence: z.looseObject({}).nullish(),
  compress: z.boolean().nullish(),
  intents: z.unknown().optional(),
  shard: z.unknown().optional(),
  large_threshold: z.unknown().optional(),
});

const shardPair = z.tuple([z.int().min(0), z.int()]).refine(([id, count]) => id < count);

/**
 * Parses an IDENTIFY.
 *
 * @returns who it is, or the code to close with
 * @see https://discord.com/developers/docs/events/gateway-events#identify
 */
export function identityOf(world: World, data: unknown): Identity | GatewayCloseCodes {
  const parsed = identify.safeParse(data);
  if (!parsed.success) return GatewayCloseCodes.DecodeError;
  const { token, intents, shard: givenShard, large_threshold: largeThreshold, compress } = parsed.data;
  const bot = botOfToken(world, token);
  if (!bot) return GatewayCloseCodes.AuthenticationFailed;
  const { data: shard } = shardPair.safeParse(givenShard ?? [0, 1]);
  if (!shard) return GatewayCloseCodes.InvalidShard;
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

export function guildIdsOf(world: World, { userId }: Bot, [id, count]: Identity['shard']): Snowflake[] {
  return world
    .membershipsOf(userId)
    .map(({ guild }) => guild.id)
    .filter((guildId) => shardOf(guildId, count) === id);
}

/** Returns the bot of a token in IDENTIFY or RESUME, with which some libraries send the prefix `Bot `, too. */
export function botOfToken(world: World, token: string): Bot | null {
  return world.bots.findByToken(token.replace(/^Bot +/, ''));
}
