/** Returns snowflakes of successive milliseconds: they spread over any number of shards. */
export function guildIds(count: number): string[] {
  return Array.from({ length: count }, (_, index) => String(FIRST + (BigInt(index) << 22n)));
}

const FIRST = 300_000_000_000_000_000n;
