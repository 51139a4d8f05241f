import { defineConfig, mergeConfig } from 'vitest/config';
import { base } from '../../vitest.base.ts';

// A third worker would load everything once more, which takes longer than it gains.
export default mergeConfig(base, defineConfig({ test: { globalSetup: 'src/testing/shared-postgres.ts' } }));
