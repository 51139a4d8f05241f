import { z } from 'zod';

const NOT_A_GUILD_ID = 'expected a guild id: 17 to 19 decimal digits';
const NOT_A_SNOWFLAKE = 'expected a Discord id: 17 to 20 decimal digits';

/**
 * A guild's id: 17 to 19 ASCII digits, as specified. It stays a string from end to end, because nineteen digits fit
 * neither a double nor, all of them, a signed 64-bit integer.
 */
export const GuildId = z
  .string(NOT_A_GUILD_ID)
  .regex(/^\d{17,19}$/, NOT_A_GUILD_ID)
  .meta({ description: "The guild's id, a Discord snowflake.", examples: ['197038439483310086'] });

/** A guild's id, 17 to 19 decimal digits. */
export type GuildId = z.infer<typeof GuildId>;

/** Any other Discord id, of a user or an application: 17 to 20 decimal digits. */
export const Snowflake = z
  .string(NOT_A_SNOWFLAKE)
  .regex(/^\d{17,20}$/, NOT_A_SNOWFLAKE)
  .meta({ description: 'A Discord snowflake.', examples: ['80351110224678912'] });

/** A Discord id as a decimal string. */
export type Snowflake = z.infer<typeof Snowflake>;

/** One shard of a bot: `id` of `count`. */
export const Shard = z
  .strictObject({
    id: z.int().min(0).max(65_535),
    count: z.int().min(1).max(65_536),
  })
  .refine((shard) => shard.id < shard.count, { path: ['id'], message: 'expected a shard id below the shard count' });

/** One shard of a bot: `id` of `count`. */
export type Shard = z.infer<typeof Shard>;

/**
 * Whether a guild belongs to a shard, by Discord's own formula.
 * @see https://docs.discord.com/developers/events/gateway#sharding
 */
export function isOfShard(guildId: GuildId, shard: Shard): boolean {
  return (BigInt(guildId) >> 22n) % BigInt(shard.count) === BigInt(shard.id);
}
