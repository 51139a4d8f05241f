import { queryPostgres, startTestPostgres, waitUntil } from '@guild-settings/testing';
import { A, B, migratedDatabase, nothing, openProcess, prefix } from '@guild-settings/testing/stores';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { checkDurability, openPool } from './database.ts';
import { lockMeta, transact } from './transaction.ts';

const server = await startTestPostgres({ isOwn: true });
afterAll(() => server[Symbol.asyncDispose]());

async function databaseWith(synchronousCommit: string): Promise<string> {
  const url = await migratedDatabase(server);
  const name = new URL(url).pathname.slice(1);
  await queryPostgres(url, `ALTER DATABASE "${name}" SET synchronous_commit = ${synchronousCommit}`);
  return url;
}

test('a killed backend loses no acknowledged write although synchronous_commit is off', async () => {
  const url = await databaseWith('off');
  // Prevents the server from flushing the log by other means meanwhile.
  await queryPostgres(url, "ALTER SYSTEM SET wal_writer_delay = '10s'");
  await queryPostgres(url, 'SELECT pg_reload_conf()');
  for (let round = 1; round <= 3; round++) {
    await using process = await openProcess(url);
    const { revision } = await process.store.write(prefix([A, B], `${round}`));
    await killBackend(url);
    await using later = await openProcess(url);
    expect((await later.store.read(A))?.settings.prefix).toBe(`${round}`);
    expect(await later.store.write(nothing([]))).toMatchObject({ revision });
  }
});

test.each([
  ['off', 'on'],
  ['local', 'on'],
  ['remote_write', 'on'],
  ['on', 'on'],
  ['remote_apply', 'remote_apply'],
])('sessions that begin with synchronous_commit %s commit with %s', async (configured, used) => {
  const db = openPool(await databaseWith(configured));
  const { rows } = await db.$client.query('SHOW synchronous_commit');
  expect(rows).toEqual([{ synchronous_commit: used }]);
  await db.$client.end();
});

test('a session whose setting was reset, as behind a pooler in transaction mode, writes nothing', async () => {
  const url = await databaseWith('off');
  await (await openProcess(url)).store.close();
  const db = openPool(url);
  await transact(db, 'write', lockMeta);
  // The pool has only this session, which the next transaction uses.
  await db.$client.query('RESET synchronous_commit');
  await expect(checkDurability(db)).rejects.toThrow('received "off"');
  await expect(transact(db, 'write', lockMeta)).rejects.toThrow('received "off"');
  await db.$client.end();
});

test('a server with fsync off causes a warning and no error', async () => {
  const url = await migratedDatabase(server);
  await queryPostgres(url, 'ALTER SYSTEM SET fsync = off');
  await queryPostgres(url, 'SELECT pg_reload_conf()');
  const db = openPool(url);
  await waitUntil(async () => (await checkDurability(db)).length === 1, { message: 'the configuration to be read' });
  expect((await checkDurability(db))[0]).toContain('fsync=off');
  await db.$client.end();
  await queryPostgres(url, 'ALTER SYSTEM RESET fsync');
  await queryPostgres(url, 'SELECT pg_reload_conf()');
});

/** Kills a backend with SIGKILL. The server then restarts all of its processes and loses its memory. */
async function killBackend(url: string): Promise<void> {
  const [client, other] = [new pg.Client(url), new pg.Client(url)];
  for (const one of [client, other]) {
    one.on('error', () => {});
    await one.connect();
  }
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  // The server ends all other sessions when it notices. Until then it still accepts new ones.
  const noticed = new Promise((resolve) => other.once('end', resolve));
  process.kill(rows[0]?.pid ?? -1, 'SIGKILL');
  await noticed;
  await waitUntil(
    () =>
      queryPostgres(url, 'SELECT 1').then(
        () => true,
        () => false,
      ),
    { message: 'the server to be back' },
  );
}
