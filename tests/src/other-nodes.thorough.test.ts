import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fetchNode, runProgramToEnd, startProgram } from '@guild-settings/testing';
import { beforeAll, describe, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const VITEST = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');

const SECONDS = 10;

/** Makes and drops statements, whose objects are collected: better-sqlite3 12 aborts on Node 24.19 within seconds. */
const DROPPED_STATEMENTS = `
import Database from 'better-sqlite3';
const db = new Database(':memory:');
const end = performance.now() + ${SECONDS * 1_000};
let count = 0;
while (performance.now() < end) {
  for (let index = 0; index < 1_000; index += 1) count += db.prepare('SELECT 1').pluck().get();
  gc();
}
console.log(count > 0);
`;

const SUITES: readonly (readonly [string, readonly string[]])[] = [
  ['packages, with the replica', readdirSync(`${ROOT}packages`).filter((name) => name !== 'discord-sim')],
  ['simulator', ['discord-sim']],
  ['api', ['api']],
  ['bot', ['bot']],
];

/** The programs of an installation. */
const PROGRAMS = [
  ...['main', 'migrate', 'copy', 'backup', 'settings'].map((name) => `api/dist/${name}.js`),
  'bot/dist/main.js',
];

// 1.0.0 ran on 20, and Debian 12 has 18.
test.each(['18', '20'])('programs that are started on Node %s end with the versions that they expect', async (line) => {
  const file = await fetchNode(line);
  for (const program of PROGRAMS) {
    const args = [`${ROOT}apps/${program}`, '--help'];
    expect(await startProgram({ file, args, cwd: ROOT }).finished(), program).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(
        new RegExp(
          String.raw`^Expected Node 22\.19, 24\.11, or 26 and newer, found ${line}\.\d+\.\d+\. Install one of them, and start again\.\n$`,
        ),
      ),
    });
  }
});

// The repository's own Node is of the third line.
describe.each(['22', '24'])('the newest Node %s', (line) => {
  let node: string;
  let env: NodeJS.ProcessEnv;
  beforeAll(async () => {
    node = await fetchNode(line);
    env = { PATH: `${dirname(node)}:${process.env.PATH}`, HOME: process.env.HOME };
  });

  test.each(SUITES)('passes the tests: %s', async (_name, packages) => {
    // Without the file of results, which belongs to the package's own run.
    const projects = packages.flatMap((name) => ['--project', name]);
    const args = [VITEST, 'run', '--mode', 'all', ...projects, '--reporter=dot'];
    await runProgramToEnd({ file: node, args, cwd: ROOT, env });
  });

  test('keeps a process whose statements are collected', async () => {
    const args = ['--expose-gc', '--input-type=module', '--eval', DROPPED_STATEMENTS];
    const { stdout } = await runProgramToEnd({ file: node, args, cwd: `${ROOT}apps/api`, env });
    expect(stdout).toBe('true\n');
  });
});
