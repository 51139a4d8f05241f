import type { Guild, GuildId, GuildProfile } from '@guild-settings/contract';
import type { ManagedGuild } from '../auth/managed-guild.ts';
import type { GuildState, StoredGuild } from '../store/store.ts';
import { DEFAULT_STATE } from './default-state.ts';

/** Record of a guild and its revision; 0 for a guild without a row. */
export interface GuildAtRevision {
  readonly guild: Guild;
  readonly revision: number;
}

/** Returns the record of a stored guild for a caller. A guild without a row (null) has the defaults. */
export function recordAt({ id, profile }: ManagedGuild, stored: StoredGuild | null): GuildAtRevision {
  return { revision: stored?.revision ?? 0, guild: recordOf(id, stored, profile) };
}

/**
 * Returns the record of a guild, with its fields in the order of the specification.
 * @param profile name and icon of a guild that no bot has reported
 */
export function recordOf(id: GuildId, stored: GuildState | null, profile: GuildProfile | undefined): Guild {
  const { name, icon, settings } = stored ?? DEFAULT_STATE;
  return {
    id,
    name: name ?? profile?.name ?? '',
    icon: name === null ? (profile?.icon ?? null) : icon,
    prefix: settings.prefix,
    announcement_channel: settings.announcement_channel,
    beta: settings.beta,
    language: settings.language,
    enabledFeatures: settings.enabledFeatures,
  };
}
