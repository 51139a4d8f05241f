import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Sets the version of a release: `node scripts/set-version.mjs 2.1.0`. It is in the package.json of the root; the programs read it from
 * theirs. Prints the files that were changed.
 */
const [version = ''] = process.argv.slice(2);

const ROOT = join(import.meta.dirname, '..');

/** Files with the folder of an installation, which has the version in its name: this one, and the next two patches as upgrades. */
const INSTALLATIONS = [
  'deploy/build.sh',
  'docs/deploy.md',
  'docs/operate.md',
  'tests/src/deploy-walk.thorough.test.ts',
];

const SEMANTIC = /^\d+\.\d+\.\d+$/;

if (!SEMANTIC.test(version)) {
  console.error(`Expected a version such as 2.1.0, received ${JSON.stringify(version)}.`);
  process.exit(2);
}

const before = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version;

for (const folder of ['.', 'tests', ...['packages', 'apps', 'examples'].flatMap(foldersIn)])
  change(`${folder}/package.json`, (text) => text.replace(`"version": "${before}"`, `"version": "${version}"`));
// The document has it in its information and as the example of a header.
change('apps/api/openapi.json', (text) => text.replaceAll(`"${before}"`, `"${version}"`));
// In one pass: the versions before and after a patch release overlap.
const installed = new Map([0, 1, 2].map((more) => [patched(before, more), patched(version, more)]));
for (const file of INSTALLATIONS) {
  change(file, (text) =>
    text.replaceAll(/(?<=guild-settings-)\d+\.\d+\.\d+/g, (named) => installed.get(named) ?? named),
  );
}
const today = new Date().toISOString().slice(0, 10);
change('CHANGELOG.md', (text) => text.replace('## [Unreleased]', `## [${version}] - ${today}`));

function foldersIn(parent) {
  return readdirSync(join(ROOT, parent)).map((name) => `${parent}/${name}`);
}

/** Returns the version of a number of patches later. */
function patched(base, more) {
  return base.replace(/\d+$/, (patch) => Number(patch) + more);
}

function change(file, replace) {
  const path = join(ROOT, file);
  if (!existsSync(path)) return;
  const text = readFileSync(path, 'utf8');
  const changed = replace(text);
  if (changed === text) return;
  writeFileSync(path, changed);
  console.log(file.replace(/^\.\//, ''));
}
