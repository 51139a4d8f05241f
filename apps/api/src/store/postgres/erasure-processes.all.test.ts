import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HistoryPage } from '@guild-settings/contract';
import {
  queryPostgres,
  startTestPostgres,
  temporaryFolder,
  waitUntil,
  withPostgresClient,
} from '@guild-settings/testing';
import { startApi } from '@guild-settings/testing/api';
import { A, B, CHANGE, erase, migratedDatabase, openTestPostgres, prefix } from '@guild-settings/testing/stores';
import { afterAll, describe, expect, test } from 'vitest';
import { ErasureLedger } from '../erasure/erasure-ledger.ts';

const person = CHANGE.actor.id;
const server = await startTestPostgres();
afterAll(() => server[Symbol.asyncDispose]());

/** Adds changes of a guild by the person directly to the database. */
const addChanges = (url: string, guildId: string, count: number, author: string = person) =>
  queryPostgres(
    url,
    `INSERT INTO changes SELECT last_revision + i, '${guildId}', 1, 'user', '${author}', 'rest', NULL, '{}', '{}', NULL, NULL
       FROM meta, generate_series(1, ${count}) AS i;
     UPDATE guilds SET revision = last_revision + ${count} FROM meta WHERE guilds.id = '${guildId}';
     UPDATE meta SET last_revision = last_revision + ${count}`,
  );

