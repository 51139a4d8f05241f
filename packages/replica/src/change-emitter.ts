import type { WatchedEvent } from '@guild-settings/client';
import type { GuildId, RecordSettings } from '@guild-settings/contract';
import type { Declaration } from '@guild-settings/contract/settings';
import { hasSameSettings } from './guild-records.ts';
import { Listeners } from './listeners.ts';
import type { SettingsOf } from './settings-in-effect.ts';

/** Receives the settings of a guild before and after a change, both frozen. It may be async. */
export type ChangeListener<D extends Declaration | undefined = undefined> = (
  guildId: GuildId,
  before: SettingsOf<D>,
  after: SettingsOf<D>,
) => unknown;

/** Calls listeners for the guilds whose settings differ from a snapshot. Without listeners it reads nothing. */
export class ChangeEmitter<Settings extends Readonly<RecordSettings>> {
  readonly #listeners: Listeners<[guildId: GuildId, before: Settings, after: Settings]>;
  readonly #settingsOf: (guildId: GuildId) => Settings;

  constructor(settingsOf: (guildId: GuildId) => Settings, onListenerError: ((error: unknown) => void) | undefined) {
    this.#settingsOf = settingsOf;
    this.#listeners = new Listeners(onListenerError);
  }

  /** Returns a function that removes the listener. */
  add(listener: (guildId: GuildId, before: Settings, after: Settings) => unknown): () => void {
    return this.#listeners.add(listener);
  }

  snapshot(guildIds: () => Iterable<GuildId>): ReadonlyMap<GuildId, Settings> {
    const settings = new Map<GuildId, Settings>();
    if (this.#listeners.size === 0) return settings;
    for (const guildId of guildIds()) settings.set(guildId, this.#settingsOf(guildId));
    return settings;
  }

  emit(snapshot: ReadonlyMap<GuildId, Settings>): void {
    for (const [guildId, before] of snapshot) {
      const after = this.#settingsOf(guildId);
      if (!hasSameSettings(before, after)) this.#listeners.call(guildId, before, after);
    }
  }
}

export function guildIdsOf(event: WatchedEvent['event']): readonly GuildId[] {
  switch (event.type) {
    case 'guild':
      return [event.guild.id];
    case 'guilds':
      return event.guilds.map(({ guild }) => guild.id);
    case 'removed':
      return [event.guild];
    // With the events of a newer service, which a `follow` of its own may yield.
    default:
      return [];
  }
}
