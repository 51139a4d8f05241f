import { isDeepStrictEqual } from 'node:util';
import { DEFAULT_SETTINGS, type GuildId } from '@guild-settings/contract';
import { eq } from 'drizzle-orm';
import type { ReplicaDatabase } from './database.ts';
import type { ResetLosses } from './replica-options.ts';
import { records, staged } from './schema.ts';

/** Compares the records before a reset with those after it, for the followed guilds. */
export function resetLosses(db: ReplicaDatabase, isFollowed: (guildId: GuildId) => boolean): ResetLosses {
  const losses = { held: 0, missing: 0, customized: 0, defaulted: 0 };
  const pairs = db
    .select({ guildId: records.guildId, before: records.record, after: staged.record })
    .from(records)
    .leftJoin(staged, eq(staged.guildId, records.guildId))
    .all();
  for (const { guildId, before, after } of pairs) {
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
