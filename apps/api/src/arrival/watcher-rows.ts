import type { Store, WatcherRow } from '../store/store.ts';
import type { Watcher } from './watcher.ts';

/** Stores the registered watchers. Writes that are requested while one is under way share the next one. */
export class WatcherRows {
  readonly #store: Pick<Store<never>, 'saveWatchers' | 'deleteWatchers'>;
  readonly #onError: (error: unknown) => void;
  /** What is to be stored, by id; a number: the row is to be deleted, unless it is newer than this version and connected. */
  readonly #changed = new Map<string, Watcher | number>();
  #writing: Promise<void> = Promise.resolve();

  constructor(store: Pick<Store<never>, 'saveWatchers' | 'deleteWatchers'>, onError: (error: unknown) => void) {
    this.#store = store;
    this.#onError = onError;
  }

  /** Stores a watcher. @throws what the store throws, which is reported as well */
  save(watcher: Watcher): Promise<void> {
    return this.#write(watcher.id, watcher);
  }

  /** Deletes a watcher, unless another process has stored it as connected since a version. */
  delete(id: string, version: number): void {
    this.#write(id, version).catch(() => {});
  }

  /** Resolves when nothing is left to store. */
  async idle(): Promise<void> {
    await this.#writing.catch(() => {});
  }

  #write(id: string, change: Watcher | number): Promise<void> {
    const isAlone = this.#changed.size === 0;
    this.#changed.set(id, change);
    if (isAlone) this.#writing = this.idle().then(() => this.#flush());
    return this.#writing;
  }

  async #flush(): Promise<void> {
    const changed = [...this.#changed];
    this.#changed.clear();
    try {
      const watchers = changed.flatMap(([, change]) => (typeof change === 'number' ? [] : [change]));
      const saved = watchers.map((watcher) => rowOf(watcher));
      const deleted = changed.flatMap(([id, version]) => (typeof version === 'number' ? [{ id, version }] : []));
      if (saved.length > 0) await this.#store.saveWatchers(saved);
      if (deleted.length > 0) {
        const version = Math.min(...deleted.map((one) => one.version));
        const ids = deleted.map(({ id }) => id);
        await this.#store.deleteWatchers(ids, version);
      }
      // It has connected to another process meanwhile, whose row may be the older one. A write that waits is newer, or deletes it.
      for (const [index, watcher] of watchers.entries())
        if (!this.#changed.has(watcher.id) && !watcher.hasShards(saved[index]?.shards ?? []))
          this.save(watcher).catch(() => {});
    } catch (error) {
      this.#onError(error);
      throw error;
    }
  }
}

function rowOf({ id, name, shards, leftAtMs, sinceMs }: Watcher): WatcherRow {
  return { id, name, shards, leftAt: leftAtMs === undefined ? null : sinceMs };
}
