import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEFAULT_SETTINGS } from '@guild-settings/contract';
import { expect, test } from 'vitest';
import type { GuildWrite, Store } from '../store.ts';
import { openSqliteStore } from './sqlite-store.ts';

const GUILD = '197038439483310086';

function write(): GuildWrite {
  const next = {
    name: null,
    icon: null,
    settings: DEFAULT_SETTINGS,
    presence: 'unknown',
    leftAt: null,
    logged: { day: 0, bytes: 0 },
  } as const;
  const actor = { kind: 'user', id: '53908099506183680' } as const;
  return { next, change: { at: 1, actor, origin: 'rest', reason: null, before: {}, after: {} } };
}

async function epochOf(store: Store): Promise<string> {
  return (await store.readFeed(0, 1)).epoch;
}

test('a cursor of a history that an older copy of the file replaced is not resumed, however far the copy has come since', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'guild-settings-openings-'));
  const path = join(folder, 'test.db');
  try {
    const first = openSqliteStore(path);
    await first.write([GUILD], write);
    const firstEpoch = await epochOf(first);
    await first.close();
    await copyFile(path, `${path}.copy`);

    const second = openSqliteStore(path);
    for (let turn = 0; turn < 3; turn++) await second.write([GUILD], write);
    const lost = { epoch: await epochOf(second), revision: 4 };
    const kept = { epoch: firstEpoch, revision: 1 };
    await second.close();

    for (const suffix of ['', '-wal', '-shm']) await rm(`${path}${suffix}`, { force: true });
    await copyFile(`${path}.copy`, path);
    const third = openSqliteStore(path);
    for (let turn = 0; turn < 9; turn++) await third.write([GUILD], write);
    expect(await third.canResume(lost)).toBe(false);
    expect(await third.canResume({ epoch: firstEpoch, revision: 2 })).toBe(false);
    expect(await third.canResume(kept)).toBe(true);
    await third.close();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
