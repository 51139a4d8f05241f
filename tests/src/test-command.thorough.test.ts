import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Exit, startProgram, type TemporaryFolder, temporaryFolder } from '@guild-settings/testing';
import { expect, test } from 'vitest';

const GREEN = 'import { test } from "vitest";\n\ntest("holds", () => {});\n';

const COUNTS = `import { describe, expect, test, vi } from "vitest";

describe("a sum", () => {
  test("is right", () => {
    expect(1 + 1).toBe(2);
  });

  test("is wrong", () => {
    expect(1 + 1, "one and one").toBe(3);
  });

  test.skip("is not known", () => {});
});

test("stops the clock and never ends", { timeout: 50 }, async () => {
  vi.useFakeTimers();
  await new Promise((resolve) => setTimeout(resolve, 1));
});

test("finds a clock that runs", async () => {
  await new Promise((resolve) => setTimeout(resolve, 1));
});
`;

const testsOf = (name: string) => `vitest run --root ../.. --project ${name}`;

test('the last lines of a run name every failure, what is replayed from the cache, and how to run it again', async () => {
  using workspace = smallWorkspace({
    'packages/broken/src/counts.test.ts': COUNTS,
    'packages/broken/src/format.ts': 'export  const two = 2;\n',
    'packages/broken/src/loads.test.ts': 'throw new Error("not loaded");\n',
    'packages/broken/src/types.ts': 'export const three: number = "3";\n',
    'packages/broken/package.json': packageOf('broken', { test: testsOf('broken') }),
    'packages/green/src/holds.test.ts': GREEN,
    'packages/green/package.json': packageOf('green', { test: testsOf('green') }),
    'packages/silent/package.json': packageOf('silent', { test: 'true' }),
  });
  const failing = await workspace.test();
  expect(failing.report.split('\n')).toEqual([
    'Failed:',
    expect.stringMatching(/^ {2}lint: packages\/broken\/src\/format\.ts format ━+$/),
    expect.stringMatching(
      /^ {2}typecheck: packages\/broken\/src\/types\.ts.*error TS2322: Type 'string' is not assignable/,
    ),
    '  @small/broken src/counts.test.ts > a sum > is wrong: AssertionError: one and one: expected 2 to be 3 // Object.is equality',
    '  @small/broken src/counts.test.ts > stops the clock and never ends: TestTimeoutError: Test timed out in 50ms.',
    '  @small/broken src/loads.test.ts: not loaded',
    '  @small/silent#test: exit code 0 (no results)',
    '',
    'Slowest files:',
    ...Array(3).fill(expect.stringMatching(/^ +\d+\.\d s {2}@small\/(?:broken|green) src\/\w+\.test\.ts$/)),
    '',
    '3 passed, 6 failed, 1 skipped',
  ]);
  expect(failing.exit.code).toBe(1);

  workspace.write({
    'packages/broken/src/format.ts': 'export const two = 2;\n',
    'packages/broken/src/types.ts': 'export const three = 3;\n',
    'packages/broken/package.json': packageOf('broken', {}),
    'packages/silent/package.json': packageOf('silent', {}),
  });
  const mended = await workspace.test();
  expect(mended.report.split('\n')).toEqual([
    "Replayed from turbo's cache: 1 of 3 tasks. To run all of them: npx --yes pnpm@12 test --force",
    '',
    'Slowest files:',
    expect.stringMatching(/src\/holds\.test\.ts$/),
    '',
    '1 passed, 0 failed',
  ]);
  expect(mended.exit.code).toBe(0);

  // Results that were written since, such as those of a single file, do not belong to the run.
  workspace.write({ 'packages/green/test-results/vitest.json': '{}' });
  const replayed = await workspace.test();
  expect(replayed.report.split('\n')).toEqual([
    expect.stringMatching(
      /^Nothing was run: turbo replayed the results of [\d-]{10} [\d:]{8} to [\d-]{10} [\d:]{8} UTC, /,
    ),
    'To run everything again: npx --yes pnpm@12 test --force',
    '',
    'Slowest files:',
    expect.stringMatching(/src\/holds\.test\.ts$/),
    '',
    '1 passed, 0 failed',
  ]);
  expect(replayed.exit.code).toBe(0);
});

test('a test that passes when CI repeats it is named before the counts', async () => {
  using workspace = smallWorkspace({
    'packages/chance/src/chance.all.test.ts': `import { expect, test } from "vitest";

let runs = 0;
test("fails at first", () => expect(++runs).toBe(2));
`,
    'packages/chance/src/types.ts': 'export const three = 3;\n',
    'packages/chance/package.json': packageOf('chance', { 'test:all': `${testsOf('chance')} --mode all` }),
  });
  const { exit, report } = await workspace.test({ args: ['--all'], env: { CI: '1' } });
  expect(report.split('\n').slice(-4)).toEqual([
    'Failed once, and passed when repeated:',
    '  @small/chance src/chance.all.test.ts > fails at first: AssertionError: expected 1 to be 2 // Object.is equality',
    '',
    '1 passed, 0 failed',
  ]);
  expect(exit.code).toBe(0);
});

