import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { keepRun, readHistory } from './history.ts';
import { kept, lastResult, type Run } from './run.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'guild-settings-history-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('runs are read as they were kept, full and quick ones apart', async () => {
  const first = runOf('2026-11-01T10:00:00.000Z', { 'rest-get': 1.1, scale: 0.9 });
  const second = runOf('2026-11-02T10:00:00.000Z', { 'rest-get': 1.2 });
  await keepRun(first, folder);
  await keepRun(second, folder);
  await keepRun({ ...first, profile: 'quick' }, folder);
  expect(await readHistory('full', folder)).toEqual({ runs: [first, second], damage: [] });
  expect((await readHistory('quick', folder)).runs).toHaveLength(1);
});

test('without a history there are no runs', async () => {
  expect(await readHistory('full', join(folder, 'none'))).toEqual({ runs: [], damage: [] });
});

test.each([
  ['cut off', '{"date":"2026-11-0'],
  ['not a run', '{"date":"yesterday"}'],
  ['a conflict of git', '<<<<<<< HEAD'],
  ['a number', '7'],
])('a damaged line, %s, is told of and skipped', async (_, line) => {
  const file = join(folder, 'full.jsonl');
  const one = runOf('2026-11-01T10:00:00.000Z', { 'rest-get': 1.1 });
  await keepRun(one, folder);
  await appendFile(file, line);
  await keepRun(one, folder);
  expect(await readHistory('full', folder)).toEqual({
    runs: [one, one],
    damage: [`${file}:2 is no full run; it is skipped`],
  });
  expect((await readFile(file, 'utf8')).split('\n')[1]).toBe(line);
});

test('the last result of a row may be of an earlier run than the last', () => {
  const first = runOf('2026-11-01T10:00:00.000Z', { 'rest-get': 1.1, scale: 0.9 });
  const second = runOf('2026-11-02T10:00:00.000Z', { 'rest-get': 1.2 });
  expect(lastResult([first, second], 'rest-get')?.run).toBe(second);
  expect(lastResult([first, second], 'scale')?.run).toBe(first);
  expect(lastResult([first, second], 'start')).toBeUndefined();
});

test('a ratio that is no number can be kept', async () => {
  const result = kept({ ...measured('rest-get', Number.POSITIVE_INFINITY), what: 'a GET' });
  const run = { ...runOf('2026-11-01T10:00:00.000Z', {}), results: [result] };
  await keepRun(run, folder);
  const { runs, damage } = await readHistory('full', folder);
  expect(damage).toEqual([]);
  expect(runs[0]?.results[0]).toMatchObject({ id: 'rest-get', ratio: null });
});

function runOf(date: string, ratios: Record<string, number>): Run {
  const results = Object.entries(ratios).map(([id, ratio]) => measured(id, ratio));
  return { date, node: 'v20.20.0', cpu: 'A processor', cores: 2, commit: '7af496ef93', profile: 'full', results };
}

function measured(id: string, ratio: number) {
  return { id, unit: 'requests/s', ours: ratio, peers: { plain: 1 }, ratio, target: '>= 1', met: ratio >= 1 };
}

test('the committed history is read, also its lines with `effort`', async () => {
  const { runs, damage } = await readHistory('full');
  expect(damage).toEqual([]);
  expect(runs.length).toBeGreaterThan(0);
});
