import { defineConfig, mergeConfig } from 'vitest/config';
import { base, REPEATED_UNDER_CI } from '../../vitest.base.ts';

export default mergeConfig(
  base,
  defineConfig({
    // Each worker loads the service, which takes some seconds.
    test: { ...REPEATED_UNDER_CI, globalSetup: '../../packages/testing/src/shared-postgres.ts', maxWorkers: 3 },
  }),
);
