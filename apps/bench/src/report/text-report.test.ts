import { expect, test } from 'vitest';
import { comparison } from './comparison.ts';
import { textReport } from './text-report.ts';

const REST = {
  id: 'rest-get',
  what: 'authorised GET',
  unit: 'requests/s',
  ours: 12_345.6,
  peers: { plain: 6_172.8 },
  ratio: 2,
  spread: { from: 1.876, to: 2.1 },
  cpu: { ours: 23.4, peers: { plain: 46.8 } },
  target: '>= 1',
  met: true,
};
const REPLICA = {
  id: 'replica-read',
  what: 'a read from memory',
  unit: 'ns',
  ours: 30,
  peers: { 'Map.get': 9.5, enmap: 4_000 },
  ratio: 3.157_894,
  target: '<= 3, 100 x the others',
  met: false,
  notes: ['warm'],
};
const { spread: _spread, cpu: _cpu, ...PLAIN } = REST;
const MEMORY = { ...PLAIN, id: 'memory', what: 'heap per guild', unit: 'KB', ours: 0.6, peers: {}, ratio: 0.6 };

test('the report is a table, bars beside the peers, and notes', () => {
  expect(textReport([REST, REPLICA, MEMORY])).toBe(
    `
id              ours   peer  unit        ratio    spread  CPU µs / peer  target                  met
rest-get      12,346  6,173  requests/s      2  1.88–2.1    23.4 / 46.8  >= 1                    ✓
replica-read      30    9.5  ns           3.16                           <= 3, 100 x the others  ✗ missed
memory           0.6      -  KB            0.6                           >= 1                    ✓

rest-get: authorised GET, requests/s
  ours   12,346  ████████████████████████████████████████
  plain   6,173  ████████████████████

replica-read: a read from memory, ns
  ours        30  ▎
  Map.get    9.5  ▏
  enmap    4,000  ████████████████████████████████████████

memory: heap per guild, KB
  ours  0.6  ████████████████████████████████████████

replica-read: warm`.trimStart(),
  );
});

test('a value of nothing has no bar, and none that is no number spoils the others', () => {
  const report = textReport([{ ...REST, ours: 0, peers: { plain: Number.NaN, other: 5 }, ratio: Number.NaN }]);
  expect(report.split('\n').slice(4)).toEqual([
    '  ours   0',
    '  plain  -',
    '  other  5  ████████████████████████████████████████',
  ]);
});

test('ratios are compared with the last ones of their rows', () => {
  const run = {
    date: '2026-11-20T08:30:00.000Z',
    node: 'v20.20.0',
    cpu: 'A processor',
    cores: 2,
    profile: 'full' as const,
  };
  const runs = [
    { ...run, commit: '7af496ef93', results: [{ ...REST, ratio: 1 }, REPLICA] },
    { ...run, commit: null, results: [{ ...REST, ratio: 2.5 }] },
  ];
  expect(comparison([REST, REPLICA, MEMORY], runs)).toBe(
    `
id            last ratio  this one   change  target                  last run
rest-get             2.5         2  -20.0 %  >= 1                    2026-11-20 08:30
replica-read        3.16      3.16   +0.0 %  <= 3, 100 x the others  2026-11-20 08:30 at 7af496ef93
memory                 -       0.6           >= 1                    none`.trimStart(),
  );
});
