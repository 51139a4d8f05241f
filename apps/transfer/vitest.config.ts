import { defineConfig, mergeConfig } from 'vitest/config';
import { withBuiltPackages } from '../../vitest.built.ts';

// A second worker would load the services again, which takes longer than most of the tests.
export default mergeConfig(withBuiltPackages, defineConfig({ test: { maxWorkers: 1 } }));
