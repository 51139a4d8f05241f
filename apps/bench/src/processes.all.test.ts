import { expect, test } from 'vitest';
import { cpuMilliseconds, residentMegabytes } from './processes.ts';

/** Clock ticks are 10 ms: each of two readings may be off by one. */
const TICKS_MS = 20;

test('CPU time and memory of a process are what the process itself has counted', () => {
  // Reading also takes CPU time.
  const early = process.cpuUsage();
  const before = cpuMilliseconds([process.pid]);
  const late = process.cpuUsage();
  while (used(late) < 100);
  const measured = cpuMilliseconds([process.pid]) - before;
  expect(measured).toBeGreaterThan(100 - TICKS_MS);
  expect(measured).toBeLessThan(used(early) + TICKS_MS);
  const megabytes = process.memoryUsage().rss / 2 ** 20;
  expect(residentMegabytes(process.pid)).toBeGreaterThan(megabytes / 2);
  expect(residentMegabytes(process.pid)).toBeLessThan(megabytes * 2);
});

function used(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1_000;
}
