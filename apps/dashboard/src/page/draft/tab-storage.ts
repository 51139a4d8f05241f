import type { DraftStorage } from './draft-store.ts';

/**
 * The storage of the browser's tab. What the browser does not store, because it allows no storage or has no room, is kept in
 * memory: until the page is loaded again. None of the methods throws.
 */
export class TabStorage implements DraftStorage {
  readonly #open: () => Storage | null;
  readonly #memory = new Map<string, string>();

  /** @param open returns the storage, or throws where the browser allows none */
  constructor(open: () => Storage | null) {
    this.#open = open;
  }

  getItem(key: string): string | null {
    return this.#memory.get(key) ?? this.#attempt((storage) => storage.getItem(key)) ?? null;
  }

  setItem(key: string, value: string): void {
    const isStored = this.#attempt((storage) => {
      storage.setItem(key, value);
      return true;
    });
    if (isStored) this.#memory.delete(key);
    else this.#memory.set(key, value);
  }

  removeItem(key: string): void {
    this.#memory.delete(key);
    this.#attempt((storage) => storage.removeItem(key));
  }

  keys(): readonly string[] {
    const stored = this.#attempt((storage) => Object.keys(storage)) ?? [];
    return [...new Set([...stored, ...this.#memory.keys()])];
  }

  isInMemory(key: string): boolean {
    return this.#memory.has(key);
  }

  #attempt<T>(use: (storage: Storage) => T): T | undefined {
    try {
      const storage = this.#open();
      return storage === null ? undefined : use(storage);
    } catch {
      return undefined;
    }
  }
}

export const tabStorage = new TabStorage(() => window.sessionStorage);
