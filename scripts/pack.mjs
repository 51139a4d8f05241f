import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { bundleWorkspacePackages } from './bundle-workspace-packages.mjs';

/**
 * Makes a tarball of each package for other projects, after they were built: `node scripts/pack.mjs [folder]`. A tarball contains
 * what its package imports of the other packages, so that it can be installed without them, and without a registry that has them.
 */
const PACKAGES = ['contract', 'client', 'replica', 'presence', 'discord-sim'];

/** Packages whose modules are in the tarballs of others only. */
const PARTS = ['runtime'];

const [folder = 'tarballs'] = process.argv.slice(2);

const run = promisify(execFile);
const root = join(import.meta.dirname, '..');
const destination = resolve(folder);
const temporary = await mkdtemp(join(tmpdir(), 'guild-settings-tarballs-'));

async function readUnpacked(name) {
  const path = join(temporary, name, 'package');
  return { folder: path, manifest: JSON.parse(await readFile(join(path, 'package.json'), 'utf8')) };
}

try {
  // Replaces what this workspace alone understands in each package.json, and adds the licence.
  const filters = [...PACKAGES, ...PARTS].flatMap((name) => ['--filter', `@guild-settings/${name}`]);
  await run('npx', ['--yes', 'pnpm@12', ...filters, 'pack', '--pack-destination', temporary], { cwd: root });
  for (const file of await readdir(temporary)) {
    const [, name] = /^guild-settings-(.+)-\d[^-]*\.tgz$/.exec(file) ?? [];
    await mkdir(join(temporary, name));
    await run('tar', ['-xzf', join(temporary, file), '-C', join(temporary, name)]);
  }
  await mkdir(destination, { recursive: true });
  const pack = ['pack', '--json', '--ignore-scripts', '--pack-destination', destination];
  for (const name of PACKAGES) {
    const cwd = join(temporary, 'bundled', name);
    await cp((await readUnpacked(name)).folder, cwd, { recursive: true });
    await bundleWorkspacePackages(name, cwd, readUnpacked);
    const { stdout } = await run('npm', pack, { cwd });
    console.log(relative('.', join(destination, JSON.parse(stdout)[0].filename)));
  }
} finally {
  await rm(temporary, { recursive: true });
}
