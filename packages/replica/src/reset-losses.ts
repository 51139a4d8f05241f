import type { GuildId } from '@guild-settings/contract';
import {
  type DeclaredSettings,
  isSameValue,
  type SetValues,
  SPECIFIED_SETTINGS,
} from '@guild-settings/contract/settings';
import { eq } from 'drizzle-orm';
import type { ReplicaDatabase } from './database.ts';
import type { ResetLosses } from './replica-options.ts';
import { records, staged } from './schema.ts';

/**
 * Compares the records before a reset with those after it, for the followed guilds.
 * @param declared the settings that the service declares
 */
export function resetLosses(
  db: ReplicaDatabase,
  declared: DeclaredSettings,
  isFollowed: (guildId: GuildId) => boolean,
): ResetLosses {
  const losses = { held: 0, missing: 0, customized: 0, defaulted: 0 };
  const pairs = db
    .select({
      guildId: records.guildId,
      before: records.record,
      isSparse: records.isSparse,
      after: staged.record,
      isSparseAfter: staged.isSparse,
    })
    .from(records)
    .leftJoin(staged, eq(staged.guildId, records.guildId))
    .all();
  for (const { guildId, before, isSparse, after, isSparseAfter } of pairs) {
    if (!isFollowed(guildId)) continue;
    losses.held += 1;
    if (after === null) losses.missing += 1;
    if (isDefault(before, isSparse, declared)) continue;
    losses.customized += 1;
    if (after === null || (after !== before && isDefault(after, isSparseAfter, declared))) losses.defaulted += 1;
  }
  return losses;
}

/** Returns true if more than half of the guilds, or of those with settings of their own, would be lost. */
export function losesMostGuilds({ held, missing, customized, defaulted }: ResetLosses): boolean {
  return missing * 2 > held || defaulted * 2 > customized;
}

function isDefault(record: string, isSparse: boolean, declared: DeclaredSettings): boolean {
  try {
    const set: SetValues = JSON.parse(record);
    if (isSparse) return declared.all.every(({ field }) => set[field] === undefined);
    return SPECIFIED_SETTINGS.all.every(({ field, default: value }) => isSameValue(set[field], value));
  } catch {
    return false;
  }
}
