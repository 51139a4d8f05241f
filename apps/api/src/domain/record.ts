import {
  type DeclaredSettings,
  type EffectiveSettings,
  type Guild,
  type GuildId,
  type GuildProfile,
  type Setting,
  type SetValues,
  SPECIFIED_SETTINGS,
  type Version,
} from '@guild-settings/contract';
import type { GuildAccess } from '../auth/guild-access.ts';
import type { GuildState, StoredGuild } from '../store/guild-store.ts';
import { DEFAULT_STATE } from './default-state.ts';

export interface GuildAtRevision extends Version {
  readonly guild: Guild;
}

/** Returns the state of the record; null: nothing is stored. */
export function versionOf(stored: StoredGuild | null): Version {
  return { revision: stored?.revision ?? 0, epoch: stored?.epochs.record ?? '' };
}

/** Makes the records of guilds from what is set of them and the defaults of the declaration. */
export class Records {
  readonly settings: DeclaredSettings;
  readonly #onUnfit: ((setting: Setting) => void) | undefined;
  readonly #effective = new WeakMap<SetValues, EffectiveSettings>();

  /** @param onUnfit called for a stored value that does not have the type of its setting, for which the default is served */
  constructor(settings: DeclaredSettings = SPECIFIED_SETTINGS, onUnfit?: (setting: Setting) => void) {
    this.settings = settings;
    this.#onUnfit = onUnfit;
  }

  effective(set: SetValues): EffectiveSettings {
    let effective = this.#effective.get(set);
    if (effective === undefined) {
      effective = this.settings.effective(set, this.#onUnfit);
      this.#effective.set(set, effective);
    }
    return effective;
  }

  at({ id, profile }: GuildAccess, stored: StoredGuild | null): GuildAtRevision {
    return { ...versionOf(stored), guild: this.of(id, stored, profile) };
  }

  /**
   * Returns the record of a guild, with its fields in the order of the specification.
   * @param profile name and icon of a guild that no bot has reported
   */
  of(id: GuildId, stored: GuildState | null, profile: GuildProfile | undefined): Guild {
    const { name, icon, settings } = stored ?? DEFAULT_STATE;
    return {
      id,
      name: name ?? profile?.name ?? '',
      icon: name === null ? (profile?.icon ?? null) : icon,
      ...this.effective(settings),
    };
  }
}
