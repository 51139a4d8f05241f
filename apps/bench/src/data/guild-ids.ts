/**
 * Returns snowflakes of successive milliseconds: they spread over any number of shards.
 * @param from how many of the first ones are left out
 */
export function guildIds(count: number, from = 0): string[] {
  return Array.from({ length: count }, (_, index) => String(FIRST + (BigInt(from + index) << 22n)));
}

const FIRST = 300_000_000_000_000_000n;
