import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { temporaryFolder } from '@guild-settings/testing';
import { expect, test } from 'vitest';
import { availableCores } from './available-cores.ts';

const cores = availableParallelism();

test.each([
  ['max 100000\n', cores],
  ['100000 100000\n', 1],
  ['50000 100000\n', 1],
  [`${1.5 * 100_000} 100000\n`, 1],
  [`${(cores + 1) * 100_000} 100000\n`, cores],
  ['', cores],
])('in a container with a cpu.max of %j, the whole cores of it are used: %d', (cpuMax, expected) => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'cpu.max');
  writeFileSync(file, cpuMax);
  expect(availableCores(file)).toBe(expected);
});

test('without a limit of the system, all cores of this machine are used', () => {
  expect(availableCores('/does/not/exist')).toBe(cores);
});
