import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { A, openTestSqlite, prefix } from '@guild-settings/testing/stores';
import { expect, test } from 'vitest';
import type { Store } from '../store.ts';

async function epochOf(store: Store): Promise<string> {
  return (await store.readFeed(0, 1)).epoch;
}

test('a cursor of a history that an older copy of the file replaced is not resumed, however far the copy has come since', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'guild-settings-epochs-'));
  const path = join(folder, 'test.db');
  try {
    const first = openTestSqlite(path);
    await first.write(prefix([A], '?'));
    const firstEpoch = await epochOf(first);
    await first.close();
    await copyFile(path, `${path}.copy`);

    const second = openTestSqlite(path);
    for (let turn = 0; turn < 3; turn++) await second.write(prefix([A], '?'));
    const lost = { epoch: await epochOf(second), revision: 4 };
    const kept = { epoch: firstEpoch, revision: 1 };
    await second.close();

    for (const suffix of ['', '-wal', '-shm']) await rm(`${path}${suffix}`, { force: true });
    await copyFile(`${path}.copy`, path);
    const third = openTestSqlite(path);
    for (let turn = 0; turn < 9; turn++) await third.write(prefix([A], '?'));
    expect(await third.canResume(lost)).toBe(false);
    expect(await third.canResume({ epoch: firstEpoch, revision: 2 })).toBe(false);
    expect(await third.canResume(kept)).toBe(true);
    await third.close();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
