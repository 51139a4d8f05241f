import { defineConfig, mergeConfig } from 'vitest/config';
import { withBuiltPackages } from '../../vitest.built.ts';

export default mergeConfig(
  withBuiltPackages,
  defineConfig({ test: { globalSetup: '../../packages/testing/src/shared-postgres.ts' } }),
);
