import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryFolder } from '@guild-settings/testing';

const run = promisify(execFile);

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** The Git folder of the repository, even if this is a worktree: turbo keeps its cache beside it. */
const GIT_FOLDER = execFileSync('git', ['rev-parse', '--git-common-dir'], { cwd: ROOT, encoding: 'utf8' }).trim();

/** Variables of the package managers and tools that run these tests. */
const TOOLS = /^(npm_(?!config_)|pnpm_|turbo_|vitest|node_env$|node_path$|init_cwd$|npm_config_npm_version$)/i;

/**
 * The environment of a person's shell: without the tools that run the tests, and without `node_modules/.bin` on the
 * path. turbo reuses earlier builds of the same files.
 */
export const PERSON: NodeJS.ProcessEnv = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !TOOLS.test(name))),
  PATH: (process.env.PATH ?? '')
    .split(':')
    .filter((folder) => !folder.includes('node_modules'))
    .join(':'),
  TURBO_CACHE_DIR: join(dirname(resolve(ROOT, GIT_FOLDER)), '.turbo/cache'),
};

/** A folder with the files of this repository like in a clone, deleted at the end of its scope. */
export interface FreshClone extends Disposable {
  readonly path: string;
}

/** Copies the files that git would clone, with uncommitted changes. Does not install or build anything. */
export async function freshClone(): Promise<FreshClone> {
  const folder = temporaryFolder();
  const listing = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const { stdout } = await run('git', listing, { cwd: ROOT, maxBuffer: 1 << 24 });
  const files = stdout.split('\0').filter((file) => file !== '' && existsSync(join(ROOT, file)));
  await Promise.all(files.map((file) => cp(join(ROOT, file), join(folder.path, file))));
  return folder;
}
