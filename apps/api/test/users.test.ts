import { type ManagedGuildSummary, ManagedGuilds } from '@guild-settings/contract';
import { problemIn, startApi, type TestApi, test } from '@guild-settings/testing/api';
import { IDS } from '@guild-settings/testing/people';
import { afterAll, describe, expect } from 'vitest';

const GUILDS = '/users/@me/guilds';
const NEW = { 'cache-control': 'no-cache' };

/** For cases that only change their own world of Discord. */
const api = await startApi();
afterAll(() => api[Symbol.asyncDispose]());

describe('GET /users/@me/guilds', () => {
  test('lists the guilds that the caller manages as Discord has them, and no others', async () => {
    const guild = { id: IDS.guild, name: 'Discord Testers', icon: 'f64c482b807da4f539cff778d174971c' };
    const permissions = String((1n << 5n) | (1n << 11n));
    const common = { owner: false, permissions, access: 'manager', botPresent: null };
    expect(await guildsOf(api, api.tokens.manager)).toEqual([
      { ...guild, ...common },
      { id: IDS.otherGuild, name: '東京カフェ', icon: null, ...common },
      { id: IDS.bigGuild, name: 'हिंदी गेमर्स', icon: null, ...common },
    ]);
    expect(await guildsOf(api, api.tokens.owner)).toMatchObject([{ owner: true }, { owner: true }, { owner: true }]);
    expect(await guildsOf(api, api.tokens.admin)).toHaveLength(3);
    expect(await guildsOf(api, api.tokens.plain)).toEqual([]);
  });

  test('keeps permission bits above 2^53', async () => {
    const permissions = (1n << 60n) | (1n << 5n) | 1n;
    api.discord.world.setPermissions(IDS.guild, IDS.otherManager, permissions);
    expect(await guildsOf(api, api.tokens.otherManager)).toMatchObject([{ permissions: `${permissions}` }, {}, {}]);
  });

  test('says whether the bot is in each guild, once a bot has reported its guilds', async ({ api }) => {
    const guild = (id: string) => ({ id, name: 'As reported', icon: null });
    const presence = async () =>
      Object.fromEntries((await guildsOf(api, api.tokens.manager)).map(({ id, botPresent }) => [id, botPresent]));
    const shardOf = (id: string) => Number((BigInt(id) >> 22n) % 1000n);
    await api.report({ type: 'snapshot', shard: { id: shardOf(IDS.bigGuild), count: 1000 }, guilds: [] });
    expect(await presence()).toEqual({ [IDS.guild]: null, [IDS.otherGuild]: null, [IDS.bigGuild]: false });
    await api.report({ type: 'snapshot', shard: { id: 0, count: 1 }, guilds: [guild(IDS.guild)] });
    expect(await presence()).toEqual({ [IDS.guild]: true, [IDS.otherGuild]: false, [IDS.bigGuild]: false });
    await api.report({ type: 'left', guild: IDS.guild });
    await api.report({ type: 'present', guild: guild(IDS.bigGuild) });
    expect(await presence()).toEqual({ [IDS.guild]: false, [IDS.otherGuild]: false, [IDS.bigGuild]: true });
  });

  test('requests Discord once for the list and for the permission of the guilds in it', async ({ api }) => {
    for (const { id } of await guildsOf(api, api.tokens.manager)) expect((await api.get(id)).status).toBe(200);
    await Promise.all(Array.from({ length: 50 }, () => guildsOf(api, api.tokens.manager)));
    expect(listings(api)).toBe(1);
  });

  test('with Cache-Control: no-cache requests Discord again, once for simultaneous requests', async ({ api }) => {
    const { manager } = api.tokens;
    await guildsOf(api, manager);
    api.discord.world.updateGuild(IDS.guild, { name: 'Renamed' });
    api.clock.now += 10_000;
    const stored = await api.send(GUILDS, { token: manager });
    expect([stored.headers.get('age'), await stored.json()]).toMatchObject([
      '10',
      [{ name: 'Discord Testers' }, {}, {}],
    ]);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => api.send(GUILDS, { token: manager, headers: NEW })),
    );
    for (const answer of answers) {
      expect([answer.headers.get('age'), await answer.json()]).toMatchObject(['0', [{ name: 'Renamed' }, {}, {}]]);
    }
    expect(listings(api)).toBe(2);
  });

  test.each([
    ...['no-cache', 'No-Cache', 'max-age=0', 'no-store, no-cache', 'max-age=0,no-transform'].map(
      (each) => [each, 1] as const,
    ),
    ...['max-age=01', 'max-age=60', 'x-no-cache', 'no-cached'].map((each) => [each, 0] as const),
  ])('with Cache-Control: %s requests Discord %i times', async (value, count) => {
    await guildsOf(api, api.tokens.manager, NEW);
    api.clock.now += 6_000;
    const before = listings(api);
    await guildsOf(api, api.tokens.manager, { 'cache-control': value });
    expect(listings(api) - before).toBe(count);
  });

  test('with Cache-Control: no-cache again within five seconds is the last list, with its age', async ({ api }) => {
    const { manager } = api.tokens;
    await guildsOf(api, manager);
    api.discord.world.removeMember(IDS.guild, IDS.manager);
    api.clock.now += 4_999;
    const early = await api.send(GUILDS, { token: manager, headers: NEW });
    expect([early.headers.get('age'), (await listIn(early)).length]).toEqual(['4', 3]);
    api.clock.now += 1;
    expect(await guildsOf(api, manager, NEW)).toHaveLength(2);
    expect(listings(api)).toBe(2);
  });

  test('with Cache-Control: no-cache while Discord is down is the list of before, and never 503', async ({ api }) => {
    const { manager } = api.tokens;
    await guildsOf(api, manager);
    api.discord.faults.set({ kind: 'status', status: 500 });
    api.clock.now += 30_000;
    const answer = await api.send(GUILDS, { token: manager, headers: NEW });
    expect([answer.status, answer.headers.get('age'), (await listIn(answer)).length]).toEqual([200, '30', 3]);
  });

  test('with Cache-Control: no-cache notices that the token was revoked', async ({ api }) => {
    const { manager } = api.tokens;
    await guildsOf(api, manager);
    api.discord.world.revokeToken(manager);
    api.clock.now += 5_000;
    expect((await api.send(GUILDS, { token: manager, headers: NEW })).status).toBe(401);
  });

  test('is for users: the application has no such list, on behalf of a user neither', async () => {
    for (const headers of [{}, { 'x-on-behalf-of': IDS.manager }]) {
      const answer = await api.send(GUILDS, { token: api.tokens.application, headers });
      expect(answer.status).toBe(403);
      expect(await problemIn(answer)).toMatchObject({
        type: '/problems/person-only',
        detail: expect.stringContaining("user's access token"),
      });
    }
  });
});