test('a command that turbo refuses fails', async () => {
  using workspace = smallWorkspace({ 'packages/green/package.json': packageOf('green', {}) });
  expect((await workspace.test({ args: ['--no-such-option'] })).exit.code).toBe(1);
});

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const COPIED = [
  'scripts',
  'vitest.config.ts',
  'vitest.runner.ts',
  'packages/testing/src',
  'tsconfig.base.json',
  '.gitignore',
];

const TSCONFIG = JSON.stringify({
  extends: './tsconfig.base.json',
  compilerOptions: { noEmit: true },
  include: ['packages/*/src/types.ts'],
});

/** Files by path. */
type Files = Readonly<Record<string, string>>;

/** A workspace with the tasks, the test settings and the scripts of this repository, and its own packages. */
interface SmallWorkspace extends TemporaryFolder {
  /** Runs scripts/test.mjs with variables. Returns its exit and the lines after turbo's own. */
  test(options?: {
    readonly args?: string[];
    readonly env?: NodeJS.ProcessEnv;
  }): Promise<{ readonly exit: Exit; readonly report: string }>;
  write(files: Files): void;
}

function packageOf(name: string, scripts: Readonly<Record<string, string>>): string {
  return JSON.stringify({ name: `@small/${name}`, type: 'module', scripts });
}

/** Returns the configuration of turbo without comments and references to packages of this repository. */
function turboConfig(): string {
  const text = readFileSync(join(ROOT, 'turbo.json'), 'utf8').replace(/^\s*\/\/.*$/gm, '');
  type Task = { readonly dependsOn?: readonly string[] };
  const { tasks, ...others } = JSON.parse(text) as { readonly tasks: Readonly<Record<string, Task>> };
  const isGeneral = (name: string) => !name.includes('@guild-settings/') && name !== '//#builds';
  const withoutPackages = Object.entries(tasks)
    .filter(([name]) => isGeneral(name))
    .map(([name, task]) => [name, { ...task, dependsOn: (task.dependsOn ?? []).filter(isGeneral) }]);
  return JSON.stringify({ ...others, tasks: Object.fromEntries(withoutPackages) });
}

/** Creates a workspace. npm runs the scripts of its packages, because it is always available. */
function smallWorkspace(files: Files): SmallWorkspace {
  const folder = temporaryFolder();
  // The folder of npm's logs.
  const home = temporaryFolder();
  const write = (written: Files) => {
    for (const [path, content] of Object.entries(written)) {
      mkdirSync(dirname(folder.file(path)), { recursive: true });
      writeFileSync(folder.file(path), content);
    }
  };
  for (const path of COPIED) cpSync(join(ROOT, path), folder.file(path), { recursive: true });
  // Git ignores a folder of this name, but not a link: turbo would hash all installed packages for each run.
  mkdirSync(folder.file('node_modules'));
  for (const name of readdirSync(join(ROOT, 'node_modules'))) {
    symlinkSync(join(ROOT, 'node_modules', name), folder.file(`node_modules/${name}`));
  }
  symlinkSync(join(ROOT, 'packages/testing/node_modules'), folder.file('packages/testing/node_modules'));
  write({
    'package.json': JSON.stringify({
      name: 'small',
      private: true,
      packageManager: 'npm@10.8.2',
      engines: { node: '>=22' },
      workspaces: ['packages/*'],
      scripts: { lint: 'biome check packages/*/src', unused: 'true', typecheck: 'tsc --checkers 1' },
    }),
    'turbo.json': turboConfig(),
    'tsconfig.json': TSCONFIG,
    'package-lock.json': JSON.stringify({ name: 'small', lockfileVersion: 3, packages: {} }),
    'biome.json': JSON.stringify({
      files: { includes: ['**', '!packages/testing'] },
      formatter: { indentStyle: 'space' },
    }),
  });
  write(files);
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder.path, stdio: 'ignore' });
  git('init');
  git('add', '.');
  git('-c', 'user.name=small', '-c', 'user.email=small@example.com', 'commit', '-m', 'A small workspace');
  return {
    ...folder,
    write,
    [Symbol.dispose]() {
      folder[Symbol.dispose]();
      home[Symbol.dispose]();
    },
    async test({ args = [], env = {} } = {}) {
      await using program = startProgram({
        args: ['scripts/test.mjs', ...args],
        cwd: folder.path,
        env: { HOME: home.path, ...env },
      });
      const exit = await program.exited;
      // turbo ends with a block of its counts, its time and the failed tasks.
      const [, ofTurbo = ''] = program.stdout().split(/^\s*Time:/m);
      return { exit, report: ofTurbo.slice(ofTurbo.indexOf('\n\n')).trim() };
    },
  };
}
