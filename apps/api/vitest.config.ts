import { defineConfig, mergeConfig } from 'vitest/config';
import { base } from '../../vitest.base.ts';

export default mergeConfig(
  base,
  defineConfig({
    // Most of these tests wait for processes and deadlines: they compute a seventh of the time.
    test: { globalSetup: 'src/testing/shared-postgres.ts', maxWorkers: 4 },
  }),
);
