import type { Guild } from '@guild-settings/contract';

/** Successive guilds, by their place among all. */
export interface GuildRange {
  readonly first: number;
  readonly count: number;
}

/** Returns snowflakes of successive milliseconds: they spread over any number of shards. */
export function guildIds(count: number): string[] {
  return Array.from({ length: count }, (_, index) => guildId(index));
}

export function guildId(index: number): string {
  return String(FIRST + (BigInt(index) << 22n));
}

const FIRST = 300_000_000_000_000_000n;

export function recordOf(id: string, index: number): Guild {
  return {
    id,
    name: `Guild ${id}`,
    icon: null,
    prefix: `${index % 1_000}`,
    announcement_channel: String(BigInt(id) + 1n),
    beta: index % 2 === 1,
    language: 'en-US',
    enabledFeatures: index % 2 === 0 ? ['reminders'] : [],
  };
}
