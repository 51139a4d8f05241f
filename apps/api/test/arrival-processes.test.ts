import { Arrival, type Cursor, parseCursor, type Rejection, type Watcher } from '@guild-settings/contract';
import { queryPostgres, startTcpProxy, startTestPostgres, waitUntil } from '@guild-settings/testing';
import { afterAll, afterEach, test as base, describe, expect } from 'vitest';
import { startApi, type TestApi } from '../src/testing/api-resource.ts';
import { openWatch, type RawWatch } from '../src/testing/event-stream.ts';
import { IDS } from '../src/testing/people.ts';
import { migratedDatabase } from '../src/testing/postgres-resource.ts';

const { guild } = IDS;
const ALL = [{ id: 0, count: 1 }];
const A = { id: 'watcher-a', name: 'a', shards: ALL };
const B = { id: 'watcher-b', name: 'b', shards: ALL };
const server = await startTestPostgres();
afterAll(() => server[Symbol.asyncDispose]());

/** Tests with the address of a migrated database, and two processes on it. */
const test = base
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern which fixtures this one needs.
  .extend('url', async ({}) => migratedDatabase(server))
  .extend('one', ({ url }, { onCleanup }) => startProcess(url, onCleanup))
  .extend('other', ({ url }, { onCleanup }) => startProcess(url, onCleanup));

async function startProcess(DATABASE_URL: string, onCleanup: (end: () => PromiseLike<void>) => void): Promise<TestApi> {
  const api = await startApi({ DATABASE_URL });
  onCleanup(() => api[Symbol.asyncDispose]());
  return api;
}

const open: RawWatch[] = [];
afterEach(() => {
  for (const watch of open.splice(0)) watch.close();
});

async function startWatcher(api: TestApi, watcher: Watcher & { acknowledged?: Cursor | undefined }): Promise<RawWatch> {
  const watch = await openWatch(api.url, api.tokens.application, { watcher });
  open.push(watch);
  // The service may stop first.
  watch.ended.catch(() => {});
  await waitUntil(() => watch.events.at(-1)?.type === 'live');
  return watch;
}

async function acknowledge(
  api: TestApi,
  { shards, ...watcher }: Watcher,
  cursor: Cursor | undefined,
  rejected: readonly Rejection[] = [],
): Promise<void> {
  const body = { watcher, shards, cursor, rejected };
  const response = await api.send('/trpc/guilds.acknowledge', { method: 'POST', token: api.tokens.application, body });
  expect(response.status).toBe(200);
}

async function arrivalOf(api: TestApi, query = ''): Promise<Arrival> {
  const response = await api.send(`/guilds/${guild}/arrival${query}`, { token: api.tokens.manager });
  return Arrival.parse(await response.json());
}

async function metricsOf(api: TestApi): Promise<string> {
  return (await fetch(`${api.url}/metrics`)).text();
}

/** Changes the guild, and waits until a watcher has received that. */
async function change(api: TestApi, watch: RawWatch): Promise<void> {
  await api.patch(guild, { prefix: '?' });
  await waitUntil(() => watch.events.at(-1)?.type === 'guild');
}

/** Before the connections end that the test leaves alone, with which everything is sent again. */
const SOON = { timeoutMs: 10_000 };

/** Returns the ids of other guilds. */
const ids = (count: number) =>
  Array.from({ length: count }, (_, index) => String(300_000_000_000_000_000n + BigInt(index)));

const cursorOf = (watch: RawWatch) => parseCursor(watch.ids.at(-1) ?? '');

