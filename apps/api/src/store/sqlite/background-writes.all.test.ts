import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BackgroundWrites } from './background-writes.ts';
import { openDatabase } from './database.ts';

test('a checkpoint thread that cannot open the file stops neither the process nor the writes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'background-writes-'));
  const db = openDatabase(join(folder, 'test.db'));
  const background = new BackgroundWrites(db, join(folder, 'no-folder', 'test.db'));
  let written = 0;
  // More writes than between two checkpoints, several times.
  for (let times = 0; times < 60; times += 1) {
    await background.write(() => {
      written += 1;
    });
  }
  expect(written).toBe(60);
  await background.end();
  db.$client.close();
  rmSync(folder, { recursive: true });
});
