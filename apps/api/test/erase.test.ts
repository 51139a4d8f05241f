import { readFileSync } from 'node:fs';
import { DEFAULT_SETTINGS, HistoryPage } from '@guild-settings/contract';
import { waitUntil } from '@guild-settings/testing';
import {
  problemIn,
  revisionTagIn,
  type Sent,
  sharedApi,
  startApi,
  type TestApi,
  test,
} from '@guild-settings/testing/api';
import { IDS } from '@guild-settings/testing/people';
import { readChanges } from '@guild-settings/testing/stores';
import { openWatch } from '@guild-settings/testing/streams';
import Database from 'better-sqlite3';
import { describe, expect } from 'vitest';

const { guild } = IDS;

const ANY = { 'if-match': '*' };

const erase = (api: TestApi, sent: Sent = { headers: ANY }) =>
  api.send(`/guilds/${guild}`, { method: 'DELETE', token: api.tokens.owner, ...sent });

const eraseOverTrpc = (api: TestApi, headers: Record<string, string> = ANY, token = api.tokens.owner) =>
  api.call('guilds.erase', { guild }, { token, headers });

async function historyOf(api: TestApi): Promise<HistoryPage> {
  const response = await api.send(`/guilds/${guild}/history`, { token: api.tokens.manager });
  return HistoryPage.parse(await response.json());
}

async function trpcErrorIn(response: Response): Promise<object> {
  return ((await response.json()) as { readonly error: { readonly data: object } }).error.data;
}

describe('an erasure of a guild', () => {
  test('is 204 without a body; settings and history are gone, and the guild has the defaults', async ({ api }) => {
    await api.patch(guild, { prefix: '?', beta: true });
    await api.patch(IDS.otherGuild, { prefix: '#' });
    const response = await erase(api, { headers: { 'if-match': '"1"' } });
    expect([response.status, await response.text()]).toEqual([204, '']);
    const after = await api.get(guild);
    expect([revisionTagIn(after), await after.json()]).toMatchObject(['"0"', DEFAULT_SETTINGS]);
    expect(await historyOf(api)).toEqual({ entries: [] });
    expect(await (await api.get(IDS.otherGuild)).json()).toMatchObject({ prefix: '#' });
    expect(readChanges(api).map(({ revision, guild_id }) => [revision, guild_id])).toEqual([
      [2, IDS.otherGuild],
      [3, expect.stringMatching(/^[\w-]{60,}$/)],
    ]);
    expect(readChanges(api)[1]).toMatchObject({ before: {}, after: {}, reason: null, actor_id: 'request' });
  });

  test('succeeds again for a guild without anything, and is not made again at the next start', async ({ api }) => {
    expect((await erase(api, { headers: { 'if-match': '"0"' } })).status).toBe(204);
    expect(readChanges(api)).toEqual([]);
    await api.patch(guild, { prefix: '?' });
    expect([(await erase(api)).status, (await erase(api)).status]).toEqual([204, 204]);
    await api.patch(guild, { prefix: '#' });
    await api.restart({});
    expect(await (await api.get(guild)).json()).toMatchObject({ prefix: '#' });
    expect((await historyOf(api)).entries).toHaveLength(1);
  });

  test('of a guild with 10,000 changes deletes all of them, and lets other requests in between', async ({ api }) => {
    await api.patch(guild, { prefix: '?' });
    const db = new Database(api.databasePath);
    db.exec(`
      INSERT INTO changes
        WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i <= 10000)
        SELECT i, '${guild}', 1, 'user', '${IDS.manager}', 'rest', NULL, '{}', '{}', NULL, NULL, NULL FROM n;
      UPDATE meta SET last_revision = 10001; UPDATE guilds SET revision = 10001`);
    db.close();
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    });
    expect((await erase(api)).status).toBe(204);
    clearInterval(timer);
    expect(readChanges(api).map(({ revision }) => revision)).toEqual([10_002]);
    expect(turns).toBeGreaterThan(3);
  });
});

