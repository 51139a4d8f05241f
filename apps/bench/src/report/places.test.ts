import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UsageError } from '@guild-settings/command-line';
import { expect, test } from 'vitest';
import { checkPlaces } from './places.ts';

test('a place that cannot be written to is wrong usage, before anything is measured', async () => {
  await checkPlaces([undefined, '-', join(tmpdir(), 'results.json'), 'results.json']);
  await expect(checkPlaces([join(tmpdir(), 'no-such-folder', 'results.json')])).rejects.toThrow(UsageError);
});
