import { fileURLToPath } from 'node:url';
import { startProgram } from '@guild-settings/testing';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Makes a process see the version of an older Node. */
const OLDER = `data:text/javascript,Object.defineProperty(process.versions, 'node', { value: '24.10.0' })`;

test.each(['run.mjs', 'test.mjs'])('scripts/%s says in one sentence which Node is missing', async (script) => {
  const args = ['--import', OLDER, `scripts/${script}`, 'apps/sandbox/dist/main.js'];
  const { code, stdout, stderr } = await startProgram({ args, cwd: ROOT }).finished();
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(
    /^Expected Node \^22\.19 \|\| \^24\.11 \|\| >=26, received 24\.10\.0: run .* or install Node 26 .*\.\n$/,
  );
});
