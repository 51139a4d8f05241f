import { fileURLToPath } from 'node:url';
import { startProgram, temporaryFolder } from '@guild-settings/testing';
import { expect, test } from 'vitest';

const BUILD_AND_RUN = fileURLToPath(new URL('../../scripts/build-and-run.mjs', import.meta.url));

test('a command of the repository says what to install where SQLite could not be compiled', async () => {
  using folder = temporaryFolder();
  const args = [BUILD_AND_RUN, 'apps/sandbox/dist/main.js'];
  const { code, stderr } = await startProgram({ args, cwd: folder.path }).finished();
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('apt-get install python3 make g++') });
});
