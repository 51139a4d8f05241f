import { Arrival, type Cursor, parseCursor, type Rejection, type Watcher } from '@guild-settings/contract';
import { queryPostgres, startTcpProxy, startTestPostgres, waitUntil } from '@guild-settings/testing';
import { startApi, type TestApi } from '@guild-settings/testing/api';
import { IDS } from '@guild-settings/testing/people';
import { fixture, migratedDatabase } from '@guild-settings/testing/stores';
import { openWatch, type RawWatch } from '@guild-settings/testing/streams';
import { afterAll, afterEach, describe, expect, test as plainTest } from 'vitest';
import type { AppOptions } from '../src/app.ts';

const { guild } = IDS;
const ALL = [{ id: 0, count: 1 }];
const watcher = { id: 'watcher-a', name: 'a', shards: ALL };
const OTHER = { id: 'watcher-b', name: 'b', shards: ALL };
const server = await startTestPostgres();
afterAll(() => server[Symbol.asyncDispose]());

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
  leaves?: boolean,
): Promise<void> {
  const body = { watcher, shards, cursor, rejected, leaves };
  const response = await api.send('/trpc/guilds.acknowledge', { method: 'POST', token: api.tokens.application, body });
  expect(response.status).toBe(200);
}

async function changeAndAcknowledge(api: TestApi, watch: RawWatch): Promise<void> {
  await api.patch(guild, { prefix: '?' });
  await waitUntil(() => watch.events.at(-1)?.type === 'guild');
  await acknowledge(api, watcher, cursorOf(watch));
}

async function startTwo(options: AppOptions = {}) {
  const DATABASE_URL = await migratedDatabase(server);
  const one = await startApi({ DATABASE_URL }, options);
  const other = await startApi({ DATABASE_URL }, options);
  const dispose = async () => void (await Promise.all([one, other].map((api) => api[Symbol.asyncDispose]())));
  return { DATABASE_URL, one, other, [Symbol.asyncDispose]: dispose };
}

type Two = Awaited<ReturnType<typeof startTwo>>;

const test = plainTest.extend<{ two: Two } & Pick<Two, 'one' | 'other' | 'DATABASE_URL'>>({
  two: fixture(() => startTwo()),
  one: ({ two }, use) => use(two.one),
  other: ({ two }, use) => use(two.other),
  DATABASE_URL: ({ two }, use) => use(two.DATABASE_URL),
});

async function arrivalOf(api: TestApi, query = ''): Promise<Arrival> {
  const response = await api.send(`/guilds/${guild}/arrival${query}`, { token: api.tokens.manager });
  return Arrival.parse(await response.json());
}

async function metricsOf(api: TestApi): Promise<string> {
  return (await fetch(`${api.url}/metrics`)).text();
}

/** Before the unaffected connections end and everything is sent again. */
const SOON = { timeoutMs: 10_000 };

const ids = (count: number) =>
  Array.from({ length: count }, (_, index) => String(300_000_000_000_000_000n + BigInt(index)));

const cursorOf = (watch: RawWatch) => parseCursor(watch.ids.at(-1) ?? '');

