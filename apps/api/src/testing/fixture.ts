/** Returns a fixture for `test.extend`: what is opened for a test that names it, and disposed of after the test. */
export function fixture<T extends AsyncDisposable | Disposable>(open: () => T | Promise<T>) {
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of other fixtures from the pattern.
  return async ({}, use: (opened: T) => Promise<void>): Promise<void> => {
    await using opened = await open();
    await use(opened);
  };
}
