import type { GuildId } from '@guild-settings/contract';
import { LRUCache } from 'lru-cache';
import type { StoredGuild } from '../store.ts';
import type { SqliteDatabase } from './database.ts';

/** Some 16,000 guilds of the usual size. When more are in use at random, a cache of twice the size saves nothing. */
const MAX_BYTES = 16 * 1024 * 1024;

/** Misses that are remembered; a power of two. */
const REMEMBERED_MISSES = 16_384;

/** Bytes that are counted for a guild, but for its features. */
const GUILD_BYTES = 1_000;

const NOTHING = Symbol('nothing stored');

/** How often a {@link GuildCache} reads from SQLite whether another process has written to the file. */
export type CacheCheck =
  /** Once in each iteration of the event loop, however many requests it handles. For the process that makes all writes. */
  | 'each-iteration'
  /** At each read, which therefore sees every commit that was acknowledged before it. It takes 2 us. */
  | 'each-read';

/**
 * Cache of the guilds that were read last. It keeps a guild from its second read on, so that guilds that are read once do not
 * replace those that are read often. A commit of this process replaces the guilds that it wrote. A commit of another process
 * empties it.
 */
export class GuildCache {
  readonly #known = new LRUCache<GuildId, StoredGuild | typeof NOTHING>({
    maxSize: MAX_BYTES,
    sizeCalculation: (guild) => (guild === NOTHING ? GUILD_BYTES : bytesOf(guild)),
  });
  /** Hashes of the last misses, each in the slot of its lowest bits. */
  readonly #misses = new Int32Array(REMEMBERED_MISSES);
  readonly #read: (id: GuildId) => StoredGuild | null;
  readonly #readDataVersion: () => unknown;
  readonly #check: CacheCheck;
  #dataVersion: unknown;
  #isChecked = false;

  constructor(
    { $client }: SqliteDatabase,
    read: (id: GuildId) => StoredGuild | null,
    check: CacheCheck = 'each-iteration',
  ) {
    this.#read = read;
    this.#check = check;
    const statement = $client.prepare('PRAGMA data_version').pluck();
    this.#readDataVersion = () => statement.get();
    this.#dataVersion = this.#readDataVersion();
  }

  /** Returns a guild; null: nothing is stored. */
  get(id: GuildId): StoredGuild | null {
    this.#checkVersion();
    const known = this.#known.get(id);
    if (known !== undefined) return known === NOTHING ? null : known;
    const stored = this.#read(id);
    if (this.#isSecondMiss(id)) this.#known.set(id, stored === null ? NOTHING : stored);
    return stored;
  }

  /** Records a miss, which replaces that of another guild in the same slot. */
  #isSecondMiss(id: GuildId): boolean {
    const hash = hashOf(id);
    const slot = hash & (REMEMBERED_MISSES - 1);
    if (this.#misses[slot] === hash) return true;
    this.#misses[slot] = hash;
    return false;
  }

  /** Replaces guilds that a commit of this process has written, before another request is handled. It adds none. */
  replace(guilds: Iterable<StoredGuild>): void {
    for (const guild of guilds) if (this.#known.has(guild.id)) this.#known.set(guild.id, guild);
  }

  /** Removes guilds that a commit of this process has erased, before another request is handled. */
  forget(ids: Iterable<GuildId>): void {
    for (const id of ids) this.#known.delete(id);
  }

  /** Empties the cache after a commit of this process that does not report which guilds it wrote. */
  clear(): void {
    this.#known.clear();
  }

  #checkVersion(): void {
    if (this.#isChecked) return;
    if (this.#check === 'each-iteration') {
      this.#isChecked = true;
      setImmediate(() => {
        this.#isChecked = false;
      });
    }
    const dataVersion = this.#readDataVersion();
    if (dataVersion === this.#dataVersion) return;
    this.#dataVersion = dataVersion;
    this.#known.clear();
  }
}

function bytesOf({ settings }: StoredGuild): number {
  return settings.enabledFeatures.reduce((bytes, name) => bytes + 4 * name.length, GUILD_BYTES);
}

/** @see https://datatracker.ietf.org/doc/html/draft-eastlake-fnv (FNV-1a) */
function hashOf(id: GuildId): number {
  let hash = 0x81_1c_9d_c5 | 0;
  for (let index = 0; index < id.length; index++) hash = Math.imul(hash ^ id.charCodeAt(index), 0x01_00_01_93);
  return hash;
}