describe('two processes of the service on one PostgreSQL', () => {
  test('a process answers a PATCH when the watcher of the other has acknowledged it', async ({ one, other }) => {
    const watch = await startWatcher(other, watcher);
    const answer = one.patch(guild, { prefix: '?' }, { headers: { prefer: 'wait=10' } });
    await waitUntil(() => watch.events.at(-1)?.type === 'guild');
    await acknowledge(other, watcher, cursorOf(watch));
    expect((await answer).headers.get('arrival')).toMatch(/^live; latency=\d+$/);
    expect(await arrivalOf(one)).toMatchObject({ state: 'live', watchers: [{ name: 'a', state: 'live' }] });
    expect(await arrivalOf(other)).toMatchObject({ state: 'live', watchers: [{ name: 'a', state: 'live' }] });
  });

  test('a watcher that has registered at the other process is waited for at once', async ({ one, other }) => {
    const watch = await startWatcher(one, watcher);
    await changeAndAcknowledge(one, watch);
    expect((await arrivalOf(one)).state).toBe('live');
    await startWatcher(other, OTHER);
    const { state, watchers } = await arrivalOf(one);
    expect(state).not.toBe('live');
    expect(watchers.map(({ name }) => name)).toEqual(['b', 'a']);
  });

  test('a process that starts later learns how far the watchers are', async () => {
    const DATABASE_URL = await migratedDatabase(server);
    await using one = await startApi({ DATABASE_URL });
    const watch = await startWatcher(one, watcher);
    await changeAndAcknowledge(one, watch);
    await using other = await startApi({ DATABASE_URL });
    await waitUntil(async () => (await arrivalOf(other)).state === 'live');
  });

  test('the watchers of a process that has stopped are away', async () => {
    const DATABASE_URL = await migratedDatabase(server);
    await using one = await startApi({ DATABASE_URL });
    {
      await using other = await startApi({ DATABASE_URL });
      await startWatcher(other, watcher);
    }
    await one.patch(guild, { prefix: '?' });
    await waitUntil(async () => (await arrivalOf(one)).state === 'away');
  });

  test('the watchers of a process that was killed are away when it has marked none as connected for a time', async () => {
    const DATABASE_URL = await migratedDatabase(server);
    // Rows left behind by killed processes, one just now and one ten minutes ago.
    const rowOf = (name: string, seenAt: number) =>
      `('watcher-${name}', '${name}', '[{"id":0,"count":1}]', 1, 1, '', 0, '[]', true, ${seenAt})`;
    const rows = [rowOf('now', Date.now() + 60_000), rowOf('before', Date.now() - 600_000)];
    await queryPostgres(DATABASE_URL, `INSERT INTO watchers VALUES ${rows.join()}`);
    await using api = await startApi({ DATABASE_URL });
    await api.patch(guild, { prefix: '?' });
    expect((await arrivalOf(api)).watchers.map(({ name, state }) => [name, state])).toEqual([
      ['now', 'pending'],
      ['before', 'away'],
    ]);
  });

  test('the watchers of a process that serves them stay connected for the others, however long', async () => {
    await using pair = await startTwo({ watcherTimes: { pause: 1, beat: 50, silence: 300_000 } });
    const { one, other, DATABASE_URL } = pair;
    await startWatcher(other, watcher);
    await waitUntil(async () => (await metricsOf(one)).includes('watchers{state="connected"} 1'));
    const seenAt = async () =>
      (await queryPostgres<{ seen_at: string }>(DATABASE_URL, 'SELECT seen_at FROM watchers'))[0];
    const first = await seenAt();
    await waitUntil(async () => (await seenAt())?.seen_at !== first?.seen_at);
    one.clock.now += 299_000;
    await waitUntil(async () => (await metricsOf(one)).includes('watchers{state="connected"} 1'));
  });

  test('the watchers of the other process are not gone for one that was stopped itself', async ({ one, other }) => {
    const watch = await startWatcher(one, watcher);
    await startWatcher(other, OTHER);
    await changeAndAcknowledge(one, watch);
    one.clock.now += 60_000;
    expect(await arrivalOf(one)).toMatchObject({
      state: expect.not.stringMatching('live'),
      watchers: [{ name: 'b' }, {}],
    });
  });

  test('the watchers of the other process can be marked again after an outage of the database', async () => {
    const DATABASE_URL = await migratedDatabase(server);
    const timesOf = (beat: number) => ({ watcherTimes: { pause: 1, beat, silence: 25_000 } });
    await using one = await startApi({ DATABASE_URL }, timesOf(50));
    await using other = await startApi({ DATABASE_URL }, timesOf(300_000));
    const watch = await startWatcher(one, watcher);
    await startWatcher(other, OTHER);
    await changeAndAcknowledge(one, watch);
    await queryPostgres(DATABASE_URL, "UPDATE watchers SET seen_at = seen_at - 60000 WHERE name = 'b'");
    one.clock.now += 60_000;
    const endedAt = one.clock.now;
    await waitUntil(async () => {
      one.clock.now += 500;
      return (await arrivalOf(one)).away === 1 && (await arrivalOf(one)).state === 'live';
    });
    expect(one.clock.now - endedAt).toBeGreaterThanOrEqual(20_000);
  });

  test('a position that could not be stored is known to the other process once it can be', async () => {
    await using pair = await startTwo({ watcherTimes: { pause: 1, beat: 50, silence: 300_000 } });
    const { one, other, DATABASE_URL } = pair;
    const watch = await startWatcher(one, watcher);
    await one.patch(guild, { prefix: '?' });
    await waitUntil(() => watch.events.at(-1)?.type === 'guild');
    await queryPostgres(DATABASE_URL, 'ALTER TABLE watchers ADD CONSTRAINT refuse CHECK (revision = 0)');
    await acknowledge(one, watcher, cursorOf(watch));
    await waitUntil(() => one.log().includes('could not be read or stored'));
    expect([(await arrivalOf(one)).state, (await arrivalOf(other)).state]).toEqual(['live', 'pending']);
    await queryPostgres(DATABASE_URL, 'ALTER TABLE watchers DROP CONSTRAINT refuse');
    await waitUntil(async () => (await arrivalOf(other)).state === 'live');
  });

  test('a watcher that moves to the other process is the same one', async ({ one, other }) => {
    const first = await startWatcher(one, watcher);
    first.close();
    const second = await startWatcher(other, watcher);
    await one.patch(guild, { prefix: '?' });
    await waitUntil(() => second.events.at(-1)?.type === 'guild');
    await acknowledge(one, watcher, cursorOf(second));
    for (const api of [one, other]) {
      await waitUntil(async () => (await arrivalOf(api)).state === 'live');
      expect((await arrivalOf(api)).watchers).toHaveLength(1);
    }
  });

  test('a process that takes leave at the one service has left at both, with a stream that is open as well', async ({
    one,
    other,
  }) => {
    await acknowledge(one, OTHER, cursorOf(await startWatcher(one, OTHER)));
    const gone = { ...watcher, run: 'run-of-gone' };
    const watch = await startWatcher(one, gone);
    await acknowledge(other, gone, cursorOf(watch), [], true);
    for (const api of [one, other]) {
      await waitUntil(async () => (await arrivalOf(api)).watchers.some(({ state }) => state === 'left'));
      expect(await arrivalOf(api)).toMatchObject({ state: 'live', watchers: [{ name: 'b' }, { name: 'a' }] });
    }
    await startWatcher(one, { ...gone, run: 'the-next-run' });
    for (const api of [one, other]) await waitUntil(async () => (await arrivalOf(api)).state === 'pending', SOON);
  });

  test('a process whose file was copied is waited for, also when the copy takes leave at the other service', async ({
    one,
    other,
  }) => {
    await acknowledge(one, OTHER, cursorOf(await startWatcher(one, OTHER)));
    await startWatcher(one, { ...watcher, run: 'run-of-the-original' });
    const copy = { ...watcher, run: 'run-of-the-copy' };
    const watch = await startWatcher(other, copy);
    await acknowledge(other, copy, cursorOf(watch), [], true);
    watch.close();
    for (const api of [one, other]) await waitUntil(async () => (await arrivalOf(api)).state === 'pending', SOON);
  });

  test('a leave of a run does not count for a later registration at a service of 1.0.0, which leaves the run in the row', async ({
    one,
    other,
    DATABASE_URL,
  }) => {
    const former = { ...watcher, run: 'the-former-run' };
    const watch = await startWatcher(one, former);
    watch.close();
    await waitUntil(async () => (await metricsOf(one)).includes('watchers{state="away"} 1'));
    const set = 'registration = registration + 1000, version = version + 1000, is_connected = true';
    await queryPostgres(DATABASE_URL, `UPDATE watchers SET ${set}, seen_at = seen_at + 60000`);
    await acknowledge(other, former, cursorOf(watch), [], true);
    await one.patch(guild, { prefix: '?' });
    expect(await arrivalOf(other)).toMatchObject({ state: 'pending', watchers: [{ state: 'pending' }] });
  });

  test('a watcher whose file lost its newest changes is behind again at every process', async ({ one, other }) => {
    const watch = await startWatcher(one, watcher);
    const acknowledged = cursorOf(watch);
    await changeAndAcknowledge(one, watch);
    await waitUntil(async () => (await arrivalOf(other)).state === 'live');
    const restarted = await startWatcher(other, { ...watcher, acknowledged });
    for (const api of [one, other]) await waitUntil(async () => (await arrivalOf(api)).state === 'pending');
    await acknowledge(one, watcher, cursorOf(restarted));
    for (const api of [one, other]) await waitUntil(async () => (await arrivalOf(api)).state === 'live');
  });

  test('a process that has started since learns that the position of a watcher is lower', async () => {
    const DATABASE_URL = await migratedDatabase(server);
    await using one = await startApi({ DATABASE_URL });
    const watch = await startWatcher(one, watcher);
    const acknowledged = cursorOf(watch);
    await changeAndAcknowledge(one, watch);
    watch.close();
    await waitUntil(async () => (await metricsOf(one)).includes('watchers{state="away"} 1'));
    // The other process has not read the watcher's acknowledgements.
    await using other = await startApi({ DATABASE_URL });
    await startWatcher(other, { ...watcher, acknowledged });
    for (const api of [one, other]) await waitUntil(async () => (await arrivalOf(api)).state === 'pending');
  });

  test('a watcher that has moved to the other process with other shards is waited for', async ({ one, other }) => {
    const shardId = Number((BigInt(guild) >> 22n) % 4n);
    const first = { id: 'watcher-a', name: 'a', shards: [{ id: (shardId + 1) % 4, count: 4 }] };
    (await startWatcher(one, first)).close();
    const present = { id: 'watcher-b', name: 'b', shards: ALL };
    await acknowledge(one, present, cursorOf(await startWatcher(one, present)));
    await waitUntil(async () => (await arrivalOf(one)).state === 'live');
    await startWatcher(other, { ...first, shards: ALL });
    await one.patch(guild, { prefix: '?' });
    expect((await arrivalOf(one)).watchers.map(({ name }) => name).toSorted()).toEqual(['a', 'b']);
  });

  test('every process knows which changes a watcher has rejected, and when it can use them', async ({ one, other }) => {
    const watch = await startWatcher(one, watcher);
    await one.patch(guild, { prefix: '?' });
    await waitUntil(() => watch.events.at(-1)?.type === 'guild');
    const cursor = cursorOf(watch);
    const rejected = ids(50).map((id) => ({ guild: id, revision: 1, reason: 'x'.repeat(200) }));
    await acknowledge(one, watcher, cursor, [{ guild, revision: 1, reason: 'x' }, ...rejected]);
    for (const api of [one, other]) await waitUntil(async () => (await arrivalOf(api)).state === 'rejected', SOON);
    await acknowledge(one, watcher, cursor, rejected);
    for (const api of [one, other]) await waitUntil(async () => (await arrivalOf(api)).state === 'live', SOON);
  });

  test('what a watcher with other shards has acknowledged counts at every process, also where its row is read late', async ({
    one,
    other,
  }) => {
    const watch = await startWatcher(one, watcher);
    await changeAndAcknowledge(one, watch);
    await waitUntil(async () => (await arrivalOf(other)).state === 'live');
    watch.close();
    const shard = { id: Number((BigInt(guild) >> 22n) % 4n), count: 4 };
    const resharded = await startWatcher(one, { ...watcher, shards: [shard] });
    await acknowledge(one, { ...watcher, shards: [shard] }, cursorOf(resharded));
    for (const api of [one, other])
      await waitUntil(async () => {
        const { state, watchers } = await arrivalOf(api);
        return state === 'live' && watchers[0]?.shard.count === 4;
      }, SOON);
  });

  test('a watcher that cannot be stored is refused, so that no process takes a change for live without it', async ({
    one,
    other,
    DATABASE_URL,
  }) => {
    await startWatcher(one, watcher);
    await queryPostgres(DATABASE_URL, 'ALTER TABLE watchers ADD CONSTRAINT refuse_b CHECK (name <> $$b$$)');
    const refused = await openWatch(other.url, other.tokens.application, { watcher: OTHER });
    await refused.ended;
    expect(refused.events).toEqual([]);
    await queryPostgres(DATABASE_URL, 'ALTER TABLE watchers DROP CONSTRAINT refuse_b');
    await startWatcher(other, OTHER);
    expect((await arrivalOf(one)).watchers).toHaveLength(2);
  });

  test('a lower position is known to every process in a database that was restored from another cluster', async () => {
    const DATABASE_URL = await migratedDatabase(server);
    await queryPostgres(
      DATABASE_URL,
      `INSERT INTO watchers VALUES ('former', 'f', '[]', 1000000000, 1000000000, '', 0, '[]', false, ${Date.now()})`,
    );
    await using one = await startApi({ DATABASE_URL });
    const watch = await startWatcher(one, watcher);
    const acknowledged = cursorOf(watch);
    await changeAndAcknowledge(one, watch);
    watch.close();
    await using other = await startApi({ DATABASE_URL });
    await startWatcher(other, { ...watcher, acknowledged });
    for (const api of [one, other]) await waitUntil(async () => (await arrivalOf(api)).state === 'pending', SOON);
  });

  test('a watcher with other shards is waited for where its old connection seems to be open', async ({
    one,
    other,
  }) => {
    const shardId = Number((BigInt(guild) >> 22n) % 4n);
    const watcher = { id: 'watcher-a', name: 'a', shards: [{ id: (shardId + 1) % 4, count: 4 }] };
    await startWatcher(one, watcher);
    await startWatcher(one, OTHER);
    await startWatcher(other, { ...watcher, shards: ALL });
    await waitUntil(async () => (await arrivalOf(one)).watchers.length === 2, SOON);
  });

  test('a watcher that connects after more than an hour is registered for every process, also one that starts later', async ({
    one,
    other,
    DATABASE_URL,
  }) => {
    const shard = { id: Number((BigInt(guild) >> 22n) % 4n), count: 4 };
    const watcher = { id: 'watcher-a', name: 'a', shards: [shard] };
    (await startWatcher(one, watcher)).close();
    for (const api of [one, other])
      await waitUntil(async () => (await metricsOf(api)).includes('watchers{state="away"} 1'));
    for (const { clock } of [one, other]) clock.now += 3_620_000;
    await startWatcher(one, { ...watcher, shards: ALL });
    await waitUntil(async () => (await arrivalOf(other)).watchers[0]?.shard.count === 1, SOON);
    await using later = await startApi({ DATABASE_URL });
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
    const watch = await startWatcher(other, watcher);
    // A byte sent now arrives after a minute, and everything later on the same connection after it.
    proxy.delay(60_000);
    await other.patch(guild, { prefix: '?' });
    await waitUntil(() => watch.events.at(-1)?.type === 'guild');
    proxy.delay(0);
    await acknowledge(other, watcher, cursorOf(watch));
    await waitUntil(async () => (await arrivalOf(one)).state === 'live', { timeoutMs: 20_000 });
  });

  test('a change that was committed is acknowledged, also when the database is lost during the wait', async () => {
    const url = new URL(await migratedDatabase(server));
    await using proxy = await startTcpProxy(Number(url.port));
    url.port = String(proxy.port);
    await using api = await startApi({ DATABASE_URL: url.href });
    const watch = await startWatcher(api, watcher);
    const answer = api.patch(guild, { prefix: '?' }, { headers: { prefer: 'wait=1' } });
    await waitUntil(() => watch.events.at(-1)?.type === 'guild');
    proxy.loseResponses({}, { thenRefuse: true });
    const { status, headers } = await answer;
    expect([status, headers.get('arrival')]).toEqual([200, 'pending']);
    proxy.restore();
  });
});
