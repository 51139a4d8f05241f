import { type DeclaredSettings, inEffect, type SettingValue } from '@guild-settings/contract/settings';
import { type Draft, draftOf, type Edit, settled } from './draft.ts';
import { type DraftField, isTyped, isValueOf, type Theirs, type Value } from './fields.ts';

export type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

interface DraftStoreOptions {
  readonly storage: DraftStorage;
  /** The storage key of the edits: one per person and guild. */
  readonly key: string;
  readonly theirs: Theirs;
  readonly declared: DeclaredSettings;
}

/** A mutable draft for a page: sending reads the current draft, not the one of the last render. */
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

  /** Stores the edits in the browser. Without storage space, they are only kept on the page. */
  keep(): void {
    try {
      storeDraft(this.#storage, this.#key, this.#draft);
    } catch {
      // The browser does not allow storage.
    }
  }

  /** Replaces the draft by a function's result, such as `edit` with its arguments. */
  update<Args extends readonly unknown[]>(change: (draft: Draft, ...args: Args) => Draft, ...args: Args): Draft {
    this.#draft = change(this.#draft, ...args);
    this.keep();
    for (const listener of this.#listeners) listener();
    return this.#draft;
  }
}

/**
 * Stores the edits of a draft, so that they survive a reload, and a new login in this tab. A draft without edits is
 * deleted.
 */
export function storeDraft(storage: DraftStorage, key: string, { edits }: Draft): void {
  if (edits.size === 0) storage.removeItem(key);
  else storage.setItem(key, JSON.stringify([...edits]));
}

/**
 * Returns the stored draft applied to the present settings of the service; without edits if none is stored, and without
 * those of unknown settings.
 */
export function storedDraft(storage: DraftStorage, key: string, theirs: Theirs, declared: DeclaredSettings): Draft {
  const kept = parsed(storage.getItem(key));
  // Another version of the page may have stored another format, with other settings.
  const edits = Array.isArray(kept) ? kept.filter((entry) => isEdit(entry, declared)) : [];
  const ofNow = edits.map(([field, edit]) => {
    const setting = declared.byField.get(field);
    // The setting may have been renamed or widened since.
    const shown = setting?.shownField ?? field;
    const inNow = (value: Value) => (setting && inEffect(setting, value)) ?? value;
    const widened = { ...edit, mine: inNow(edit.mine) as SettingValue, base: inNow(edit.base) };
    return [shown, edit.isReset ? resetOf(declared, field, widened) : widened] as const;
  });
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
  const [field, edit]: unknown[] = entry;
  if (typeof field !== 'string' || typeof edit !== 'object' || edit === null) return false;
  const { mine, base, isReset } = edit as Readonly<Record<string, unknown>>;
  if (isReset !== undefined && isReset !== true) return false;
  return isValueOf(declared, field, base) && (isValueOf(declared, field, mine) || isTyped(declared, field, mine));
}

/**
 * Returns a reset to the current default: the declaration may have changed it since. Without a declaration, the setting
 * is set to that value.
 */
function resetOf(declared: DeclaredSettings, field: DraftField, { isReset: _, ...edit }: Edit): Edit {
  const mine = declared.byField.get(field)?.default ?? edit.mine;
  return { ...edit, mine, ...(declared.tag !== undefined && { isReset: true as const }) };
}
