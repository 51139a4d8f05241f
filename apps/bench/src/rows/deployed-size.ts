import { lstat, readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startProgram } from '@guild-settings/testing';
import { short } from '../report/numbers.ts';
import type { Row } from '../row.ts';

const REPOSITORY = fileURLToPath(new URL('../../../../', import.meta.url));
const MAX_MEGABYTES = 60;

/** Packages that the notes name. */
const LARGEST = 4;

/** The folder of a deployed api. */
export const deployedSize: Row = {
  id: 'deployed-size',
  what: 'the folder of the api after `pnpm deploy --prod`',
  unit: 'MB',
  goal: { is: 'at most', ratio: MAX_MEGABYTES },
  async measure({ folder, resources, progress }) {
    const deployed = join(folder, 'deployed');
    progress('deploying');
    const pnpm = resources.use(
      startProgram({
        file: 'npx',
        args: ['--yes', 'pnpm@12', '--filter', '@guild-settings/api', 'deploy', '--prod', deployed],
        cwd: REPOSITORY,
        env: { HOME: homedir() },
      }),
    );
    const { code } = await pnpm.exited;
    if (code !== 0) throw new Error(`pnpm deploy exited with ${code}:\n${pnpm.output()}`);
    const ours = await megabytesOf(deployed);
    const packages = join(deployed, 'node_modules/.pnpm');
    const folders = (await readdir(packages)).filter((name) => name.includes('@'));
    const sizes = await Promise.all(
      folders.map(async (name) => ({
        name,
        size: await megabytesOf(join(packages, name, 'node_modules', packageOf(name))),
      })),
    );
    const largest = sizes.toSorted((one, other) => other.size - one.size).slice(0, LARGEST);
    return {
      ours,
      peers: {},
      ratio: ours,
      notes: [`largest: ${largest.map(({ name, size }) => `${packageOf(name)} ${short(size)} MB`).join(', ')}`],
    };
  },
};

/** Returns the name in a folder such as `@scope+name@1.0.0_peer`. */
function packageOf(folder: string): string {
  return folder.slice(0, folder.indexOf('@', 1)).replace('+', '/');
}

/** Returns the space that the files of a folder take on the disk. Symbolic links are not followed. */
async function megabytesOf(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true });
  const files = await Promise.all(names.map((name) => lstat(join(folder, name))));
  // A file with several names is counted once.
  const blocks = new Map(files.map(({ ino, blocks }) => [ino, blocks]));
  return [...blocks.values()].reduce((sum, count) => sum + count * BYTES_PER_BLOCK, 0) / BYTES_PER_MEGABYTE;
}

/** @see https://nodejs.org/api/fs.html#statsblocks */
const BYTES_PER_BLOCK = 512;
const BYTES_PER_MEGABYTE = 1 << 20;
