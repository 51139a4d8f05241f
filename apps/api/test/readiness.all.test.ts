import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { openSmallDisk } from '@guild-settings/testing';
import { startApi, type TestApi, test } from '@guild-settings/testing/api';
import { IDS } from '@guild-settings/testing/people';
import { damagePage, nothing, openTestSqlite, prefix } from '@guild-settings/testing/stores';
import Database from 'better-sqlite3';
import { afterAll, describe, expect } from 'vitest';
import { StoreHealth } from '../src/store/measured-store.ts';

const folder = mkdtempSync(join(tmpdir(), 'guild-settings-readiness-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const GUILDS = [
  IDS.guild,
  ...Array.from({ length: 2_000 }, (_, index) => `${200_000_000_000_000_000n + BigInt(index)}`),
];

async function filled(name: string): Promise<string> {
  const path = join(folder, name);
  const store = openTestSqlite(path);
  await store.write(prefix(GUILDS, '?'));
  await store.close();
  return path;
}

async function readiness(api: TestApi) {
  const answer = await api.send('/readyz');
  const { checks } = (await answer.json()) as { checks: Record<string, string> };
  return [answer.status, checks.storeReadable, checks.storeWritable];
}

/** Polls until the readiness is as expected: a verdict is reused for a second, and a failure counts for ten. */
async function becomes(api: TestApi, expected: readonly unknown[]): Promise<void> {
  for (let attempt = 0; attempt < 150; attempt++) {
    if (JSON.stringify(await readiness(api)) === JSON.stringify(expected)) return;
    await setTimeout(100);
  }
  expect(await readiness(api)).toEqual(expected);
}

const READY = [200, 'ok', 'ok'];
const UNREADABLE = [503, 'failing', 'ok'];
const UNWRITABLE = [503, 'ok', 'failing'];

describe('/readyz is 503 and names the failing check while requests fail', () => {
  test('for one damaged page, after a request has read it', async () => {
    const path = await filled('page.db');
    const lost = damageLeaf(path);
    await using api = await startApi({ DATABASE_URL: `file:${path}` });
    expect(await readiness(api)).toEqual(READY);
    const get = (guild: string) => api.get(guild, { token: api.tokens.application });
    expect((await get(lost)).status).toBe(503);
    await becomes(api, UNREADABLE);
    // Other guilds can be read, and do not hide the failure.
    expect((await get(IDS.guild)).status).toBe(200);
    await setTimeout(1_100);
    expect(await readiness(api)).toEqual(UNREADABLE);
    expect(await (await api.send('/metrics')).text()).toMatch(/store_errors_total\{operation="read(_stamp)?"\} [1-9]/);
  });

  test('for a lock of another process', async ({ api }) => {
    expect(await readiness(api)).toEqual(READY);
    const other = new Database(api.databasePath);
    other.exec('BEGIN IMMEDIATE');
    await becomes(api, UNWRITABLE);
    other.exec('ROLLBACK');
    other.close();
    await becomes(api, READY);
  });

  test('for a missing table', async ({ api }) => {
    const other = new Database(api.databasePath);
    other.exec('ALTER TABLE meta RENAME TO lost');
    await becomes(api, [503, 'failing', 'failing']);
    expect((await api.send('/healthz')).status).toBe(200);
    other.exec('ALTER TABLE lost RENAME TO meta');
    other.close();
    await becomes(api, READY);
    expect(api.log()).toContain('the store can be read and written again');
  });

  test('for a full disk', async ({ skip }) => {
    await using disk = await openSmallDisk(8);
    if (!disk.canBeFilled) return skip('mounting a small disk is not permitted here');
    await using api = await startApi({ DATABASE_URL: `file:${disk.folder}/api.db` });
    expect(await readiness(api)).toEqual(READY);
    await disk.fill();
    await becomes(api, UNWRITABLE);
    await disk.free();
    await becomes(api, READY);
  });
});

test('simultaneous requests for readiness share one probe, also one that never ends', async () => {
  const store = openTestSqlite(join(folder, 'counted.db'));
  const counts = { read: 0, write: 0 };
  let release = () => {};
  const health = new StoreHealth(
    {
      ...store,
      probeRead: async (ids) => {
        counts.read += 1;
        await store.probeRead(ids);
      },
      probeWrite: () => {
        counts.write += 1;
        return new Promise((resolve) => {
          release = resolve;
        });
      },
    },
    () => {},
    { verdictTtlMs: 200, probeTimeoutMs: 1_000, failureTtlMs: 200 },
  );
  const verdicts = await Promise.all(Array.from({ length: 1_000 }, () => health.verdict()));
  expect(verdicts.every(({ read, write }) => read === undefined && write !== undefined)).toBe(true);
  expect(counts).toEqual({ read: 1, write: 1 });
  await setTimeout(250);
  await health.verdict();
  expect(counts).toEqual({ read: 2, write: 1 });
  release();
  await store.close();
});

test('a write probe changes nothing, and is flushed to the disk', async () => {
  const path = join(folder, 'probed.db');
  const store = openTestSqlite(path);
  const { revision } = await store.write(prefix([IDS.guild], '?'));
  const frames = () => (statSync(`${path}-wal`).size - 32) / (4_096 + 24);
  const before = frames();
  for (let turn = 1; turn <= 3; turn++) {
    await store.probeWrite();
    expect(frames()).toBe(before + turn);
  }
  expect(await store.write(nothing([]))).toMatchObject({ revision });
  await store.close();
});

/** Damages a page with guilds that the first probes do not read, and returns one of them. */
function damageLeaf(path: string): string {
  const db = new Database(path, { readonly: true });
  const pages = db
    .prepare<[], number>("SELECT pageno FROM dbstat WHERE name = 'guilds' AND pagetype = 'leaf' ORDER BY path")
    .pluck()
    .all();
  db.close();
  const damaged = pages[Math.floor(pages.length / 2)];
  if (damaged === undefined) throw new Error('Expected leaf pages of guilds, found none');
  damagePage(path, damaged);
  const after = new Database(path, { readonly: true });
  const read = after.prepare<[string]>('SELECT * FROM guilds WHERE id = ?');
  try {
    for (const id of GUILDS) {
      try {
        read.get(id);
      } catch {
        return id;
      }
    }
    throw new Error('Expected a guild on the damaged page, found none');
  } finally {
    after.close();
  }
}
