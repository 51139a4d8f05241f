import type { Guild } from '@guild-settings/contract';

/** Returns the record of a guild as `seedSqlite` writes it. */
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
