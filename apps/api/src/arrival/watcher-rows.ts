import type { Store, WatcherRow } from '../store/store.ts';
import type { Watcher } from './watcher.ts';

/** Stores the registered watchers. Writes that are requested while one is under way share the next one. */
export class WatcherRows {
  readonly #store: Pick<Store<never>, 'saveWatchers' | 'deleteWatchers'>;
  readonly #onError: (error: unknown) => void;
  readonly #changed = new Map<string, Watcher | null>();
  #writing: Promise<void> = Promise.resolve();

  constructor(store: Pick<Store<never>, 'saveWatchers' | 'deleteWatchers'>, onError: (error: unknown) => void) {
    this.#store = store;
    this.#onError = onError;
  }

  /** Stores a watcher. @throws what the store throws, which is reported as well */
  save(watcher: Watcher): Promise<void> {
    return this.#write(watcher.id, watcher);
  }

  /** Deletes a watcher. */
  delete(id: string): void {
    this.#write(id, null).catch(() => {});
  }

  /** Resolves when nothing is left to store. */
  async idle(): Promise<void> {
    await this.#writing.catch(() => {});
  }

  #write(id: string, watcher: Watcher | null): Promise<void> {
    const isAlone = this.#changed.size === 0;
    this.#changed.set(id, watcher);
    if (isAlone) this.#writing = this.idle().then(() => this.#flush());
    return this.#writing;
  }

  async #flush(): Promise<void> {
    const changed = [...this.#changed];
    this.#changed.clear();
    try {
      const watchers = changed.flatMap(([, watcher]) => watcher ?? []);
      const saved = watchers.map((watcher) => rowOf(watcher));
      const deleted = changed.flatMap(([id, watcher]) => (watcher === null ? [id] : []));
      if (saved.length > 0) await this.#store.saveWatchers(saved);
      if (deleted.length > 0) await this.#store.deleteWatchers(deleted);
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
