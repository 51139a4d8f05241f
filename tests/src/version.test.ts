import { cpSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startProgram, temporaryFolder } from '@guild-settings/testing';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MANIFESTS = globSync('{.,tests,{packages,apps,examples}/*}/package.json', { cwd: ROOT });
const INSTALLATION = 'docs/deploy.md';
const OTHERS = ['apps/api/openapi.json', INSTALLATION, 'docs/operate.md', 'deploy/build.sh', 'CHANGELOG.md'];
const [, SCRIPT = ''] =
  /`node (scripts\/\S+) <version>`/.exec(readFileSync(join(ROOT, 'docs/evolution.md'), 'utf8')) ?? [];

/** Returns the versions that the files of a folder name as that of this release, by file. */
function versionsIn(folder: string): Record<string, string> {
  const read = (file: string) => readFileSync(join(folder, file), 'utf8');
  const manifests = MANIFESTS.map((file) => [file, JSON.parse(read(file)).version]);
  const { info, components } = JSON.parse(read('apps/api/openapi.json'));
  const [, installed = ''] = /\/srv\/guild-settings-(\d\S+)/.exec(read(INSTALLATION)) ?? [];
  const [, built = ''] = /\/srv\/guild-settings-(\d\S+)/.exec(read('deploy/build.sh')) ?? [];
  return {
    ...Object.fromEntries(manifests.filter(([, version]) => version !== undefined)),
    document: info.version,
    header: components.headers['Guild-Settings-Version'].example,
    installed,
    built,
  };
}

test('the release has one version in all files that name it', () => {
  const versions = versionsIn(ROOT);
  expect(Object.keys(versions)).toContain('apps/api/package.json');
  expect(new Set(Object.values(versions))).toHaveLength(1);
});

/** Returns a folder with a copy of the files that name the version, and the script. */
function copiedFiles() {
  const folder = temporaryFolder();
  for (const file of [SCRIPT, ...MANIFESTS, ...OTHERS])
    cpSync(join(ROOT, file), folder.file(file), { recursive: true });
  return folder;
}

test('the script of the page about releases sets the version in all of them, and the heading of the changelog', async () => {
  using folder = copiedFiles();
  const changelog = readFileSync(folder.file('CHANGELOG.md'), 'utf8');
  const { code, stdout } = await startProgram({ args: [folder.file(SCRIPT), '9.8.7'] }).finished();
  expect(code).toBe(0);
  expect(stdout.split('\n')).toEqual(expect.arrayContaining(['package.json', 'apps/bot/package.json', INSTALLATION]));
  expect(new Set(Object.values(versionsIn(folder.path)))).toStrictEqual(new Set(['9.8.7']));
  const operate = readFileSync(folder.file('docs/operate.md'), 'utf8');
  expect(operate.match(/guild-settings-9\.8\.\d+/g)).toEqual(expect.arrayContaining(['guild-settings-9.8.8']));
  expect(operate).toContain('Upgrade from 1.0.0');
  const heading = changelog.includes('## [Unreleased]') ? /^## \[9\.8\.7\] - \d{4}-\d\d-\d\d$/m : /^## \[\d/m;
  expect(readFileSync(folder.file('CHANGELOG.md'), 'utf8')).toMatch(heading);
});

test('the script sets the next patch, moves the upgrades of the pages by one, and changes nothing when it is run again', async () => {
  using folder = copiedFiles();
  const [patch, ...later] = [1, 2, 3].map((more) =>
    String(versionsIn(ROOT)['package.json']).replace(/\d+$/, (last) => String(Number(last) + more)),
  );
  const set = () => startProgram({ args: [folder.file(SCRIPT), String(patch)] }).finished();
  expect(await set()).toMatchObject({ code: 0 });
  expect(new Set(Object.values(versionsIn(folder.path)))).toStrictEqual(new Set([patch]));
  const named = readFileSync(folder.file('docs/operate.md'), 'utf8').match(/(?<=\/srv\/guild-settings-)[^\s/]+/g);
  expect(named).toEqual(expect.arrayContaining(later));
  expect(await set()).toMatchObject({ code: 0, stdout: '' });
});

test.each(['', '2.0', 'v2.0.0', '2.0.0-beta.1'])('the script refuses %j as a version', async (version) => {
  const { code, stderr } = await startProgram({ args: [join(ROOT, SCRIPT), version] }).finished();
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('Expected a version such as') });
});
