import { fileURLToPath } from 'node:url';
import { fetchNode, startProgram } from '@guild-settings/testing';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A line of Node that the programs do not run on, which is also that of some machines. */
const OLD_LINE = '20';

test.each(['scripts/run.mjs', 'scripts/test.mjs'])('%s says in one sentence which Node is missing', async (script) => {
  const file = await fetchNode(OLD_LINE);
  const args = [script, 'apps/sandbox/dist/main.js'];
  const { code, stdout, stderr } = await startProgram({ file, args, cwd: ROOT }).finished();
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(
    /^Expected Node \^22\.19 \|\| \^24\.11 \|\| >=26, and this is 20\.\d+\.\d+\. .* then run the command again\.\n$/,
  );
});
