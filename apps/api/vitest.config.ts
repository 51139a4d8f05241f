import { defineConfig, mergeConfig } from 'vitest/config';
import { base } from '../../vitest.base.ts';

export default mergeConfig(
  base,
  defineConfig({
    // Each worker loads the service, which takes some seconds.
    test: { globalSetup: '../../packages/testing/src/shared-postgres.ts', maxWorkers: 3 },
  }),
);
