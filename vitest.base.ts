import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';

const conditions = ['@guild-settings/source', 'module', 'node'];

/** Time limits end a test that hangs, and judge nothing: a machine may be slow, or busy with something else. */
const HANG_TIMEOUT_MS = 300_000;

/**
 * Options of tests that drive a browser or several processes: under CI a test that fails runs a second time, and
 * `scripts/test-report.mjs` names it.
 */
export const REPEATED_UNDER_CI = { retry: process.env.CI ? 1 : 0 };

/**
 * The configuration that every package's tests share: workspace packages come from their sources, results go to a
 * countable file.
 */
export const base = defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  // Loads what runs before all tests.
  environments: { __vitest__: { resolve: { conditions } } },
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    // `test:thorough` sets THOROUGH: docs/decisions/0027-test-command.md
    exclude: [...configDefaults.exclude, ...(process.env.THOROUGH ? [] : ['**/*.thorough.test.ts'])],
    setupFiles: [fileURLToPath(new URL('vitest.setup.ts', import.meta.url))],
    // Read by scripts/test-report.mjs.
    reporters: ['default', ['json', { outputFile: 'test-results/vitest.json' }]],
    // Many tests wait for processes and deadlines: one worker fewer than there are cores would waste the machine.
    maxWorkers: 2,
    // Files of a worker share what they import, which takes longer than most of the tests.
    isolate: false,
    testTimeout: HANG_TIMEOUT_MS,
    hookTimeout: HANG_TIMEOUT_MS,
    // Shorter, so that a test reports what it waited for.
    expect: { poll: { timeout: 180_000 } },
    restoreMocks: true,
  },
});
