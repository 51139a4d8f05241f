import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { UsageError } from '../options.ts';
import { requireWritable } from './output-files.ts';

test('a place that cannot be written to is wrong usage, before anything is measured', async () => {
  await requireWritable([undefined, '-', join(tmpdir(), 'results.json'), 'results.json']);
  await expect(requireWritable([join(tmpdir(), 'no-such-folder', 'results.json')])).rejects.toThrow(UsageError);
});
