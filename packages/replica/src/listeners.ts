import type { WatchedEvent } from '@guild-settings/client';
import type { GuildId, RecordSettings } from '@guild-settings/contract';
import { type Declaration, isSameValue, SPECIFIED_SETTINGS } from '@guild-settings/contract/settings';
import type { SettingsOf } from './declaration.ts';

/** Listeners of the bot for an event. They may be async, and may throw. */
export class Listeners<Args extends readonly unknown[]> {
  /** An entry per call of `add`: the same function may be added twice. */
  readonly #entries = new Set<{ readonly listener: (...args: Args) => unknown }>();
  readonly #onError: ((error: unknown) => void) | undefined;

  constructor(onError: ((error: unknown) => void) | undefined) {
    this.#onError = onError;
  }

  get size(): number {
    return this.#entries.size;
  }

  /**
   * Returns a function that removes the listener. A listener added by another listener is called from the next event
   * on.
   */
  add(listener: (...args: Args) => unknown): () => void {
    const entry = { listener };
    this.#entries.add(entry);
    return () => void this.#entries.delete(entry);
  }

  call(...args: Args): void {
    // Copied, because iterating over the set would not end for a listener that adds itself again.
    for (const entry of [...this.#entries]) if (this.#entries.has(entry)) void this.#call(entry.listener, args);
  }

  async #call(listener: (...args: Args) => unknown, args: Args): Promise<void> {
    try {
      await listener(...args);
    } catch (error) {
      notify(this.#onError, error);
    }
  }
}

/** Receives the settings of a guild before and after a change, both frozen. It may be async. */
export type ChangeListener<D extends Declaration | undefined = undefined> = (
  guildId: GuildId,
  before: SettingsOf<D>,
  after: SettingsOf<D>,
) => unknown;

/** Calls listeners for the guilds whose settings differ from a snapshot. Reads nothing without listeners. */
export class ChangeEmitter<Settings extends Readonly<RecordSettings>> extends Listeners<
  [guildId: GuildId, before: Settings, after: Settings]
> {
  readonly #settingsOf: (guildId: GuildId) => Settings;

  constructor(settingsOf: (guildId: GuildId) => Settings, onError: ((error: unknown) => void) | undefined) {
    super(onError);
    this.#settingsOf = settingsOf;
  }

  snapshot(guildIds: () => Iterable<GuildId>): ReadonlyMap<GuildId, Settings> {
    const settings = new Map<GuildId, Settings>();
    if (this.size === 0) return settings;
    for (const guildId of guildIds()) settings.set(guildId, this.#settingsOf(guildId));
    return settings;
  }

  emit(snapshot: ReadonlyMap<GuildId, Settings>): void {
    for (const [guildId, before] of snapshot) {
      const after = this.#settingsOf(guildId);
      if (!hasSameSettings(before, after)) this.call(guildId, before, after);
    }
  }
}

/** Returns true if two records have the same settings. Names and icons are not compared. */
function hasSameSettings(a: Readonly<RecordSettings>, b: Readonly<RecordSettings>): boolean {
  if (a === b) return true;
  const isSame = (one: object, other: object) => (name: string) =>
    isSameValue(Reflect.get(one, name), Reflect.get(other, name));
  const [before, after] = [a.custom ?? {}, b.custom ?? {}];
  return (
    SPECIFIED_SETTINGS.all.map(({ name }) => name).every(isSame(a, b)) &&
    Object.keys(after).every(isSame(before, after))
  );
}

export function guildIdsOf(event: WatchedEvent['event']): readonly GuildId[] {
  switch (event.type) {
    case 'guild':
      return [event.guild.id];
    case 'guilds':
      return event.guilds.map(({ guild }) => guild.id);
    case 'removed':
      return [event.guild];
    // Covers events of a newer service, which a custom `follow` may yield.
    default:
      return [];
  }
}

/** Calls a callback of the bot. An error that it throws becomes a process warning, and the replica continues. */
export function notify<Value>(callback: ((value: Value) => void) | undefined, value: Value): void {
  try {
    callback?.(value);
  } catch (error) {
    process.emitWarning(error instanceof Error ? error : String(error));
  }
}
