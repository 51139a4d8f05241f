import { test } from 'vitest';
import { fixture } from './fixture.ts';
import type { TestStore } from './store-commands.ts';

/** A store of its own for one test; `reopen` closes it and opens the same data again. */
export interface StoreResource extends AsyncDisposable {
  readonly store: TestStore;
  reopen(): Promise<TestStore>;
}

/** Opens a store that can be opened again on the same data. */
export async function openReopenable(open: () => TestStore | Promise<TestStore>): Promise<StoreResource> {
  let store = await open();
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= store.close();
    return closed;
  };
  return {
    store: { ...store, close },
    async reopen() {
      await close();
      store = await open();
      closed = undefined;
      return store;
    },
    [Symbol.asyncDispose]: close,
  };
}

/** Returns a test that has a store of its own. */
export function storeTest<Resource extends StoreResource>(open: () => Promise<Resource>) {
  return test.extend<{ resource: Resource; store: TestStore }>({
    resource: fixture(open),
    store: ({ resource }, use) => use(resource.store),
  });
}