/** Returns the statements that wait for a lock in a database. */
const waiting = (url: string) =>
  queryPostgres<{ pid: number }>(
    url,
    `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );

/**
 * Writes the guilds A and B as the person, makes a copy of the database, then erases A and the person.
 * @returns the URL of the older copy
 */
async function erasedAfterCopy(ledger: string): Promise<string> {
  const url = await migratedDatabase(server);
  const before = await openTestPostgres(url);
  await before.write(prefix([A, B], 'secret'));
  await before.close();
  await addChanges(url, B, 2_000);
  const older = await server.createDatabase(url);
  const store = await openTestPostgres(url, undefined, new ErasureLedger(ledger));
  await store.applyLedger();
  await store.write(erase([A], 5_000));
  await store.forget(person, 6_000);
  await Promise.all([store.finishErasures('guild'), store.finishErasures('person')]);
  await store.close();
  return older;
}

const authors = (url: string) => queryPostgres(url, `SELECT DISTINCT actor_id FROM changes WHERE guild_id = '${B}'`);

describe('an older copy that is put back', () => {
  test('is erased before any of two processes with one ledger serves, which start at the same time', async () => {
    using folder = temporaryFolder();
    const ledger = join(folder.path, 'erasures');
    const env = { DATABASE_URL: await erasedAfterCopy(ledger), ERASURE_LEDGER: ledger };
    await Promise.all(
      [0, 1].map(async () => {
        await using api = await startApi(env);
        const { application: token } = api.tokens;
        const history = await api.send(`/guilds/${B}/history`, { token });
        const { entries } = HistoryPage.parse(await history.json());
        expect(new Set(entries.map(({ actor }) => actor.id))).toEqual(new Set([null]));
        expect(await (await api.get(A, { token })).json()).toMatchObject({ prefix: '!' });
      }),
    );
    expect(await authors(env.DATABASE_URL)).toEqual([{ actor_id: '' }]);
    // The first line, and each erasure once.
    expect(readFileSync(ledger, 'utf8').trim().split('\n')).toHaveLength(3);
  });

  test('is erased before the next process serves, if the first is lost while it erases', async () => {
    using folder = temporaryFolder();
    const ledger = join(folder.path, 'erasures');
    const url = await erasedAfterCopy(ledger);
    const first = await openTestPostgres(url, undefined, new ErasureLedger(ledger));
    await withPostgresClient({ connectionString: url }, async (client) => {
      await client.query(`BEGIN; SELECT FROM changes WHERE guild_id = '${B}' FOR UPDATE`);
      const applying = expect(first.applyLedger()).rejects.toThrow('PostgreSQL');
      await waitUntil(async () => (await waiting(url)).length > 0, { message: 'the first process erases' });
      for (const { pid } of await waiting(url)) await queryPostgres(url, `SELECT pg_terminate_backend(${pid})`);
      await applying;
    });
    await first.close();
    expect(await authors(url)).toEqual([{ actor_id: person }]);
    const second = await openTestPostgres(url, undefined, new ErasureLedger(ledger));
    expect(await second.applyLedger()).toBe(2);
    expect(await authors(url)).toEqual([{ actor_id: '' }]);
    expect(await second.read(A)).toBeNull();
    await second.close();
  });

  test('is erased by processes that have a ledger each, once each of them has started', async () => {
    using folder = temporaryFolder();
    const [one, other] = [join(folder.path, 'one'), join(folder.path, 'other')] as const;
    const url = await migratedDatabase(server);
    const first = await openTestPostgres(url, undefined, new ErasureLedger(one));
    await first.applyLedger();
    await first.write(prefix([A, B], 'secret'));
    const second = await openTestPostgres(url, undefined, new ErasureLedger(other));
    // The ledger could have been lost.
    await expect(second.applyLedger({ isNewAllowed: false })).rejects.toThrow(`found no file at ${other}`);
    await second.applyLedger({ isNewAllowed: true });
    await Promise.all([first.close(), second.close()]);
    const older = await server.createDatabase(url);
    const stores = await Promise.all(
      [one, other].map((path) => openTestPostgres(url, undefined, new ErasureLedger(path))),
    );
    await Promise.all(stores.map((store) => store.applyLedger()));
    await stores[0]?.write(erase([A], 5_000));
    await stores[0]?.finishErasures('guild');
    await stores[1]?.forget(person, 6_000);
    await Promise.all(stores.map((store) => store.close()));
    for (const path of [one, other]) {
      const store = await openTestPostgres(older, undefined, new ErasureLedger(path));
      expect(await store.applyLedger({ isNewAllowed: false })).toBe(1);
      expect(await store.read(A)).toBeNull();
      await store.close();
    }
    expect(await authors(older)).toEqual([{ actor_id: '' }]);
  });
});

test('two processes with one ledger write one chain of lines', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'erasures');
  const url = await migratedDatabase(server);
  const open = () => openTestPostgres(url, undefined, new ErasureLedger(path));
  const stores = await Promise.all([open(), open()]);
  await Promise.all(stores.map((store) => store.applyLedger({ isNewAllowed: false })));
  const people = Array.from({ length: 20 }, (_, index) => `${900_000_000_000_000_000n + BigInt(index)}`);
  await stores[0]?.write(prefix([A], '?'));
  for (const id of people) await addChanges(url, A, 1, id);
  await Promise.all(people.map((id, index) => stores[index % 2]?.forget(id, index)));
  await Promise.all(stores.map((store) => store.close()));
  expect(readFileSync(path, 'utf8').trim().split('\n')).toHaveLength(21);
  const again = new ErasureLedger(path);
  const store = await openTestPostgres(url, undefined, again);
  expect(await store.applyLedger({ isNewAllowed: false })).toBe(0);
  expect(again.entries.map(({ at }) => at).toSorted((a, b) => a - b)).toEqual(people.map((_, index) => index));
  await store.close();
});

test('history is erased to the last change while another transaction deletes a part of it, as retention does', async () => {
  const url = await migratedDatabase(server);
  const store = await openTestPostgres(url);
  await store.write(prefix([A], 'secret'));
  await addChanges(url, A, 1_000);
  await store.write(erase([A]));
  const finished = await withPostgresClient({ connectionString: url }, async (client) => {
    await client.query(`BEGIN; DELETE FROM changes WHERE guild_id = '${A}' AND revision <= 100`);
    const finishing = store.finishErasures('guild');
    await waitUntil(async () => (await waiting(url)).length > 0, { message: 'the erasure waits for these changes' });
    await client.query('COMMIT');
    return finishing;
  });
  expect(finished).toBeUndefined();
  expect(await queryPostgres(url, `SELECT count(*)::integer AS left FROM changes WHERE guild_id = '${A}'`)).toEqual([
    { left: 0 },
  ]);
  await store.close();
});
