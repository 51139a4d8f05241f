import { test as plainTest } from 'vitest';
import { startApi, type TestApi } from './api-resource.ts';

/** A test that has a service of its own as `api`, which is started only if the test names it. */
export const test = plainTest.extend<{ api: TestApi }>({
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of other fixtures from the pattern.
  api: async ({}, use) => {
    await using api = await startApi();
    await use(api);
  },
});
