import { test as plainTest } from 'vitest';
import { startApi, type TestApi } from './api-resource.ts';
import { fixture } from './fixture.ts';

/** A test that has a service of its own as `api`, which is started only if the test names it. */
export const test = plainTest.extend<{ api: TestApi }>({ api: fixture(() => startApi()) });