describe('an erasure is refused', () => {
  const shared = sharedApi();

  test('without If-Match: 428, over both transports', async () => {
    const api = shared();
    const response = await erase(api, {});
    expect(await problemIn(response)).toMatchObject({ status: 428, type: '/problems/precondition-required' });
    expect((await erase(api, { headers: { 'if-none-match': '"7"' } })).status).toBe(428);
    expect(await trpcErrorIn(await eraseOverTrpc(api, {}))).toMatchObject({
      code: 'PRECONDITION_REQUIRED',
      httpStatus: 428,
    });
  });
});

describe('the presence of the bot', () => {
  test('does not matter: the owner may erase a guild that the bot has left', async ({ api }) => {
    await api.report({ type: 'present', guild: { id: guild, name: 'n', icon: null } });
    await api.patch(guild, { prefix: '?' });
    await api.report({ type: 'left', guild });
    expect((await api.get(guild)).status).toBe(404);
    expect((await erase(api)).status).toBe(204);
    expect(readChanges(api)).toHaveLength(1);
  });

  test('stays: the guild has the defaults and is not 404, until a report without it', async ({ api }) => {
    const shard = { id: 0, count: 1 };
    const present = { id: guild, name: 'n', icon: null };
    await api.report({ type: 'snapshot', shard, guilds: [present] });
    await api.patch(guild, { prefix: '?' });
    await erase(api);
    expect(await (await api.get(guild)).json()).toMatchObject({ ...DEFAULT_SETTINGS, name: 'Discord Testers' });
    expect((await api.get(IDS.otherGuild)).status).toBe(404);
    api.clock.now += 1_000;
    await api.report({ type: 'snapshot', shard, guilds: [] });
    expect((await api.get(guild)).status).toBe(404);
    await api.report({ type: 'snapshot', shard, guilds: [present] });
    expect(await (await api.get(guild)).json()).toMatchObject({ ...DEFAULT_SETTINGS, name: 'n' });
  });
});

test('an erasure by a process with a slow clock does not seem to be before the last report', async ({ api }) => {
  const present = { id: guild, name: 'n', icon: null };
  await api.report({ type: 'snapshot', shard: { id: 0, count: 1 }, guilds: [present] });
  await api.patch(guild, { prefix: '?' });
  api.clock.now -= 60_000;
  expect((await erase(api)).status).toBe(204);
  expect((await api.get(guild)).status).toBe(200);
});

test.each(['changed', 'imported into'])('a guild that is %s after its erasure is not 404', async (how) => {
  await using api = await startApi();
  const present = { id: guild, name: 'n', icon: null };
  await api.report({ type: 'snapshot', shard: { id: 0, count: 1 }, guilds: [present] });
  const change = (prefix: string) =>
    how === 'changed'
      ? api.patch(guild, { prefix })
      : api.call('guilds.importMany', { guilds: [{ guild, settings: { prefix } }] }, { token: api.tokens.application });
  const statuses: number[] = [];
  for (const prefix of ['1', '2', '3']) {
    statuses.push((await change(prefix)).status, (await api.get(guild)).status);
    expect(await (await api.get(guild)).json()).toMatchObject({ prefix });
    statuses.push((await erase(api)).status, (await api.get(guild)).status);
  }
  expect(statuses).toEqual(Array.from({ length: 3 }, () => [200, 200, 204, 200]).flat());
});

test('a watcher, connected or back later, receives `removed`', async ({ api }) => {
  await api.patch(guild, { prefix: '?' });
  const watch = await openWatch(api.url, api.tokens.application);
  await waitUntil(() => watch.events.at(-1)?.type === 'live');
  await erase(api);
  const removed = { type: 'removed', revision: 2, guild };
  await waitUntil(() => watch.events.at(-1)?.type === 'removed');
  expect(watch.events.at(-1)).toEqual(removed);
  watch.close();
  const [epoch = ''] = watch.ids.at(-1)?.split(':') ?? [];
  await api.restart();
  const later = await openWatch(api.url, api.tokens.application, { cursor: { epoch, revision: 1 } });
  await waitUntil(() => later.events.at(-1)?.type === 'live');
  expect(later.events).toContainEqual(removed);
  expect(later.events.map(({ type }) => type)).not.toContain('reset');
  later.close();
});

