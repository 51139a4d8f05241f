import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { startProgram, temporaryFolder } from '@guild-settings/testing';
import { expect, test } from 'vitest';
import { bench, PROFILES } from './bench.ts';
import { ROWS } from './rows.ts';

test.each(ROWS)('$id can be measured', async (row) => {
  const [result] = await bench({ rows: [row], profile: PROFILES.smoke });
  expect(result?.series[0]?.value).toBeGreaterThan(0);
  expect(result?.spread.from).toBeGreaterThan(0);
});

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));

test.each([
  ['SIGINT', 130, 'filling a file'],
  ['SIGTERM', 143, 'warming up'],
] as const)('%s stops the servers, removes the files and says so', async (signal, code, moment) => {
  using folder = temporaryFolder();
  // In its own process group, to detect remaining processes.
  const bench = startProgram({
    args: [MAIN, '--quick', '--only', 'rest-get'],
    detached: true,
    env: { ...process.env, TMPDIR: folder.path },
  });
  await bench.waitForOutput(new RegExp(moment));
  bench.signal(signal);
  expect(await bench.exited).toEqual({ code, signal: null });
  const errors = bench.stderr();
  expect(errors).toContain(moment);
  expect(errors).toContain(`Interrupted by ${signal}; servers and files are gone`);
  expect(await readdir(folder.path)).toEqual([]);
  expect(() => process.kill(-Number(bench.pid), 0), 'a process of its group is left').toThrow('ESRCH');
});
