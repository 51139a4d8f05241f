import { isDeepStrictEqual } from 'node:util';
import { DEFAULT_SETTINGS, type GuildId } from '@guild-settings/contract';
import type { Database } from 'better-sqlite3';
import type { ResetLosses } from './replica-options.ts';

const PAIRS = `
  SELECT records.guild_id AS "guildId", records.record AS before, staged.record AS after
  FROM records LEFT JOIN staged ON staged.guild_id = records.guild_id`;

interface Pair {
  readonly guildId: GuildId;
  readonly before: string;
  readonly after: string | null;
}

/** Compares the records before a reset with those after it, for the followed guilds. */
export function resetLosses(db: Database, isFollowed: (guildId: GuildId) => boolean): ResetLosses {
  const losses = { held: 0, missing: 0, customized: 0, defaulted: 0 };
  for (const { guildId, before, after } of db.prepare<[], Pair>(PAIRS).iterate()) {
    if (!isFollowed(guildId)) continue;
    losses.held += 1;
    if (after === null) losses.missing += 1;
    if (isDefault(before)) continue;
    losses.customized += 1;
    if (after === null || (after !== before && isDefault(after))) losses.defaulted += 1;
  }
  return losses;
}

/** Whether more than half of the guilds, or of those with settings of their own, would be lost. */
export function losesMostGuilds({ held, missing, customized, defaulted }: ResetLosses): boolean {
  return missing * 2 > held || defaulted * 2 > customized;
}

function isDefault(json: string): boolean {
  try {
    const record: Record<string, unknown> = JSON.parse(json);
    return Object.entries(DEFAULT_SETTINGS).every(([name, value]) => isDeepStrictEqual(record[name], value));
  } catch {
    return false;
  }
}
