import { defineConfig, mergeConfig } from 'vitest/config';
import { base } from '../../vitest.base.ts';

export default mergeConfig(
  base,
  defineConfig({
    test: {
      // No test here touches module state, and importing discord.js for each file takes longer than the tests.
      isolate: false,
      setupFiles: ['./src/testing/openapi-check/checked-calls.ts'],
    },
  }),
);
