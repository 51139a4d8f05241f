import { z } from 'zod';

const NOT_A_GUILD_ID = 'expected a guild id: 17 to 19 decimal digits';
const NOT_A_SNOWFLAKE = 'expected a Discord id: 17 to 20 decimal digits';

/** The pattern of a guild's id, as in the specification of the interface. */
export const GUILD_ID_PATTERN = /^\d{17,19}$/;

/**
 * A guild's id: 17 to 19 ASCII digits. Always a string, because not every 19-digit number fits a double or a signed
 * 64-bit integer.
 */
export const GuildId = z
  .string(NOT_A_GUILD_ID)
  .regex(GUILD_ID_PATTERN, NOT_A_GUILD_ID)
  .meta({
    description: "The guild's id, a Discord snowflake.",
    minLength: 17,
    maxLength: 19,
    examples: ['197038439483310086'],
  });
export type GuildId = z.infer<typeof GuildId>;

/** A Discord id of a user or an application: 17 to 20 decimal digits, as a string. */
export const Snowflake = z
  .string(NOT_A_SNOWFLAKE)
  .regex(/^[0-9]{17,20}$/, NOT_A_SNOWFLAKE)
  .meta({ description: 'A Discord snowflake.', minLength: 17, maxLength: 20, examples: ['80351110224678912'] });
export type Snowflake = z.infer<typeof Snowflake>;

const SHARD = { id: z.int().min(0).max(65_535), count: z.int().min(1).max(65_536) };

const isBelowCount = ({ id, count }: { readonly id: number; readonly count: number }) => id < count;

const NOT_BELOW_COUNT = { path: ['id'], message: 'expected a shard id below the shard count' };

/** A shard of a bot: `id` of `count`. */
export const Shard = z.strictObject(SHARD).refine(isBelowCount, NOT_BELOW_COUNT);
export type Shard = z.infer<typeof Shard>;

/** A shard in the input of a watcher, in which unknown fields are ignored: docs/evolution.md. */
export const WatchedShard = z.object(SHARD).refine(isBelowCount, NOT_BELOW_COUNT);

/**
 * Returns the id of a guild's shard, by Discord's formula.
 * @see https://docs.discord.com/developers/events/gateway#sharding
 */
export function shardIdOf(guildId: GuildId, count: number): number {
  return Number((BigInt(guildId) >> 22n) % BigInt(count));
}

export function isOfShard(guildId: GuildId, { id, count }: Shard): boolean {
  return shardIdOf(guildId, count) === id;
}
