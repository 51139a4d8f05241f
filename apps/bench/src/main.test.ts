import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'guild-settings-bench-test-'));
});
afterEach(() => rm(folder, { recursive: true }));

test.each([
  ['SIGINT', 130, 'filling a file'],
  ['SIGTERM', 143, 'warming up'],
] as const)('%s stops the servers, removes the files and says so', async (signal, code, moment) => {
  const bench = start('--quick', '--only', 'rest-get');
  let errors = '';
  bench.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    if (!errors.includes(moment) && (errors + chunk).includes(moment)) bench.kill(signal);
    errors += chunk;
  });
  expect(await once(bench, 'close')).toEqual([code, null]);
  expect(errors).toContain(moment);
  expect(errors).toContain(`Interrupted by ${signal}; servers and files are gone`);
  expect(await readdir(folder)).toEqual([]);
  expect(() => process.kill(-Number(bench.pid), 0), 'a process of its group is left').toThrow('ESRCH');
});

test('an unknown row is wrong usage, and the ids are listed', async () => {
  const bench = start('--only', 'nothing');
  const [errors, [code]] = await Promise.all([text(bench.stderr), once(bench, 'close')]);
  expect(code).toBe(2);
  expect(errors).toContain('rest-get, ');
});

/** In a process group of its own, so that it can be seen whether one of its processes is left. */
function start(...args: string[]) {
  return spawn(process.execPath, [MAIN, ...args], {
    detached: true,
    env: { ...process.env, TMPDIR: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}
