import { defineConfig, mergeConfig } from 'vitest/config';
import { base, REPEATED_UNDER_CI } from './vitest.base.ts';

const { resolve, ssr, environments, ...shared } = base;

/**
 * For tests that start built programs anyway: other workspace packages come from what was built, and are loaded by Node. To
 * transform the sources of api, bot and simulator takes seconds of each run.
 */
export const withBuiltPackages = mergeConfig(
  shared,
  defineConfig({ test: { ...REPEATED_UNDER_CI, server: { deps: { external: [/\/dist\//] } } } }),
);
