import type { GuildId } from '@guild-settings/contract';
import { LRUCache } from 'lru-cache';
import type { GuildRow } from '../rows.ts';
import type { GuildVersion } from '../store.ts';
import type { SqliteDatabase } from './database.ts';

/** Some 10 MB. */
const MAX_VERSIONS = 100_000;

const NOTHING = Symbol('nothing stored');

/**
 * Cache of the versions of guilds. Commits of this process update it. Whether another process has written to the file is
 * read from SQLite once in each iteration of the event loop, however many requests it handles.
 */
export class Versions {
  /** `maxSize`, because `max` would allocate room for all of them at the start. */
  readonly #known = new LRUCache<GuildId, GuildVersion | typeof NOTHING>({
    maxSize: MAX_VERSIONS,
    sizeCalculation: () => 1,
  });
  readonly #read: (id: GuildId) => GuildVersion | undefined;
  readonly #readDataVersion: () => unknown;
  #dataVersion: unknown;
  #isChecked = false;

  constructor({ $client }: SqliteDatabase, read: (id: GuildId) => GuildVersion | undefined) {
    this.#read = read;
    const statement = $client.prepare('PRAGMA data_version').pluck();
    this.#readDataVersion = () => statement.get();
    this.#dataVersion = this.#readDataVersion();
  }

  /** Returns the version of a guild; null: nothing is stored. */
  get(id: GuildId): GuildVersion | null {
    this.#checkOnce();
    const known = this.#known.get(id);
    if (known !== undefined) return known === NOTHING ? null : known;
    const version = this.#read(id);
    this.#known.set(id, version ?? NOTHING);
    return version ?? null;
  }

  /** Updates the cache after a commit of this process, before another request is handled. */
  update(rows: readonly GuildRow[]): void {
    for (const { id, revision, updatedAt, presence } of rows) this.#known.set(id, { revision, updatedAt, presence });
  }

  /** Records guilds that a commit of this process has erased. */
  erase(ids: readonly GuildId[]): void {
    for (const id of ids) this.#known.set(id, NOTHING);
  }

  /** Empties the cache after a commit of this process that does not report which guilds it wrote. */
  clear(): void {
    this.#known.clear();
  }

  #checkOnce(): void {
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
