import { test as apiTest, startApi, type TestApi } from '@guild-settings/testing/api';
import { IDS } from '@guild-settings/testing/people';
import { fixture, readChanges } from '@guild-settings/testing/stores';
import { describe, expect } from 'vitest';

const test = apiTest.extend<{ refusing: TestApi }>({ refusing: fixture(startRefusing) });

const { guild, otherGuild } = IDS;
const NEW_GUILD = '297038439483310086';

/** A service that has checked the token of `plain`, who manages no guild. */
async function startRefusing(): Promise<TestApi> {
  const api = await startApi();
  expect((await read(api)).status).toBe(403);
  return api;
}

const read = (api: TestApi, id: string = guild) => api.get(id, { token: api.tokens.plain });
const write = (api: TestApi, id: string = guild) => api.patch(id, { beta: true }, { token: api.tokens.plain });
const checks = (api: TestApi) => api.discord.calls.count({ path: '/users/@me/guilds' });
const promote = ({ discord }: TestApi) => discord.world.setPermissions(guild, IDS.plain, 1n << 5n);

describe('a refusal for want of permission, by a check older than five seconds', () => {
  test('comes after another check: reads and writes see a new permission or guild', async ({ refusing: api }) => {
    promote(api);
    api.discord.world.addGuild({ id: NEW_GUILD, name: 'New', icon: null, ownerId: IDS.plain });
    api.clock.now += 5_000;
    expect((await read(api)).status).toBe(200);
    expect((await write(api)).status).toBe(200);
    expect(readChanges(api)).toHaveLength(1);
    expect(await (await read(api, NEW_GUILD)).json()).toMatchObject({ name: 'New' });
    expect(checks(api)).toBe(2);
  });

  test('each call of a batch is judged by the same new check', async ({ refusing: api }) => {
    promote(api);
    api.clock.now += 5_000;
    const input = encodeURIComponent(JSON.stringify({ 0: { guild }, 1: { guild: otherGuild }, 2: { guild } }));
    const path = `/trpc/guilds.get,guilds.get,guilds.get?batch=1&input=${input}`;
    const answer = await api.send(path, { token: api.tokens.plain });
    const results = (await answer.json()) as { error?: { data: { httpStatus: number } } }[];
    expect(results.map(({ error }) => error?.data.httpStatus ?? 200)).toEqual([200, 403, 200]);
    expect(checks(api)).toBe(2);
  });

  test('is the same when the new check refuses as well', async ({ refusing: api }) => {
    api.clock.now += 5_000;
    expect((await read(api)).status).toBe(403);
    expect((await write(api)).status).toBe(403);
    expect(checks(api)).toBe(2);
  });

  test('is 401 when the token was revoked in the meantime', async ({ refusing: api }) => {
    api.discord.world.revokeToken(api.tokens.plain);
    api.clock.now += 5_000;
    expect((await read(api)).status).toBe(401);
  });
});

describe('Discord receives no more than one check of a token in five seconds', () => {
  test('however many requests are refused', async ({ refusing: api }) => {
    promote(api);
    api.clock.now += 4_999;
    expect((await read(api)).status).toBe(403);
    expect(checks(api)).toBe(1);
    api.discord.world.setPermissions(guild, IDS.plain, 0n);
    for (let turn = 0; turn < 10; turn += 1) {
      api.clock.now += 1_000;
      await Promise.all(Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? read(api) : write(api))));
    }
    expect(checks(api)).toBe(3);
  });

  test('nor while it fails: the refusal stands', async ({ refusing: api }) => {
    api.discord.faults.set({ kind: 'status', status: 500 }, { path: '/oauth2/@me' });
    const before = api.discord.calls.count({ path: '/oauth2/@me' });
    for (let turn = 0; turn < 12; turn += 1) {
      api.clock.now += 1_000;
      expect((await read(api)).status).toBe(403);
    }
    expect(api.discord.calls.count({ path: '/oauth2/@me' }) - before).toBe(2);
  });

  test('nor before the time is over for which it limits the user', async ({ refusing: api }) => {
    api.discord.faults.set({ kind: 'rate-limit', retryAfterSeconds: 20 }, { times: 1 });
    promote(api);
    for (const ms of [5_000, 5_000, 10_000]) {
      api.clock.now += ms;
      expect((await read(api)).status).toBe(403);
    }
    expect(api.discord.calls.count({ path: '/oauth2/@me' })).toBe(2);
    api.clock.now += 5_000;
    expect((await read(api)).status).toBe(200);
  });
});

test('a manager is never checked again for it', async ({ api }) => {
  expect((await api.get(guild)).status).toBe(200);
  api.clock.now += 30_000;
  expect((await api.get(guild)).status).toBe(200);
  expect(checks(api)).toBe(1);
});
