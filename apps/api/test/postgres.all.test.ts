import {
  minTimeMs,
  queryPostgres,
  sentUntilAvailable,
  startTcpProxy,
  startTestPostgres,
  waitUntil,
} from '@guild-settings/testing';
import { startApi } from '@guild-settings/testing/api';
import { IDS } from '@guild-settings/testing/people';
import { migratedDatabase } from '@guild-settings/testing/stores';
import { openWatch } from '@guild-settings/testing/streams';
import { afterAll, describe, expect, test } from 'vitest';

const { guild } = IDS;
const server = await startTestPostgres();
afterAll(() => server[Symbol.asyncDispose]());

describe('two processes on one PostgreSQL', async () => {
  const DATABASE_URL = await migratedDatabase(server);
  const one = await startApi({ DATABASE_URL });
  const other = await startApi({ DATABASE_URL, DISCORD_API_URL: one.discord.apiUrl });
  const { manager: token } = one.tokens;
  afterAll(() => Promise.all([one, other].map((api) => api[Symbol.asyncDispose]())));

  test('return what either has acknowledged, with one entity tag', async () => {
    for (let turn = 0; turn < 20; turn++) {
      const [writer, reader] = turn % 2 ? [one, other] : [other, one];
      const changed = await writer.patch(guild, { prefix: `${turn}` }, { token });
      const read = await reader.get(guild, { token });
      expect(await read.text()).toBe(await changed.text());
      expect(read.headers.get('etag')).toBe(changed.headers.get('etag'));
    }
  });

  test("accept watches by the other's check of the application's token while Discord is down", async () => {
    const first = await openWatch(one.url, one.tokens.application);
    await waitUntil(() => first.events.some(({ type }) => type === 'live'), { message: 'the first watch' });
    one.discord.faults.set({ kind: 'status', status: 503 });
    const second = await openWatch(other.url, one.tokens.application);
    await waitUntil(() => second.events.some(({ type }) => type === 'live'), { message: 'the second watch' });
    one.discord.faults.clear();
    first.close();
    second.close();
  });

  test('accept exactly one of many changes with one entity tag', async () => {
    const changed = await one.patch(guild, { prefix: '?' });
    const headers = { 'if-match': changed.headers.get('etag') ?? '' };
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        sentUntilAvailable(() => (index % 2 ? one : other).patch(guild, { prefix: `${index}` }, { headers, token })),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 412)).toHaveLength(39);
  });

  test('notify the watchers of both within milliseconds', async () => {
    const watch = await openWatch(other.url, one.tokens.application);
    await waitUntil(() => watch.events.some(({ type }) => type === 'live'), { message: 'live' });
    const waitMs = await minTimeMs(20, 500, async (attempt) => {
      await one.patch(guild, { prefix: `${attempt}` });
      await waitUntil(() => watch.events.filter(({ type }) => type === 'guild').length > attempt, {
        message: 'the change',
      });
    });
    expect(waitMs).toBeLessThan(500);
    watch.close();
  });

  test('resume a cursor of each other', async () => {
    const first = await openWatch(one.url, one.tokens.application);
    await waitUntil(() => first.events.some(({ type }) => type === 'live'), { message: 'live' });
    first.close();
    const [epoch = '', revision = ''] = first.ids.at(-1)?.split(':') ?? [];
    const cursor = { epoch, revision: Number(revision) };
    const second = await openWatch(other.url, one.tokens.application, { cursor });
    await waitUntil(() => second.events.length > 0, { message: 'an event' });
    expect(second.events).toEqual([{ type: 'live', revision: cursor.revision }]);
    second.close();
  });
});

test('a write that waits longer for the lock than it may is 503 with Retry-After, and nothing was changed', async () => {
  const DATABASE_URL = await migratedDatabase(server);
  await using api = await startApi({ DATABASE_URL });
  await api.patch(guild, { prefix: '1' });
  const { default: pg } = await import('pg');
  const blocker = new pg.Client({ connectionString: DATABASE_URL });
  await blocker.connect();
  await blocker.query('BEGIN');
  await blocker.query('SELECT * FROM meta FOR UPDATE');
  const answer = await api.patch(guild, { prefix: '2' });
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
  expect(await answer.json()).toMatchObject({ type: '/problems/store-unavailable' });
  await blocker.query('ROLLBACK');
  await blocker.end();
  expect(await (await api.get(guild)).json()).toMatchObject({ prefix: '1' });
  expect(await queryPostgres(DATABASE_URL, 'SELECT last_revision::int FROM meta')).toEqual([{ last_revision: 1 }]);
});

test('/metrics has the connections to the server', async () => {
  await using api = await startApi({ DATABASE_URL: await migratedDatabase(server) });
  await api.patch(guild, { prefix: '?' });
  const text = await (await api.send('/metrics')).text();
  const value = (name: string) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]);
  expect(value('postgres_pool_max_connections')).toBe(10);
  expect(value('postgres_pool_connections')).toBeGreaterThanOrEqual(1);
  expect(value('postgres_pool_idle_connections')).toBeLessThanOrEqual(value('postgres_pool_connections'));
  expect(value('postgres_pool_waiting_requests')).toBe(0);
});

test('notifications that are lost, and received again, are logged once each', async () => {
  const url = new URL(await migratedDatabase(server));
  await using proxy = await startTcpProxy(Number(url.port));
  url.port = String(proxy.port);
  await using api = await startApi({ DATABASE_URL: url.href });
  const count = (text: string) => api.log().split(text).length - 1;
  proxy.loseResponses({}, { thenRefuse: true });
  const statuses: number[] = [];
  while (statuses.at(-1) !== 503) statuses.push((await api.send('/readyz')).status);
  await waitUntil(() => count('commit notifications are lost') > 0);
  proxy.restore();
  await waitUntil(() => count('commit notifications are received again') > 0);
  expect(count('commit notifications are lost')).toBe(1);
  expect(count('commit notifications are received again')).toBe(1);
});
