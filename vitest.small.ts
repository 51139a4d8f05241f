import { defineConfig } from 'vitest/config';
import { base } from './vitest.base.ts';

/** Packages whose tests take less time than the start of a process for them: one process runs them all. */
const SMALL = ['client', 'contract', 'i18n', 'presence', 'replica', 'runtime', 'testing'];

export default defineConfig({
  ...base,
  test: { ...base.test, include: SMALL.map((name) => `packages/${name}/src/**/*.test.ts`) },
});
