import { queryPostgres, startTcpProxy, startTestPostgres, type TcpProxy, waitUntil } from '@guild-settings/testing';
import { A, B, increment, migratedDatabase, openProcess, type TestStore } from '@guild-settings/testing/stores';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { StoreUnavailableError, WriteUnconfirmedError } from '../store.ts';

const server = await startTestPostgres();
afterAll(() => server[Symbol.asyncDispose]());

const add = (store: TestStore, guild = A) => store.write(increment([guild]));

const revisionsIn = async (url: string) =>
  (await queryPostgres<{ revision: string }>(url, 'SELECT revision FROM changes ORDER BY revision')).map((row) =>
    Number(row.revision),
  );

test('two processes that write at the same time lose nothing, and revisions have no gap', async () => {
  const url = await migratedDatabase(server);
  await using one = await openProcess(url);
  await using other = await openProcess(url);
  const writes = Array.from({ length: 100 }, (_, index) => add(index % 2 ? one.store : other.store, index % 3 ? A : B));
  const results = await Promise.all(writes);
  const [a, b] = await Promise.all([one.store.read(A), other.store.read(B)]);
  expect(Number(a?.settings.prefix) + Number(b?.settings.prefix)).toBe(100);
  expect(await revisionsIn(url)).toStrictEqual(Array.from({ length: 100 }, (_, index) => index + 1));
  expect(new Set(results.map(({ guilds }) => guilds[0]?.revision)).size).toBe(100);
});

test('a process is notified of a commit of another one, and only then', async () => {
  const url = await migratedDatabase(server);
  await using one = await openProcess(url);
  await using other = await openProcess(url);
  await waitUntil(() => other.notifications() >= 1, { message: 'the first connection' });
  const before = other.notifications();
  await add(one.store);
  await waitUntil(() => other.notifications() > before, { message: 'the notification' });
  expect(await other.store.read(A)).toMatchObject({ revision: 1 });
});

test('a refused command does not affect those in the same transaction', async () => {
  const url = await migratedDatabase(server);
  await using one = await openProcess(url);
  const writes = Array.from({ length: 10 }, (_, index) =>
    index % 2 ? add(one.store) : one.store.write({ kind: 'refuse', guildIds: [A], guildId: A, value: '' }),
  );
  const settled = await Promise.allSettled(writes);
  expect(settled.map(({ status }) => status)).toStrictEqual(
    Array.from({ length: 10 }, (_, index) => (index % 2 ? 'fulfilled' : 'rejected')),
  );
  expect(await one.store.read(A)).toMatchObject({ revision: 5, settings: { prefix: '5' } });
});

test('a guild that another process erased in the meantime keeps the line of its erasure in the log', async () => {
  const url = await migratedDatabase(server);
  await using one = await openProcess(url);
  await queryPostgres(
    url,
    "INSERT INTO changes (revision, guild_id, at, actor_kind, actor_id, origin, before, after) SELECT 1, '400000000000000000', 2000, 'platform', 'x', 'platform', '{}', '{}'",
  );
  await queryPostgres(
    url,
    `INSERT INTO guilds (id, settings, revision, presence, left_at, updated_at)
     VALUES ('400000000000000000', '{}', 1, 'left', 1, 1)`,
  );
  await queryPostgres(url, 'UPDATE meta SET last_revision = 1');
  const limits = { now: 3_000, changesBefore: 1_000, leftBefore: 2 };

  const other = new pg.Client({ connectionString: url });
  await other.connect();
  await other.query('BEGIN; LOCK TABLE changes IN SHARE ROW EXCLUSIVE MODE');
  const pruning = one.store.prune(limits);
  const waiting = async () => (await other.query('SELECT FROM pg_locks WHERE NOT granted')).rowCount === 1;
  await waitUntil(waiting, { message: 'the deletion of the history' });
  await other.query(
    `DELETE FROM guilds; DELETE FROM changes; UPDATE meta SET last_revision = 2;
     INSERT INTO changes (revision, guild_id, at, actor_kind, actor_id, origin, before, after)
     SELECT 2, '${'s'.repeat(60)}', 3000, 'platform', 'retention', 'platform', '{}', '{}'; COMMIT`,
  );
  await other.end();
  await pruning;
  while (!(await one.store.prune(limits)).isDone);
  expect(await revisionsIn(url)).toStrictEqual([2]);
});

test('a lost listening connection is replaced, and the new one notifies', async () => {
  const url = await migratedDatabase(server);
  await using one = await openProcess(url);
  await waitUntil(() => one.notifications() >= 1, { message: 'the first connection' });
  const before = one.notifications();
  await queryPostgres(
    url,
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'",
  );
  await waitUntil(() => one.notifications() > before, { message: 'the next connection' });
  await add(one.store);
  await waitUntil(() => one.notifications() > before + 1, { message: 'the notification' });
});

