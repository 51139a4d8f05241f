import { access } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { bench, compareSeries, measureRounds, median, PROFILES, percentile, type Row } from './bench.ts';

const profile = PROFILES.smoke;

test('a row that cannot be measured is told of, and the others are measured', async () => {
  const failures: string[] = [];
  const rows = [row('broken', () => Promise.reject(new Error('no server'))), row('good', async () => 2)];
  const results = await bench({ rows, profile, onFailure: ({ id }, error) => failures.push(`${id}: ${error}`) });
  expect(results.map(({ id, ratio, isMet }) => ({ id, ratio, isMet }))).toEqual([
    { id: 'good', ratio: 2, isMet: true },
  ]);
  expect(failures).toEqual(['broken: Error: no server']);
  await expect(bench({ rows, profile })).rejects.toThrow('no server');
});

test('an interruption ends the run when files are gone, whatever the row makes of it', async () => {
  const interrupted = new AbortController();
  let folder = '';
  const waits = row('waits', async (context) => {
    folder = context.folder;
    const stopped = new Promise<void>((resolve) => {
      context.resources.use({ [Symbol.asyncDispose]: async () => resolve() });
    });
    interrupted.abort(new Error('enough'));
    await stopped;
    throw new Error('the server is gone');
  });
  const failures: unknown[] = [];
  const rows = [waits, row('never', async () => 1)];
  const run = bench({ rows, profile, signal: interrupted.signal, onFailure: (_, error) => failures.push(error) });
  await expect(run).rejects.toThrow('enough');
  expect(failures).toEqual([]);
  await expect(access(folder)).rejects.toThrow('ENOENT');
});

function row(id: string, ours: (context: Parameters<Row['measure']>[0]) => Promise<number>): Row {
  return {
    id,
    unit: 'requests/s',
    goal: { is: 'at least', ratio: 1 },
    measure: async (context) => ({ ours: await ours(context), peers: { other: 1 } }),
  };
}
test('the ratio is the median of the ratios of the rounds, whose machine was as slow for both', () => {
  const ours = { name: 'ours', values: [20, 2, 30] };
  const peer = { name: 'peer', values: [10, 1, 10] };
  expect(compareSeries([ours, peer, { name: 'other', values: [5, 5, 6] }])).toEqual({
    ours: 20,
    peers: { peer: 10, other: 5 },
    ratio: 2,
    spread: { from: 2, to: 3 },
    ratios: { peer: 2, other: 4 },
  });
});

test('candidates take turns, and the first round is not counted', async () => {
  const calls: string[] = [];
  const candidate = (name: string) => ({
    name,
    measure: async (seconds: number) => calls.push(`${name} ${seconds}`),
  });
  const profile = { ...PROFILES.smoke, rounds: 2, roundSeconds: 1, warmUpSeconds: 5 };
  const context = { profile, progress: () => {} };
  expect(await measureRounds(context, [candidate('a'), candidate('b')])).toEqual([
    { name: 'a', values: [3, 5] },
    { name: 'b', values: [4, 6] },
  ]);
  expect(calls).toEqual(['a 5', 'b 5', 'a 1', 'b 1', 'a 1', 'b 1']);
});

test.each([
  [[3, 1, 2], 2],
  [[4, 1, 2, 3], 2.5],
  [[7], 7],
])('the median of %j is %d', (values, middle) => {
  expect(median(values)).toBe(middle);
});

test.each([
  [0.99, 99],
  [0.5, 50],
  [1, 100],
])('a share of %d of 1 to 100 does not exceed %d', (share, value) => {
  const values = Array.from({ length: 100 }, (_, index) => 100 - index);
  expect(percentile(values, share)).toBe(value);
});
