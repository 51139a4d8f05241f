import { startProgram } from '@guild-settings/testing';
import { expect, test } from 'vitest';
import { cpuMilliseconds, residentMegabytes } from './usage.ts';

/** Clock ticks are 10 ms: two readings may differ from the truth by one each. */
const TICKS_MS = 20;

test('CPU time is what the process itself has counted', async () => {
  // The reading takes CPU time as well.
  const early = process.cpuUsage();
  const before = await cpuMilliseconds([process.pid]);
  const late = process.cpuUsage();
  while (used(late) < 100);
  const measured = (await cpuMilliseconds([process.pid])) - before;
  expect(measured).toBeGreaterThan(100 - TICKS_MS);
  expect(measured).toBeLessThan(used(early) + TICKS_MS);
});

test('children count as well, in CPU time and in memory', async () => {
  const program = `while (process.cpuUsage().user < 100_000); console.log('done'); setInterval(() => {}, 1e6)`;
  const args = ['-c', `"$0" -e "$1"; true`, process.execPath, program];
  const shell = startProgram({ file: 'sh', args, detached: true });
  try {
    await shell.waitForOutput(/done/);
    expect(await cpuMilliseconds([shell.pid])).toBeGreaterThanOrEqual(100 - TICKS_MS);
    // More than a shell takes.
    expect(await residentMegabytes([shell.pid])).toBeGreaterThan(20);
  } finally {
    // The group of processes that `detached` has made.
    process.kill(-shell.pid, 'SIGKILL');
  }
});

function used(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1_000;
}