describe('GET /users/@me', () => {
  test('is the user of the token, its scopes, and when it expires', async ({ api }) => {
    api.discord.world.addUser({ id: '53908099506183690', username: 'mika.0', globalName: 'Mika', avatar: 'a1b2' });
    const { accessToken } = api.discord.world.issueUserToken({
      userId: '53908099506183690',
      applicationId: IDS.application,
      scopes: ['identify', 'guilds', 'email'],
      expiresInSeconds: 600,
    });
    const expiresAt = new Date(api.clock.now + 600_000).toISOString();
    const answer = await api.send('/users/@me', { token: accessToken });
    const caller = { kind: 'user', id: '53908099506183690', name: 'Mika', avatar: 'a1b2' };
    const whole = { ...caller, scopes: ['identify', 'guilds', 'email'], expiresAt };
    expect(await answer.json()).toEqual(whole);
    const overTrpc = await api.send('/trpc/users.me', { token: accessToken });
    expect(await overTrpc.json()).toEqual({ result: { data: whole } });
  });

  test('has the username of a user without a display name', async () => {
    const answer = await api.send('/users/@me', { token: api.tokens.admin });
    expect(await answer.json()).toMatchObject({ kind: 'user', id: IDS.admin, name: 'admin', avatar: null });
  });

  test('is the application for a token of its own', async () => {
    const headers = { 'x-on-behalf-of': IDS.manager };
    const answer = await api.send('/users/@me', { token: api.tokens.application, headers });
    expect(await answer.json()).toEqual({
      kind: 'application',
      id: IDS.application,
      name: 'Melody',
      avatar: null,
      scopes: ['applications.commands.update'],
      expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
  });

  test.each([
    ['unknown', 401],
    ['withoutIdentify', 403],
  ] as const)('refuses a token that is %s: %i', async (which, status) => {
    for (const path of ['/users/@me', GUILDS]) {
      expect((await api.send(path, { token: api.tokens[which] })).status).toBe(status);
    }
  });
});

async function guildsOf(
  api: TestApi,
  token: string,
  headers: Record<string, string> = {},
): Promise<ManagedGuildSummary[]> {
  const answer = await api.send(GUILDS, { token, headers });
  expect(answer.status).toBe(200);
  return listIn(answer);
}

async function listIn(answer: Response): Promise<ManagedGuildSummary[]> {
  return ManagedGuilds.parse(await answer.json());
}

/** Returns how often Discord was requested for the guilds of users. */
function listings(api: TestApi): number {
  return api.discord.calls.count({ path: GUILDS });
}
