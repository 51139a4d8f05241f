import { defineConfig, mergeConfig } from 'vitest/config';
import { base } from '../../vitest.base.ts';

// A second worker would load everything again, which takes longer than the tests.
export default mergeConfig(base, defineConfig({ test: { maxWorkers: 1 } }));