describe('two processes of the service on one PostgreSQL', () => {
  test('a process answers a PATCH when the watcher of the other has acknowledged it', async ({ one, other }) => {
    const watch = await startWatcher(other, A);
    const answer = one.patch(guild, { prefix: '?' }, { headers: { prefer: 'wait=10' } });
    await waitUntil(() => watch.events.at(-1)?.type === 'guild');
    await acknowledge(other, A, cursorOf(watch));
    expect((await answer).headers.get('arrival')).toMatch(/^live; latency=\d+$/);
    expect(await arrivalOf(one)).toMatchObject({ state: 'live', watchers: [{ name: 'a', state: 'live' }] });
    expect(await arrivalOf(other)).toMatchObject({ state: 'live', watchers: [{ name: 'a', state: 'live' }] });
  });

  test('a watcher that has registered at the other process is waited for at once', async ({ one, other }) => {
    const watch = await startWatcher(one, A);
    await change(one, watch);
    await acknowledge(one, A, cursorOf(watch));
    expect((await arrivalOf(one)).state).toBe('live');
    await startWatcher(other, B);
    const { state, watchers } = await arrivalOf(one);
    expect(state).not.toBe('live');
    expect(watchers.map(({ name }) => name)).toEqual(['b', 'a']);
  });

  test('a process that starts later learns how far the watchers are', async ({ url, one }) => {
    const watch = await startWatcher(one, A);
    await change(one, watch);
    await acknowledge(one, A, cursorOf(watch));
    await using other = await startApi({ DATABASE_URL: url });
    await waitUntil(async () => (await arrivalOf(other)).state === 'live');
  });

  test('the watchers of a process that has stopped are away', async ({ url, one }) => {
    {
      await using other = await startApi({ DATABASE_URL: url });
      await startWatcher(other, A);
    }
    await one.patch(guild, { prefix: '?' });
    await waitUntil(async () => (await arrivalOf(one)).state === 'away');
  });

  test('the watchers of a process that was killed are away when it has marked none as connected for a time', async ({
    url,
  }) => {
    // Rows that killed processes have left behind, one just now and one ten minutes ago.
    const rowOf = (name: string, seenAt: number) =>
      `('watcher-${name}', '${name}', '[{"id":0,"count":1}]', 1, 1, '', 0, '[]', true, ${seenAt})`;
    const rows = [rowOf('now', Date.now() + 60_000), rowOf('before', Date.now() - 600_000)];
    await queryPostgres(url, `INSERT INTO watchers VALUES ${rows.join()}`);
    await using api = await startApi({ DATABASE_URL: url });
    await api.patch(guild, { prefix: '?' });
    expect((await arrivalOf(api)).watchers.map(({ name, state }) => [name, state])).toEqual([
      ['now', 'pending'],
      ['before', 'away'],
    ]);
  });

  test('the watchers of a process that serves them stay connected for the others, however long', async ({ url }) => {
    const options = { watcherTimes: { pause: 1, beat: 50, silence: 300_000 } };
    await using one = await startApi({ DATABASE_URL: url }, options);
    await using other = await startApi({ DATABASE_URL: url }, options);
    await startWatcher(other, A);
    await waitUntil(async () => (await metricsOf(one)).includes('watchers{state="connected"} 1'));
    const seenAt = async () => (await queryPostgres<{ seen_at: string }>(url, 'SELECT seen_at FROM watchers'))[0];
    const first = await seenAt();
    await waitUntil(async () => (await seenAt())?.seen_at !== first?.seen_at);
    one.clock.now += 299_000;
    await waitUntil(async () => (await metricsOf(one)).includes('watchers{state="connected"} 1'));
  });

  test('a position that could not be stored is known to the other process once it can be', async ({ url }) => {
    const options = { watcherTimes: { pause: 1, beat: 50, silence: 300_000 } };
    await using one = await startApi({ DATABASE_URL: url }, options);
    await using other = await startApi({ DATABASE_URL: url }, options);
    const watch = await startWatcher(one, A);
    await change(one, watch);
    await queryPostgres(url, 'ALTER TABLE watchers ADD CONSTRAINT refuse CHECK (revision = 0)');
    await acknowledge(one, A, cursorOf(watch));
    await waitUntil(() => one.log().includes('could not be followed or stored'));
    expect([(await arrivalOf(one)).state, (await arrivalOf(other)).state]).toEqual(['live', 'pending']);
    await queryPostgres(url, 'ALTER TABLE watchers DROP CONSTRAINT refuse');
    await waitUntil(async () => (await arrivalOf(other)).state === 'live');
  });

  test('a watcher that moves to the other process is the same one', async ({ one, other }) => {
    const first = await startWatcher(one, A);
    first.close();
    const second = await startWatcher(other, A);
    await change(one, second);
    await acknowledge(one, A, cursorOf(second));
    for (const api of [one, other]) {
      await waitUntil(async () => (await arrivalOf(api)).state === 'live');
      expect((await arrivalOf(api)).watchers).toHaveLength(1);
    }
  });

  test('a watcher whose file lost its newest changes is behind again at every process', async ({ one, other }) => {
    const watch = await startWatcher(one, A);
    const acknowledged = cursorOf(watch);
    await change(one, watch);
    await acknowledge(one, A, cursorOf(watch));
    await waitUntil(async () => (await arrivalOf(other)).state === 'live');
    const restarted = await startWatcher(other, { ...A, acknowledged });
    for (const api of [one, other]) await waitUntil(async () => (await arrivalOf(api)).state === 'pending');
    await acknowledge(one, A, cursorOf(restarted));
    for (const api of [one, other]) await waitUntil(async () => (await arrivalOf(api)).state === 'live');
  });

  test('a process that has started since learns that the position of a watcher is lower', async ({ url, one }) => {
    const watch = await startWatcher(one, A);
    const acknowledged = cursorOf(watch);
    await change(one, watch);
    await acknowledge(one, A, cursorOf(watch));
    watch.close();
    await waitUntil(async () => (await metricsOf(one)).includes('watchers{state="away"} 1'));
    // It knows nothing of what the watcher has acknowledged.
    await using other = await startApi({ DATABASE_URL: url });
    await startWatcher(other, { ...A, acknowledged });
    for (const api of [one, other]) await waitUntil(async () => (await arrivalOf(api)).state === 'pending');
  });

  test('a watcher that has moved to the other process with other shards is waited for', async ({ one, other }) => {
    const shardId = Number((BigInt(guild) >> 22n) % 4n);
    const first = { id: 'watcher-a', name: 'a', shards: [{ id: (shardId + 1) % 4, count: 4 }] };
    (await startWatcher(one, first)).close();
    const present = B;
    await acknowledge(one, present, cursorOf(await startWatcher(one, present)));
    await waitUntil(async () => (await arrivalOf(one)).state === 'live');
    await startWatcher(other, { ...first, shards: ALL });
    await one.patch(guild, { prefix: '?' });
    expect((await arrivalOf(one)).watchers.map(({ name }) => name).toSorted()).toEqual(['a', 'b']);
  });

  test('every process knows which changes a watcher has rejected, and when it can use them', async ({ one, other }) => {
    const watch = await startWatcher(one, A);
    await change(one, watch);
    const cursor = cursorOf(watch);
    const rejected = ids(50).map((id) => ({ guild: id, revision: 1, reason: 'x'.repeat(200) }));
    await acknowledge(one, A, cursor, [{ guild, revision: 1, reason: 'x' }, ...rejected]);
    for (const api of [one, other]) await waitUntil(async () => (await arrivalOf(api)).state === 'rejected', SOON);
    await acknowledge(one, A, cursor, rejected);
    for (const api of [one, other]) await waitUntil(async () => (await arrivalOf(api)).state === 'live', SOON);
  });

  test('what a watcher with other shards has acknowledged counts at every process, also where its row is read late', async ({
    one,
    other,
  }) => {
    const watch = await startWatcher(one, A);
    await change(one, watch);
    await acknowledge(one, A, cursorOf(watch));
    await waitUntil(async () => (await arrivalOf(other)).state === 'live');
    watch.close();
    const shard = { id: Number((BigInt(guild) >> 22n) % 4n), count: 4 };
    const resharded = await startWatcher(one, { ...A, shards: [shard] });
    await acknowledge(one, { ...A, shards: [shard] }, cursorOf(resharded));
    for (const api of [one, other])
      await waitUntil(async () => {
        const { state, watchers } = await arrivalOf(api);
        return state === 'live' && watchers[0]?.shard.count === 4;
      }, SOON);
  });

  test('a watcher that cannot be stored is refused, so that no process takes a change for live without it', async ({
    url,
    one,
    other,
  }) => {
    await startWatcher(one, A);
    await queryPostgres(url, 'ALTER TABLE watchers ADD CONSTRAINT refuse_b CHECK (name <> $$b$$)');
    const watcher = B;
    const refused = await openWatch(other.url, other.tokens.application, { watcher });
    await refused.ended;
    expect(refused.events).toEqual([]);
    await queryPostgres(url, 'ALTER TABLE watchers DROP CONSTRAINT refuse_b');
    await startWatcher(other, watcher);
    expect((await arrivalOf(one)).watchers).toHaveLength(2);
  });

  test('a lower position is known to every process in a database that was restored from another cluster', async ({
    url,
  }) => {
    await queryPostgres(
      url,
      `INSERT INTO watchers VALUES ('former', 'f', '[]', 1000000000, 1000000000, '', 0, '[]', false, ${Date.now()})`,
    );
    await using one = await startApi({ DATABASE_URL: url });
    const watch = await startWatcher(one, A);
    const acknowledged = cursorOf(watch);
    await change(one, watch);
    await acknowledge(one, A, cursorOf(watch));
    watch.close();
    await using other = await startApi({ DATABASE_URL: url });
    await startWatcher(other, { ...A, acknowledged });
    for (const api of [one, other]) await waitUntil(async () => (await arrivalOf(api)).state === 'pending', SOON);
  });

  test('a watcher with other shards is waited for where its old connection seems to be open', async ({
    one,
    other,
  }) => {
    const shardId = Number((BigInt(guild) >> 22n) % 4n);
    const watcher = { id: 'watcher-a', name: 'a', shards: [{ id: (shardId + 1) % 4, count: 4 }] };
    await startWatcher(one, watcher);
    await startWatcher(one, B);
    await startWatcher(other, { ...watcher, shards: ALL });
    await waitUntil(async () => (await arrivalOf(one)).watchers.length === 2, SOON);
  });

  test('a watcher that connects after more than an hour is registered for every process, also one that starts later', async ({
    url,
    one,
    other,
  }) => {
    const shard = { id: Number((BigInt(guild) >> 22n) % 4n), count: 4 };
    const watcher = { id: 'watcher-a', name: 'a', shards: [shard] };
    (await startWatcher(one, watcher)).close();
    for (const api of [one, other])
      await waitUntil(async () => (await metricsOf(api)).includes('watchers{state="away"} 1'));
    for (const { clock } of [one, other]) clock.now += 3_620_000;
    await startWatcher(one, { ...watcher, shards: ALL });
    await waitUntil(async () => (await arrivalOf(other)).watchers[0]?.shard.count === 1, SOON);
    await using later = await startApi({ DATABASE_URL: url });
    expect((await arrivalOf(later)).watchers).toHaveLength(1);
  });

  test('a stream that could not start leaves no watcher that seems to be connected', async () => {
    const url = new URL(await migratedDatabase(server));
    await using proxy = await startTcpProxy(Number(url.port));
    url.port = String(proxy.port);
    await using api = await startApi({ DATABASE_URL: url.href });
    await api.patch(guild, { prefix: '?' });
    proxy.loseResponses({}, { thenRefuse: true });
    const acknowledged = { epoch: 'an earlier one', revision: 1 };
    const watcher = { id: 'watcher-a', name: 'a', shards: ALL, acknowledged };
    const refused = await openWatch(api.url, api.tokens.application, { watcher });
    refused.ended.catch(() => {});
    proxy.restore();
    await waitUntil(async () => (await metricsOf(api)).includes('watchers{state="away"} 1'));
    refused.close();
  });

  test('a connection that no longer brings messages is replaced, although it was not closed', async () => {
    const url = new URL(await migratedDatabase(server));
    await using proxy = await startTcpProxy(Number(url.port));
    await using other = await startApi({ DATABASE_URL: url.href });
    url.port = String(proxy.port);
    await using one = await startApi({ DATABASE_URL: url.href });
    const watch = await startWatcher(other, A);
    // What is sent now arrives after a minute, and everything after it on the same connection.
    proxy.delay(60_000);
    await change(other, watch);
    proxy.delay(0);
    await acknowledge(other, A, cursorOf(watch));
    await waitUntil(async () => (await arrivalOf(one)).state === 'live', { timeoutMs: 20_000 });
  });

  test('a change that was committed is acknowledged, also when the database is lost during the wait', async () => {
    const url = new URL(await migratedDatabase(server));
    await using proxy = await startTcpProxy(Number(url.port));
    url.port = String(proxy.port);
    await using api = await startApi({ DATABASE_URL: url.href });
    const watch = await startWatcher(api, A);
    const answer = api.patch(guild, { prefix: '?' }, { headers: { prefer: 'wait=1' } });
    await waitUntil(() => watch.events.at(-1)?.type === 'guild');
    proxy.loseResponses({}, { thenRefuse: true });
    const { status, headers } = await answer;
    expect([status, headers.get('arrival')]).toEqual([200, 'pending']);
    proxy.restore();
  });
});
