import { defineConfig } from 'vitest/config';
import { base } from '../vitest.base.ts';

// Not merged, which would add to the tests that are included.
export default defineConfig({ ...base, test: { ...base.test, include: ['publish.ts'] } });
