import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@guild-settings/testing';
import { expect, test } from 'vitest';

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));

test.each([
  ['SIGINT', 130, 'filling a file'],
  ['SIGTERM', 143, 'warming up'],
] as const)('%s stops the servers, removes the files and says so', async (signal, code, moment) => {
  using folder = temporaryFolder();
  // In a process group of its own, so that it can be seen whether one of its processes is left.
  const bench = spawn(process.execPath, [MAIN, '--quick', '--only', 'rest-get'], {
    detached: true,
    env: { ...process.env, TMPDIR: folder.path },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  bench.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    if (!errors.includes(moment) && (errors + chunk).includes(moment)) bench.kill(signal);
    errors += chunk;
  });
  expect(await once(bench, 'close')).toEqual([code, null]);
  expect(errors).toContain(moment);
  expect(errors).toContain(`Interrupted by ${signal}; servers and files are gone`);
  expect(await readdir(folder.path)).toEqual([]);
  expect(() => process.kill(-Number(bench.pid), 0), 'a process of its group is left').toThrow('ESRCH');
});
