import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Exit, startProgram, type TemporaryFolder, temporaryFolder } from '@guild-settings/testing';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** The files under test, and the files that they need. */
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

/** Files by their paths. */
type Files = Readonly<Record<string, string>>;

/** A workspace with the tasks, the test settings and the scripts of this repository, and packages of its own. */
export interface SmallWorkspace extends TemporaryFolder {
  /** Runs scripts/test.mjs with variables. Returns how it ended and the lines after turbo's own. */
  test(options?: {
    readonly args?: string[];
    readonly env?: NodeJS.ProcessEnv;
  }): Promise<{ readonly exit: Exit; readonly report: string }>;
  write(files: Files): void;
}

/** Returns the package.json of a package. */
export function packageOf(name: string, scripts: Readonly<Record<string, string>>): string {
  return JSON.stringify({ name: `@small/${name}`, type: 'module', scripts });
}

/** Returns the configuration of turbo, without its comments and what refers to packages of this repository. */
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

/** Creates a workspace. npm runs the scripts of its packages, as it is always there. */
export function smallWorkspace(files: Files): SmallWorkspace {
  const folder = temporaryFolder();
  // npm writes logs there.
  const home = temporaryFolder();
  const write = (written: Files) => {
    for (const [path, content] of Object.entries(written)) {
      mkdirSync(dirname(folder.file(path)), { recursive: true });
      writeFileSync(folder.file(path), content);
    }
  };
  for (const path of COPIED) cpSync(join(ROOT, path), folder.file(path), { recursive: true });
  // Git ignores a folder of this name, not a link: turbo would hash whatever is installed, for each run.
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
      // turbo ends with a block of its counts, its time and the tasks that failed.
      const [, ofTurbo = ''] = program.stdout().split(/^\s*Time:/m);
      return { exit, report: ofTurbo.slice(ofTurbo.indexOf('\n\n')).trim() };
    },
  };
}
