import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig, type UserWorkspaceConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Prepares temporary files and a database server. */
const SURROUNDINGS = 'packages/testing/src/test-surroundings.ts';

/** Options of a package in addition to the common ones. */
const OPTIONS: Readonly<Record<string, UserWorkspaceConfig['test']>> = {
  'packages/discord-sim': { setupFiles: ['packages/discord-sim/src/testing/checked-calls.ts'] },
  // Concurrent tests share a browser.
  tests: { maxConcurrency: 2 },
};

/**
 * The three rings of tests, each of which includes the previous ones: a file `x.test.ts` is in the first,
 * `x.all.test.ts` in the second, `x.thorough.test.ts` in the third. `--mode all` selects the second, and THOROUGH=1 the
 * third: docs/decisions/0060-three-rings.md
 */
const RINGS = ['test', 'all', 'thorough'];

const ROOT = fileURLToPath(new URL('.', import.meta.url));
const CONDITIONS = ['@guild-settings/source', 'module', 'node'];

/**
 * Time limits end a hanging test; they do not measure speed, because a machine may be slow or busy. At volume a test may repeat two
 * hundred kills, or install the programs.
 */
const HANG_TIMEOUT_MS = process.env.THOROUGH ? 3_600_000 : 300_000;

/**
 * Begins with the tests of the outer rings, which take longest and would run alone at the end. Vitest only knows the
 * sizes of new files.
 */
class OuterRingsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const ringOf = ({ moduleId }: TestSpecification) =>
      RINGS.findIndex((name) => moduleId.endsWith(`.${name}.test.ts`));
    return (await super.sort(files)).toSorted((one, other) => ringOf(other) - ringOf(one));
  }
}

/** Returns the folders of the packages. */
function packageFolders(): string[] {
  const parents = ['apps', 'packages'].filter((parent) => existsSync(join(ROOT, parent)));
  const folders = parents.flatMap((parent) => readdirSync(join(ROOT, parent)).map((name) => `${parent}/${name}`));
  return [...folders, 'tests'].filter((folder) => existsSync(join(ROOT, folder, 'package.json')));
}

export default defineConfig(({ mode }) => {
  const ring = process.env.THOROUGH ? 'thorough' : mode;
  const laterRings = RINGS.slice(RINGS.indexOf(ring) + 1);
  return {
    resolve: { conditions: CONDITIONS },
    ssr: { resolve: { conditions: CONDITIONS } },
    // Loads the setup that runs before all tests.
    environments: { __vitest__: { resolve: { conditions: CONDITIONS } } },
    test: {
      // Read by scripts/test-report.mjs, in the folder of the package.
      reporters: ['default', ['json', { outputFile: `${process.cwd()}/test-results/vitest.json` }]],
      // Many tests wait for processes and deadlines, so one worker fewer than cores would waste the machine. Packages
      // whose tests mostly wait have more workers in their scripts, and those with few tests have one, which loads the
      // service once.
      maxWorkers: 2,
      // The fetch of Node 22 and 24 throws this where a server ends a response that a test has not read: nodejs/undici#5360.
      onUnhandledError: ({ message }) => !message.includes('assert(!this.paused)'),
      sequence: { sequencer: OuterRingsFirst },
      projects: packageFolders().map((folder) => ({
        extends: true,
        test: {
          name: basename(folder),
          include: [`${folder}/{src,test}/**/*.test.ts`],
          exclude: [...configDefaults.exclude, ...laterRings.map((later) => `**/*.${later}.test.ts`)],
          runner: 'vitest.runner.ts',
          globalSetup: SURROUNDINGS,
          // Files of a worker share their imports, which take longer to load than most of the tests.
          isolate: false,
          testTimeout: HANG_TIMEOUT_MS,
          hookTimeout: HANG_TIMEOUT_MS,
          // Shorter, so that a test reports the awaited condition.
          expect: { poll: { timeout: 180_000 } },
          restoreMocks: true,
          ...OPTIONS[folder],
        },
      })),
    },
  };
});
