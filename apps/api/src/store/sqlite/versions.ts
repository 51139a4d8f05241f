import type { GuildId } from '@guild-settings/contract';
import { LRUCache } from 'lru-cache';
import type { GuildRow } from '../rows.ts';
import type { GuildVersion } from '../store.ts';
import type { SqliteDatabase } from './database.ts';

/** Some 10 MB of them. */
const MAX_VERSIONS = 100_000;

const NOTHING = Symbol('nothing stored');

/**
 * The versions of guilds that are asked for often. This process tells of its own commits; that another one has written to the
 * file is asked of SQLite once in each turn of the event loop, whatever number of requests it brings.
 */
export class Versions {
  readonly #known = new LRUCache<GuildId, GuildVersion | typeof NOTHING>({ max: MAX_VERSIONS });
  readonly #read: (id: GuildId) => GuildVersion | undefined;
  readonly #dataVersion: () => unknown;
  #version: unknown;
  #isChecked = false;

  constructor({ $client }: SqliteDatabase, read: (id: GuildId) => GuildVersion | undefined) {
    this.#read = read;
    const statement = $client.prepare('PRAGMA data_version').pluck();
    this.#dataVersion = () => statement.get();
    this.#version = this.#dataVersion();
  }

  /** The version of a guild; null: nothing stored. */
  get(id: GuildId): GuildVersion | null {
    this.#checkOnce();
    const known = this.#known.get(id);
    if (known !== undefined) return known === NOTHING ? null : known;
    const version = this.#read(id);
    this.#known.set(id, version ?? NOTHING);
    return version ?? null;
  }

  /** To be called when a transaction of this process has been committed, before anybody else gets to ask. */
  written(rows: readonly GuildRow[]): void {
    for (const { id, revision, updatedAt, presence } of rows) this.#known.set(id, { revision, updatedAt, presence });
  }

  /** The same, where it is not said which guilds were written. */
  forget(): void {
    this.#known.clear();
  }

  #checkOnce(): void {
    if (this.#isChecked) return;
    this.#isChecked = true;
    setImmediate(() => {
      this.#isChecked = false;
    });
    const version = this.#dataVersion();
    if (version === this.#version) return;
    this.#version = version;
    this.#known.clear();
  }
}
