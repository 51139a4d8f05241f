import type { GuildId } from '@guild-settings/contract';
import { LRUCache } from 'lru-cache';
import type { StoredGuild } from '../store.ts';
import type { SqliteDatabase } from './database.ts';

/** Some 16,000 guilds of the usual size. When more are in use at random, a cache of twice the size saves nothing. */
const MAX_BYTES = 16 * 1024 * 1024;

/** Bytes that are counted for a guild, but for its settings. */
const GUILD_BYTES = 1_000;

const NOTHING = Symbol('nothing stored');

/**
 * Cache of the guilds that were read last. A commit of this process replaces the guilds that it wrote. A commit of another process
 * empties it.
 */
export class GuildCache {
  readonly #known = new LRUCache<GuildId, StoredGuild | typeof NOTHING>({
    maxSize: MAX_BYTES,
    sizeCalculation: (guild) => (guild === NOTHING ? GUILD_BYTES : bytesOf(guild)),
  });
  readonly #read: (id: GuildId) => StoredGuild | null;
  readonly #readDataVersion: () => unknown;
  #dataVersion: unknown;
  #isChecked = false;

  constructor({ $client }: SqliteDatabase, read: (id: GuildId) => StoredGuild | null) {
    this.#read = read;
    const statement = $client.prepare('PRAGMA data_version').pluck();
    this.#readDataVersion = () => statement.get();
    this.#dataVersion = this.#readDataVersion();
  }

  get(id: GuildId): StoredGuild | null {
    this.#checkVersion();
    const known = this.#known.get(id);
    if (known !== undefined) return known === NOTHING ? null : known;
    const stored = this.#read(id);
    this.#known.set(id, stored === null ? NOTHING : stored);
    return stored;
  }

  /** Replaces guilds that a commit of this process has written, before another request is handled. It adds none. */
  replace(guilds: Iterable<StoredGuild>): void {
    for (const guild of guilds) if (this.#known.has(guild.id)) this.#known.set(guild.id, guild);
  }

  /** Removes guilds that a commit of this process has erased, before another request is handled. */
  forget(ids: Iterable<GuildId>): void {
    for (const id of ids) this.#known.delete(id);
  }

  clear(): void {
    this.#known.clear();
  }

  /** Reads whether another process has written to the file, once in each iteration of the event loop. */
  #checkVersion(): void {
    if (this.#isChecked) return;
    this.#isChecked = true;
    setImmediate(() => {
      this.#isChecked = false;
    });
    const dataVersion = this.#readDataVersion();
    if (dataVersion === this.#dataVersion) return;
    this.#dataVersion = dataVersion;
    this.#known.clear();
  }
}

function bytesOf({ settings, access }: StoredGuild): number {
  const accessLength = access === null ? 0 : JSON.stringify(access).length;
  return GUILD_BYTES + 4 * (JSON.stringify(settings).length + accessLength);
}
