import { defineConfig, mergeConfig } from 'vitest/config';
import { base, REPEATED_UNDER_CI } from '../vitest.base.ts';

export default mergeConfig(base, defineConfig({ test: { ...REPEATED_UNDER_CI, globalSetup: 'src/versions.ts' } }));
