import { access, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { bench, judge, measureRounds, median, PROFILES, percentile, type Row, reportOf } from './bench.ts';
import { ROWS } from './rows.ts';

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

const ratioRow = { ...row('rest-get', async () => 1), goal: { minRatio: 1.2 } };

const FAST = judge(ratioRow, {
  series: [
    { name: 'ours', values: [20, 2, 3_000], cpu: [23.4] },
    { name: 'plain', values: [10, 1, 1_000], cpu: [46.8] },
    { name: 'two', values: [5, 5, 6] },
  ],
});
const SLOW = judge(
  { ...ratioRow, id: 'replica-read', unit: 'ns', goal: { maxRatio: 3 }, also: '>= 100 x the store' },
  {
    series: [
      { name: 'ours', values: [30] },
      { name: 'Map.get', values: [20] },
    ],
    also: { found: '67 x', isMet: false },
  },
);
const LARGE = judge(
  { ...ratioRow, id: 'memory-wide', unit: 'MB', goal: { maxValue: 250 } },
  { series: [{ name: 'ours', values: [200, 12_345.6, 300] }] },
);

test('the ratio is the median of the ratios of the rounds, whose machine was as slow for both', () => {
  expect(FAST).toMatchObject({ goal: '>= 1.2', ratio: 2, spread: { from: 2, to: 3 }, isMet: true });
});

test('a result has its goal, and the additional condition with its values', () => {
  expect(SLOW).toMatchObject({ goal: '<= 3; >= 100 x the store (67 x)', ratio: 1.5, isMet: false });
  expect(LARGE).toMatchObject({ goal: '<= 250 MB', spread: { from: 200, to: 12_345.6 }, isMet: false });
});

test('the report is a table', () => {
  expect(reportOf([FAST, SLOW, LARGE])).toBe(
    `
| row            | ours |               peers | unit       | ratio |     spread | CPU µs / peer | goal                            | met    |
| -------------- | ---: | ------------------: | ---------- | ----: | ---------: | ------------: | ------------------------------- | ------ |
| \`rest-get\`     |   20 | 10 (plain), 5 (two) | requests/s |     2 |        2–3 |   23.4 / 46.8 | >= 1.2                          | yes    |
| \`replica-read\` |   30 |        20 (Map.get) | ns         |   1.5 |    1.5–1.5 |               | <= 3; >= 100 x the store (67 x) | **no** |
| \`memory-wide\`  |  300 |                     | MB         |       | 200–12,346 |               | <= 250 MB                       | **no** |`.trimStart(),
  );
});

test('docs/performance.md explains every row', async () => {
  const page = await readFile(fileURLToPath(new URL('../../../docs/performance.md', import.meta.url)), 'utf8');
  const explained = page.slice(page.indexOf('## The rows'));
  expect(ROWS.map(({ id }) => id).filter((id) => !explained.includes(`\`${id}\``))).toEqual([]);
});

test('candidates take turns, and the first round is not counted', async () => {
  const calls: string[] = [];
  const candidate = (name: string) => ({
    name,
    measure: async (seconds: number) => ({ value: calls.push(`${name} ${seconds}`) }),
  });
  const profile = { ...PROFILES.smoke, rounds: 2, roundSeconds: 1, warmUpSeconds: 5 };
  const context = { profile, progress: () => {} };
  expect(await measureRounds(context, candidate('a'), candidate('b'))).toMatchObject([
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

function row(id: string, ours: (context: Parameters<Row['measure']>[0]) => Promise<number>): Row {
  return {
    id,
    unit: 'requests/s',
    goal: { minRatio: 1 },
    measure: async (context) => ({
      series: [
        { name: 'ours', values: [await ours(context)] },
        { name: 'other', values: [1] },
      ],
    }),
  };
}
