import type { DeclaredSettings, SettingValue } from '@guild-settings/contract/settings';
import type { Draft, Theirs } from './draft.ts';
import { edit, reset, resolve } from './edits.ts';
import type { DraftField, Value } from './fields.ts';
import { received, refused, saved, sent, undone } from './saving.ts';
import { type DraftStorage, storeDraft, storedDraft } from './stored-draft.ts';

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
