import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { bundleWorkspacePackages } from './bundle-workspace-packages.mjs';

/**
 * Builds the packages for other projects, and makes a tarball of each: `node scripts/pack.mjs [folder]`. A tarball contains what
 * its package imports of the other packages, so that it can be installed without them and without a registry that has them.
 */
const PACKAGES = ['contract', 'client', 'replica', 'presence', 'discord-sim'];

/** Packages whose parts are in tarballs of others only. */
const PARTS = ['runtime'];

const [destination = 'tarballs'] = process.argv.slice(2);

const run = promisify(execFile);
const names = [...PACKAGES, ...PARTS];
const filters = names.flatMap((name) => ['--filter', `@guild-settings/${name}`]);
const folder = await mkdtemp(join(tmpdir(), 'guild-settings-tarballs-'));
try {
  const turbo = createRequire(import.meta.url).resolve('turbo/bin/turbo');
  const env = { ...process.env, TURBO_TELEMETRY_DISABLED: '1' };
  await run(process.execPath, [turbo, 'run', 'build', ...filters, '--output-logs=errors-only'], { env });
  // Replaces what only this workspace understands in each package.json, and adds the licence.
  await run('npx', ['--yes', 'pnpm@12', ...filters, 'pack', '--pack-destination', folder]);
  const folderOf = (name) => join(folder, name, 'package');
  for (const file of await readdir(folder)) {
    const [, name] = /^guild-settings-(.+)-\d[^-]*\.tgz$/.exec(file) ?? [];
    await mkdir(join(folder, name));
    await run('tar', ['-xzf', join(folder, file), '-C', join(folder, name)]);
  }
  await mkdir(destination, { recursive: true });
  for (const name of PACKAGES) await bundleWorkspacePackages(folderOf(name), (other) => readPackage(folderOf(other)));
  for (const name of PACKAGES) {
    const pack = ['pack', '--json', '--ignore-scripts', '--pack-destination', resolve(destination)];
    const { stdout } = await run('npm', pack, { cwd: folderOf(name) });
    console.log(join(destination, JSON.parse(stdout)[0].filename));
  }
} finally {
  await rm(folder, { recursive: true });
}

async function readPackage(path) {
  return { folder: path, manifest: JSON.parse(await readFile(join(path, 'package.json'), 'utf8')) };
}
