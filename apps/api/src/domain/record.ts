import type { Guild, GuildId, GuildProfile } from '@guild-settings/contract';
import type { GuildState } from '../store/store.ts';
import { DEFAULT_STATE } from './default-state.ts';

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
