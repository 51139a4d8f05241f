/** Successive guilds, by their place among all. */
export interface GuildRange {
  readonly first: number;
  readonly count: number;
}

/** Returns snowflakes of successive milliseconds: they spread over any number of shards. */
export function guildIds(count: number): string[] {
  return Array.from({ length: count }, (_, index) => guildId(index));
}

/** Returns the snowflake of a guild at a place among all. */
export function guildId(index: number): string {
  return String(FIRST + (BigInt(index) << 22n));
}

const FIRST = 300_000_000_000_000_000n;
