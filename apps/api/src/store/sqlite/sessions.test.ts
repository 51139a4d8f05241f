import { setImmediate } from 'node:timers/promises';
import { temporaryFolder } from '@guild-settings/testing';
import { expect, test } from 'vitest';
import { openDatabase } from './database.ts';
import { openSessions } from './small-tables.ts';

test('thousands of sessions that are over are deleted in slices, between which requests are served', async () => {
  using folder = temporaryFolder();
  const db = openDatabase(folder.file('test.db'));
  db.$client.exec(
    `WITH RECURSIVE numbers(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < 4999)
     INSERT INTO sessions (id_hash, public_id, user_id, user_name, device, started_at, last_used_at, tokens, tokens_expire_at, tokens_version)
     SELECT 'h' || n, 'p' || n, 'person', 'Olga', 'Firefox', n, n, 'sealed', n, 1 FROM numbers`,
  );
  const left = db.$client.prepare<[], number>('SELECT count(*) FROM sessions').pluck();
  const store = openSessions(db);
  const removed = store.removeExpiredSessions({ usedSince: 4_999 });
  await setImmediate();
  expect(left.get()).toBeGreaterThan(1);
  await removed;
  expect(await store.sessionsOf('person')).toMatchObject([{ idHash: 'h4999' }]);
  db.$client.close();
});
