import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The folder of the fetched versions, in the repository's `node_modules`. */
const CACHE = fileURLToPath(new URL('../../../node_modules/.cache/node', import.meta.url));

/** The npm package of Node for this system, as in the catalog. */
const SYSTEM = `${process.platform}-${process.arch}`.replace('win32', 'win');
const PACKAGE = SYSTEM === 'darwin-arm64' ? `node-bin-${SYSTEM}` : `node-${SYSTEM}`;

/**
 * Returns the executable of another version of Node. npm fetches its package into a cache folder, once a version. It is not a
 * dependency: its executable would take the place of the repository's own `node`.
 * @param range a release line such as `22`, whose newest version is returned, or a part of it such as `22.19`
 * @throws Error if npm cannot fetch it
 */
export async function fetchNode(range: string): Promise<string> {
  await mkdir(CACHE, { recursive: true });
  const folder = await mkdtemp(join(CACHE, 'fetching-'));
  try {
    const { stdout } = await run('npm', ['pack', `${PACKAGE}@${range}`, '--json', '--pack-destination', folder]);
    const [packed] = JSON.parse(stdout) as [{ readonly filename: string; readonly version: string }];
    const found = join(CACHE, packed.version);
    if (!existsSync(found)) {
      await run('tar', ['-xzf', join(folder, packed.filename), '-C', folder]);
      // Another process may have been faster.
      await rename(join(folder, 'package'), found).catch((error: unknown) => {
        if (!existsSync(found)) throw error;
      });
    }
    return join(found, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  } finally {
    await rm(folder, { recursive: true });
  }
}