test('connections that the server closes are replaced, and running writes are made once', async () => {
  const url = await migratedDatabase(server);
  await using one = await openProcess(url);
  await add(one.store);
  let isDone = false;
  const killing = (async () => {
    while (!isDone) {
      await queryPostgres(
        url,
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND random() < 0.3',
      );
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
  let acknowledged = 1;
  const end = Date.now() + 2_000;
  while (Date.now() < end) {
    const settled = await Promise.allSettled(Array.from({ length: 5 }, () => add(one.store)));
    acknowledged += settled.filter(({ status }) => status === 'fulfilled').length;
    for (const outcome of settled) {
      if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(StoreUnavailableError);
    }
  }
  isDone = true;
  await killing;
  const revisions = await revisionsIn(url);
  expect(revisions).toStrictEqual(revisions.map((_, index) => index + 1));
  expect(acknowledged).toBeGreaterThan(20);
  // An unacknowledged write may have been committed; an acknowledged one was committed once.
  expect(revisions.length).toBeGreaterThanOrEqual(acknowledged);
  expect(await one.store.read(A)).toMatchObject({ settings: { prefix: String(revisions.length) } });
});

/** The message that commits. `READ COMMITTED` at the beginning is not followed by a zero byte. */
const COMMIT = 'COMMIT\0';

function through({ port }: TcpProxy, url: string): string {
  return Object.assign(new URL(url), { port: String(port) }).href;
}

test('a commit whose response is lost is found and not repeated', async () => {
  const url = await migratedDatabase(server);
  await using proxy = await startTcpProxy(Number(new URL(url).port));
  await using one = await openProcess(through(proxy, url));
  await add(one.store);
  for (let turn = 0; turn < 5; turn++) {
    proxy.loseResponses({ text: COMMIT });
    expect(await add(one.store)).toMatchObject({ revision: turn + 2 });
  }
  expect(proxy.lostResponses).toBe(5);
  expect(await revisionsIn(url)).toStrictEqual([1, 2, 3, 4, 5, 6]);
  expect(await one.store.read(A)).toMatchObject({ settings: { prefix: '6' } });
});

test.each([
  ['FATAL', '08P01'],
  ['FATAL', '57000'],
  ['ERROR', '08006'],
])(
  'a commit whose response a pooler replaces by a lost server is found and not repeated: %s %s',
  async (severity, code) => {
    const url = await migratedDatabase(server);
    await using proxy = await startTcpProxy(Number(new URL(url).port));
    await using one = await openProcess(through(proxy, url));
    await add(one.store);
    const fields = Buffer.from(`S${severity}\0C${code}\0Mserver conn crashed?\0\0`);
    const inPlace = Buffer.concat([Buffer.from('E\0\0\0'), Buffer.from([fields.length + 4]), fields]);
    proxy.loseResponses({ text: COMMIT }, { inPlace });
    expect(await add(one.store)).toMatchObject({ revision: 2 });
    expect(proxy.lostResponses).toBe(1);
    expect(await revisionsIn(url)).toStrictEqual([1, 2]);
    expect(await one.store.read(A)).toMatchObject({ settings: { prefix: '2' } });
  },
);

test.each([
  ['for a while', 'disk_full', StoreUnavailableError],
  ['for good', 'raise_exception', pg.DatabaseError],
])('a batch that the server refuses %s is not written, and is not called unconfirmed', async (_, code, expected) => {
  const url = await migratedDatabase(server);
  await using one = await openProcess(url);
  await add(one.store);
  await queryPostgres(
    url,
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION USING ERRCODE = '${code}'; END $$`,
  );
  await queryPostgres(
    url,
    'CREATE CONSTRAINT TRIGGER refuse AFTER INSERT ON changes FOR EACH ROW EXECUTE FUNCTION refuse()',
  );
  const refusal = await add(one.store, B).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(expected);
  expect(refusal).not.toBeInstanceOf(WriteUnconfirmedError);
  await queryPostgres(url, 'DROP TRIGGER refuse ON changes');
  expect(await one.store.read(B)).toBeNull();
  expect(await add(one.store)).toMatchObject({ revision: 2 });
  expect(await revisionsIn(url)).toStrictEqual([1, 2]);
});

test('a batch that the server refuses at its COMMIT is not written', async () => {
  const url = await migratedDatabase(server);
  await using one = await openProcess(url);
  await add(one.store);
  await queryPostgres(
    url,
    "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$",
  );
  await queryPostgres(
    url,
    'CREATE CONSTRAINT TRIGGER refuse AFTER INSERT ON changes DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION refuse()',
  );
  await expect(add(one.store, B)).rejects.toThrow('refused');
  await queryPostgres(url, 'DROP TRIGGER refuse ON changes');
  expect(await one.store.read(B)).toBeNull();
  expect(await add(one.store)).toMatchObject({ revision: 2 });
});

test('a connection that is lost during a shared query fails no request', async () => {
  const url = await migratedDatabase(server);
  await using proxy = await startTcpProxy(Number(new URL(url).port));
  await using one = await openProcess(through(proxy, url));
  await add(one.store);
  proxy.loseResponses({ text: 'read_guilds' });
  const guilds = await Promise.all([A, B, A].map((id) => one.store.read(id)));
  expect(guilds.map((guild) => guild?.revision)).toStrictEqual([1, undefined, 1]);
  expect(proxy.lostResponses).toBe(1);
});

test('a process that stops inside a transaction blocks other writers for seconds only', async () => {
  const url = await migratedDatabase(server);
  await using one = await openProcess(url);
  await add(one.store);
  const { default: pg } = await import('pg');
  const stopped = new pg.Client({ connectionString: url, idle_in_transaction_session_timeout: 1_000 });
  stopped.on('error', () => {});
  await stopped.connect();
  await stopped.query('BEGIN');
  await stopped.query('SELECT * FROM meta FOR UPDATE');
  expect(await add(one.store)).toMatchObject({ revision: 2 });
  await stopped.end().catch(() => {});
});
