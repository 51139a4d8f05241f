import type { WatchedEvent } from '@guild-settings/client';
import type { GuildId, RecordSettings } from '@guild-settings/contract';
import { DEFAULTS, hasSameSettings } from './guild-records.ts';
import { notify } from './notify.ts';

/** Receives the settings of a guild before and after a change, both frozen. It may be async. */
export type ChangeListener = (
  guildId: GuildId,
  before: Readonly<RecordSettings>,
  after: Readonly<RecordSettings>,
) => unknown;

/** Settings of some guilds at a moment. */
export type SettingsSnapshot = ReadonlyMap<GuildId, Readonly<RecordSettings>>;

const EMPTY: SettingsSnapshot = new Map();

/** Calls listeners for the guilds whose settings differ from a snapshot. Without listeners it reads nothing. */
export class ChangeEmitter {
  /** One entry for each call of `add`: the same function may be added twice. */
  readonly #listeners = new Set<{ readonly listener: ChangeListener }>();
  readonly #settingsOf: (guildId: GuildId) => Readonly<RecordSettings>;
  readonly #onListenerError: ((error: unknown) => void) | undefined;

  constructor(
    settingsOf: (guildId: GuildId) => Readonly<RecordSettings>,
    onListenerError: ((error: unknown) => void) | undefined,
  ) {
    this.#settingsOf = settingsOf;
    this.#onListenerError = onListenerError;
  }

  /** Returns a function that removes the listener. A listener that is added by another one is called from the next change on. */
  add(listener: ChangeListener): () => void {
    const entry = { listener };
    this.#listeners.add(entry);
    return () => void this.#listeners.delete(entry);
  }

  snapshot(guildIds: () => Iterable<GuildId>): SettingsSnapshot {
    if (this.#listeners.size === 0) return EMPTY;
    const settings = new Map<GuildId, Readonly<RecordSettings>>();
    for (const guildId of guildIds()) settings.set(guildId, this.#read(guildId));
    return settings;
  }

  emit(snapshot: SettingsSnapshot): void {
    for (const [guildId, before] of snapshot) {
      const after = this.#read(guildId);
      if (hasSameSettings(before, after)) continue;
      // A copy: iterating over the set would not end for a listener that adds itself again.
      for (const entry of [...this.#listeners]) {
        if (this.#listeners.has(entry)) void this.#call(entry.listener, [guildId, before, after]);
      }
    }
  }

  async #call(listener: ChangeListener, change: Parameters<ChangeListener>): Promise<void> {
    try {
      await listener(...change);
    } catch (error) {
      notify(this.#onListenerError, error);
    }
  }

  /** Returns the defaults for a record that cannot be read. */
  #read(guildId: GuildId): Readonly<RecordSettings> {
    try {
      return this.#settingsOf(guildId);
    } catch {
      return DEFAULTS;
    }
  }
}

/** Returns the guilds that an event is about. */
export function guildIdsOf(event: WatchedEvent['event']): readonly GuildId[] {
  switch (event.type) {
    case 'guild':
      return [event.guild.id];
    case 'guilds':
      return event.guilds.map(({ guild }) => guild.id);
    case 'removed':
      return [event.guild];
    case 'reset':
    case 'live':
    case 'bookmark':
      return [];
    // A `follow` of its own may yield what a newer service sends.
    default:
      return [];
  }
}