describe('the erasure of a person', () => {
  const forget = (api: TestApi, sent: Sent = {}) =>
    api.send('/users/@me/history', { method: 'DELETE', token: api.tokens.manager, ...sent });
  const authors = (api: TestApi) => readChanges(api).map(({ actor_id }) => actor_id);
  const readErasures = ({ databasePath }: TestApi) => {
    const db = new Database(databasePath, { readonly: true });
    const ids = db.prepare('SELECT id FROM erasures').pluck().all();
    db.close();
    return ids;
  };

  test('replaces their id by null in all changes until then, in all guilds; the changes stay', async ({ api }) => {
    await api.patch(guild, { prefix: '1' });
    const onBehalf = { token: api.tokens.application, headers: { 'x-on-behalf-of': IDS.manager } };
    await api.patch(IDS.otherGuild, { prefix: '2' }, onBehalf);
    await api.patch(guild, { prefix: '3' }, { token: api.tokens.admin });
    const response = await forget(api);
    expect([response.status, await response.text()]).toEqual([202, '']);
    await api.patch(guild, { prefix: '4' });
    await waitUntil(() => authors(api)[0] === '');
    expect(authors(api)).toEqual(['', '', IDS.admin, IDS.manager]);
    const { entries } = await historyOf(api);
    expect(entries).toMatchObject([
      { actor: { kind: 'user', id: IDS.manager } },
      { actor: { kind: 'user', id: IDS.admin } },
      { actor: { kind: 'user', id: null }, changes: { prefix: { from: '!', to: '1' } } },
    ]);
  });

  test('is requested over tRPC without an input, and by the application on behalf of a person', async ({ api }) => {
    await api.patch(guild, { prefix: '1' });
    await api.patch(guild, { prefix: '2' }, { token: api.tokens.admin });
    const response = await api.call('users.forget', undefined, { headers: { 'content-type': 'application/json' } });
    expect([response.status, await response.json()]).toEqual([200, { result: { data: null } }]);
    const headers = { 'x-on-behalf-of': IDS.admin };
    expect((await forget(api, { token: api.tokens.application, headers })).status).toBe(202);
    await waitUntil(() => authors(api).every((id) => id === ''));
  });

  test('writes nothing where they are no author, neither to the database nor to the ledger', async ({ api }) => {
    await api.patch(guild, { prefix: '1' });
    const files = () => [readErasures(api), readFileSync(`${api.databasePath}-erasures`, 'utf8')];
    const before = files();
    expect((await forget(api, { token: api.tokens.stranger })).status).toBe(202);
    expect(files()).toEqual(before);
    expect((await forget(api)).status).toBe(202);
    expect(files()).not.toEqual(before);
  });

  test('is possible once a day: 429 for later changes, and one for a request that is repeated', async ({ api }) => {
    await api.patch(guild, { prefix: '1' });
    for (let turn = 0; turn < 3; turn += 1) expect((await forget(api)).status).toBe(202);
    expect(readErasures(api)).toHaveLength(1);
    await api.patch(guild, { prefix: '2' });
    api.clock.now += 3_600_000;
    const refused = await forget(api);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, `${23 * 3_600}`]);
    expect(await problemIn(refused)).toMatchObject({ type: '/problems/rate-limited' });
    expect(authors(api).at(-1)).toBe(IDS.manager);
    api.clock.now += 23 * 3_600_000;
    expect((await forget(api)).status).toBe(202);
    await waitUntil(() => authors(api).at(-1) === '');
    expect(readErasures(api)).toHaveLength(2);
  });
});
