import type { DraftStorage } from './draft-store.ts';

const DRAFT = 'draft';

/** The storage key of a person's last logout. All tabs read it, and receive its changes as events. */
const LOGOUT = 'logout';

/**
 * Returns the key of a person's draft of a guild in the tab's storage. Drafts from before a logout have another key.
 */
export function draftKey(person: string | undefined, guild: string): string {
  const logout = logoutOf(person);
  return [DRAFT, person, guild, ...(logout === undefined ? [] : [logout])].join(':');
}

/** Returns the keys of a person's drafts in the tab: each has unsaved changes. */
export function keptDrafts(person: string | undefined): readonly string[] {
  return draftsIn(tabStorage.keys())
    .filter((draft) => draft.person === `${person}` && !isEnded(draft))
    .map(({ key }) => key);
}

/**
 * Deletes a person's drafts at a logout: those of this tab now, those of other tabs when they receive the event or are
 * opened again.
 */
export function endDrafts(person: string | undefined): void {
  try {
    localStorage.setItem(`${LOGOUT}:${person}`, String(Math.random()));
  } catch {
    // The browser does not allow storage, so other tabs have no drafts either.
  }
  for (const { key, ...draft } of draftsIn(tabStorage.keys())) {
    if (draft.person === `${person}`) tabStorage.removeItem(key);
  }
}

/** Deletes the drafts of this tab that are older than a logout of their person in this browser. */
export function deleteEndedDrafts(): void {
  for (const draft of draftsIn(tabStorage.keys())) {
    if (isEnded(draft)) tabStorage.removeItem(draft.key);
  }
}

/**
 * Calls a function when a person logs out in another tab of this browser.
 * @returns a function that stops this
 */
export function onLogout(person: string, listener: () => void): () => void {
  const known = logoutOf(person);
  const look = () => {
    if (logoutOf(person) !== known) listener();
  };
  const events = ['storage', 'pageshow'] as const;
  // A page restored from the browser's back/forward cache has not received events meanwhile.
  for (const type of events) addEventListener(type, look);
  return () => {
    for (const type of events) removeEventListener(type, look);
  };
}

interface KeptDraft {
  readonly key: string;
  readonly person: string;
  /** The last logout of the person before the draft. */
  readonly logout: string | undefined;
}

function draftsIn(keys: readonly string[]): KeptDraft[] {
  return keys.flatMap((key) => {
    const [kind, person, , logout] = key.split(':');
    return kind === DRAFT && person !== undefined ? [{ key, person, logout }] : [];
  });
}

function isEnded({ person, logout }: KeptDraft): boolean {
  return logoutOf(person) !== logout;
}

/** Returns the random id of a person's last logout in this browser; undefined: none. */
function logoutOf(person: string | undefined): string | undefined {
  try {
    return localStorage.getItem(`${LOGOUT}:${person}`) ?? undefined;
  } catch {
    return undefined;
  }
}

/**
 * The storage of the browser's tab. Data that the browser does not store, because storage is not allowed or full, is
 * kept in memory until the page is reloaded. The methods never throw.
 */
export class TabStorage implements DraftStorage {
  readonly #open: () => Storage | null;
  readonly #memory = new Map<string, string>();
  readonly #listeners = new Set<() => void>();

  /** @param open returns the storage, or throws if the browser does not allow it */
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
    this.#notify();
  }

  removeItem(key: string): void {
    this.#memory.delete(key);
    this.#attempt((storage) => storage.removeItem(key));
    this.#notify();
  }

  keys(): readonly string[] {
    const stored = this.#attempt((storage) => Object.keys(storage)) ?? [];
    return [...new Set([...stored, ...this.#memory.keys()])];
  }

  isInMemory(key: string): boolean {
    return this.#memory.has(key);
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  #notify(): void {
    for (const listener of this.#listeners) listener();
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
