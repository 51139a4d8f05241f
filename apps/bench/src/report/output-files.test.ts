import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UsageError } from '@guild-settings/command-line';
import { expect, test } from 'vitest';
import { requireWritable } from './output-files.ts';

test('a file that cannot be written is wrong usage, before anything is measured', async () => {
  await requireWritable([undefined, '-', join(tmpdir(), 'results.json'), 'results.json']);
  await expect(requireWritable([join(tmpdir(), 'no-such-folder', 'results.json')])).rejects.toThrow(UsageError);
});
