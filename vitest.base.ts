import { defineConfig } from 'vitest/config';

const conditions = ['@guild-settings/source', 'module', 'node'];

/** What every package's tests share: workspace packages come from their sources, results go to a countable file. */
export const base = defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    reporters: ['default', ['json', { outputFile: 'test-results/vitest.json' }]],
    // Many tests wait for processes and deadlines: one worker fewer than there are cores would waste the machine.
    maxWorkers: 2,
    // Files of a worker share what they import, which takes longer than most of the tests.
    isolate: false,
    testTimeout: 30_000,
    // A PostgreSQL server that stops writes all of its databases to the disk, which takes long on a busy one.
    hookTimeout: 60_000,
    restoreMocks: true,
  },
});
