import type { GuildId } from '@guild-settings/contract';
import type { Declaration, SetValues } from '@guild-settings/contract/settings';
import type { SettingsInEffect, SettingsOf } from './declaration.ts';

interface GuildRecordsOptions<D extends Declaration | undefined> {
  /** The guilds with a record. */
  readonly guilds: readonly GuildId[];
  /** The guilds with a record from after the last reset; undefined: no reset is pending. */
  readonly staged: readonly GuildId[] | undefined;
  readonly inEffect: SettingsInEffect<D>;
  readonly read: (guildId: GuildId) => SetValues;
}

/** The guilds of a replica, and the settings of those that were read. Other settings are in its file. */
export class GuildRecords<D extends Declaration | undefined> {
  readonly #readSet: (guildId: GuildId) => SetValues;
  #guilds: Set<GuildId>;
  /** Collects the guilds after a reset, while the old ones are served. */
  #incoming: Set<GuildId> | undefined;
  #inEffect: SettingsInEffect<D>;
  #settings = new Map<GuildId, SettingsOf<D>>();

  constructor({ guilds, staged, inEffect, read }: GuildRecordsOptions<D>) {
    this.#guilds = new Set(guilds);
    this.#incoming = staged && new Set(staged);
    this.#inEffect = inEffect;
    this.#readSet = read;
  }

  get size(): number {
    return this.#guilds.size;
  }

  /** True while the guilds after a reset are collected. */
  get isCollecting(): boolean {
    return this.#incoming !== undefined;
  }

  get guildIds(): readonly GuildId[] {
    return [...this.#guilds, ...(this.#incoming ?? [])];
  }

  get inEffect(): SettingsInEffect<D> {
    return this.#inEffect;
  }

  /** Changes the effective values. The settings of each guild are computed again when they are read. */
  set inEffect(inEffect: SettingsInEffect<D>) {
    this.#inEffect = inEffect;
    this.#settings = new Map();
  }

  has(guildId: GuildId): boolean {
    return this.#guilds.has(guildId);
  }

  get(guildId: GuildId): SettingsOf<D> {
    return this.#settings.get(guildId) ?? (this.#guilds.has(guildId) ? this.#read(guildId) : this.#inEffect.defaults);
  }

  put(guildId: GuildId): void {
    if (this.#incoming === undefined) this.#forget(guildId);
    (this.#incoming ?? this.#guilds).add(guildId);
  }

  remove(guildId: GuildId): void {
    if (this.#incoming === undefined) this.#forget(guildId);
    (this.#incoming ?? this.#guilds).delete(guildId);
  }

  /** Keeps the record of a guild after a reset. */
  keep(guildId: GuildId): void {
    if (this.#guilds.has(guildId)) this.#incoming?.add(guildId);
  }

  /** Reads the settings of all guilds into memory, and drops guilds with unreadable records. */
  keepReadable(): void {
    for (const guildId of this.#guilds) {
      try {
        this.get(guildId);
      } catch {
        this.#guilds.delete(guildId);
      }
    }
    this.#incoming = undefined;
  }

  reset(): void {
    this.#incoming = new Set();
  }

  /** Replaces the guilds from before a reset by those from after it. */
  swap(): void {
    if (this.#incoming === undefined) return;
    for (const guildId of this.#settings.keys()) this.#inEffect.forget(guildId);
    this.#guilds = this.#incoming;
    this.#incoming = undefined;
    this.#settings = new Map();
  }

  #read(guildId: GuildId): SettingsOf<D> {
    const settings = this.#inEffect.of(guildId, this.#readSet(guildId));
    this.#settings.set(guildId, settings);
    return settings;
  }

  #forget(guildId: GuildId): void {
    if (this.#settings.delete(guildId)) this.#inEffect.forget(guildId);
  }
}
