import { type DeclaredSettings, fits, type SettingValue } from '@guild-settings/contract/settings';
import {
  type Draft,
  draftOf,
  type Edit,
  edit,
  received,
  refused,
  reset,
  resolve,
  saved,
  sent,
  settled,
  type Theirs,
  undone,
} from './draft.ts';
import { type DraftField, FEATURES, featureOf, type Value } from './fields.ts';

export type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

export interface DraftStoreOptions {
  readonly storage: DraftStorage;
  /** The name under which the edits are kept: one for each person and guild. */
  readonly key: string;
  readonly theirs: Theirs;
  readonly declared: DeclaredSettings;
}

/** A draft that changes, for a page: what is sent is read from it at that moment, not as it was when the page was last rendered. */
export class DraftStore {
  #draft: Draft;
  readonly #storage: DraftStorage;
  readonly #key: string;
  readonly #listeners = new Set<() => void>();

  constructor({ storage, key, theirs, declared }: DraftStoreOptions) {
    this.#storage = storage;
    this.#key = key;
    this.#draft = storedDraft(storage, key, theirs, declared);
  }

  readonly read = (): Draft => this.#draft;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Keeps the edits in the browser's storage. Without room there, they are kept on the page alone. */
  keep(): void {
    try {
      storeDraft(this.#storage, this.#key, this.#draft);
    } catch {
      // The browser allows no storage.
    }
  }

  edit(field: DraftField, value: SettingValue, as?: 'value' | 'default'): Draft {
    return this.#become(edit(this.#draft, field, value, as));
  }

  resolve(field: DraftField, value: 'mine' | 'theirs'): Draft {
    return this.#become(resolve(this.#draft, field, value));
  }

  reset(): Draft {
    return this.#become(reset(this.#draft));
  }

  received(theirs: Theirs, when?: 'newer' | 'always'): Draft {
    return this.#become(received(this.#draft, theirs, when));
  }

  sent(): Draft {
    return this.#become(sent(this.#draft));
  }

  saved(theirs: Theirs): Draft {
    return this.#become(saved(this.#draft, theirs));
  }

  undone(theirs: Theirs, restored: ReadonlyMap<DraftField, Value>): Draft {
    return this.#become(undone(this.#draft, theirs, restored));
  }

  refused(theirs?: Theirs): Draft {
    return this.#become(refused(this.#draft, theirs));
  }

  #become(draft: Draft): Draft {
    this.#draft = draft;
    this.keep();
    for (const listener of this.#listeners) listener();
    return draft;
  }
}

/** Keeps the edits of a draft: they survive a reload, and a new login in this tab. A draft without edits is deleted. */
export function storeDraft(storage: DraftStorage, key: string, { edits }: Draft): void {
  if (edits.size === 0) storage.removeItem(key);
  else storage.setItem(key, JSON.stringify([...edits]));
}

/** Returns the draft that was kept, on what the service has now; without edits where none was, and without those of other settings. */
export function storedDraft(storage: DraftStorage, key: string, theirs: Theirs, declared: DeclaredSettings): Draft {
  const kept = parsed(storage.getItem(key));
  // Another version of the page may have written something else, with other settings.
  const edits = Array.isArray(kept) ? kept.filter((entry) => isEdit(entry, declared)) : [];
  const ofNow = edits.map(([field, edit]) => [field, edit.isReset ? resetOf(declared, field, edit) : edit] as const);
  return settled({ ...draftOf(theirs), edits: new Map(ofNow) });
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}

function isEdit(entry: unknown, declared: DeclaredSettings): entry is [DraftField, Edit] {
  if (!Array.isArray(entry) || entry.length !== 2) return false;
  const [field, edit] = entry;
  if (!isObject(edit) || ![undefined, true].includes(edit.isReset as undefined)) return false;
  return (
    isValueOf(declared, field, edit.base) &&
    (isValueOf(declared, field, edit.mine) || isTyped(declared, field, edit.mine))
  );
}

/**
 * Returns a way back to the default with the default of now: the declaration may have another one than when it was chosen. Without a
 * declaration, a setting has that value.
 */
function resetOf(declared: DeclaredSettings, field: DraftField, { isReset: _, ...edit }: Edit): Edit {
  const mine = declared.byField.get(field)?.default ?? edit.mine;
  return { ...edit, mine, ...(declared.tag !== undefined && { isReset: true as const }) };
}

function isValueOf(declared: DeclaredSettings, field: unknown, value: unknown): value is SettingValue {
  if (typeof field !== 'string') return false;
  if (featureOf(field) !== undefined) return typeof value === 'boolean';
  const setting = declared.byField.get(field);
  // A setting that only the application sets from now on would prevent saving all others.
  if (setting === undefined || setting.declared.setBy === 'application') return false;
  return field !== FEATURES.field && fits(setting, value);
}

/** Returns whether a value is what was typed as a number and is none: the page says what is wrong with it. */
function isTyped(declared: DeclaredSettings, field: string, value: unknown): boolean {
  const setting = declared.byField.get(field);
  return typeof value === 'string' && setting?.kind.type === 'integer' && setting.many === undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
