import type { TestStore } from './store-commands.ts';

/** A store of its own for one test; `reopen` closes it and opens the same data again. */
export interface StoreResource extends AsyncDisposable {
  readonly store: TestStore;
  reopen(): Promise<TestStore>;
}
