import { expect, test } from 'vitest';
import { decades, ticks } from './log-scale.ts';
import { plot } from './plot.ts';

const RESYNC = {
  id: 'resync',
  unit: 'ms',
  axes: { size: 'guilds', value: 'milliseconds' },
  curve: [
    { name: 'ours', size: 10_000, value: 90 },
    { name: 'ours', size: 1_000, value: 10 },
    { name: 'JSON lines & <SQLite>', size: 1_000, value: 20 },
  ],
};

test('each power of ten is as wide as the next', () => {
  const scale = decades([20, 9_000], [0, 300]);
  expect([10, 100, 1_000, 10_000].map(scale)).toEqual([0, 100, 200, 300]);
  expect(ticks(scale)).toEqual([10, 100, 1_000, 10_000]);
});

test.each([
  [[1], [1, 2, 5, 10]],
  [[0.3], [0.1, 0.2, 0.5, 1]],
  [
    [100, 100],
    [100, 200, 500, 1_000],
  ],
])('an axis for %j has ticks', (values, expected) => {
  const found = ticks(decades(values, [0, 1]));
  expect(found).toHaveLength(expected.length);
  for (const [index, tick] of found.entries()) expect(tick).toBeCloseTo(expected[index] ?? 0);
});

test('a panel for each row with a curve, with its axes and names', () => {
  const drawing = plot([RESYNC, { id: 'rest-get', unit: 'requests/s' }, { ...RESYNC, id: 'again' }]) ?? '';
  expect(drawing.match(/<g transform="translate\(0/g)).toHaveLength(2);
  expect(drawing).toContain('resync: milliseconds against guilds');
  expect(drawing).toContain('>JSON lines &amp; &lt;SQLite&gt;</text>');
  expect(drawing).toContain('prefers-color-scheme: dark');
  expect(drawing).not.toMatch(/NaN|Infinity/);
});

test('what a logarithm cannot show is left out', () => {
  const curve = [
    { name: 'ours', size: 0, value: 1 },
    { name: 'ours', size: 10, value: null },
  ];
  expect(plot([{ ...RESYNC, curve }])).toBeNull();
  expect(plot([{ ...RESYNC, curve: [...curve, { name: 'ours', size: 10, value: 5 }] }])).not.toMatch(/NaN|Infinity/);
  expect(plot([])).toBeNull();
});
