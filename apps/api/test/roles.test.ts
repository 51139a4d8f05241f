import type { GuildRoles } from '@guild-settings/contract';
import { test as apiTest, problemIn, type Sent, startApi, type TestApi } from '@guild-settings/testing/api';
import { IDS } from '@guild-settings/testing/people';
import { fixture } from '@guild-settings/testing/stores';
import { afterAll, beforeAll, describe, expect } from 'vitest';

const { guild } = IDS;
const BOT_TOKEN = 'bot-token-of-the-tests-000000001';
const ENV = { DISCORD_BOT_TOKEN: BOT_TOKEN };
const PATH = `/guilds/${guild}/roles`;

function inviteBot({ discord: { world } }: TestApi): void {
  world.addBot({ applicationId: IDS.application, token: BOT_TOKEN });
  world.addBotToGuild(guild);
}

async function startWithBot(): Promise<TestApi> {
  const api = await startApi(ENV);
  inviteBot(api);
  return api;
}

const test = apiTest.extend<{ withBot: TestApi }>({ withBot: fixture(startWithBot) });

const list = (api: TestApi, sent: Sent = {}) => api.send(PATH, { token: api.tokens.manager, ...sent });
const rolesIn = async (response: Response) => {
  expect(response.status).toBe(200);
  return (await response.json()) as GuildRoles;
};
const guildCalls = ({ discord: { calls } }: TestApi, path = '') => calls.count({ path: `/guilds/${guild}${path}` });
/** The ids of the roles in Discord. Each member has one, all at the same position. */
const idsAtDiscord = ({ discord: { world } }: TestApi) =>
  world
    .membersOf(guild)
    .map(({ roleId }) => roleId)
    .sort((a, b) => Number(BigInt(a) - BigInt(b)));

const api = await startApi(ENV);
afterAll(() => api[Symbol.asyncDispose]());
beforeAll(() => inviteBot(api));

describe('the roles of a guild', () => {
  test("are those that Discord has, with Discord's names of their fields, without @everyone", async () => {
    const roles = await rolesIn(await list(api));
    expect(roles.map(({ id }) => id)).toEqual(idsAtDiscord(api));
    const member = api.discord.world.membersOf(guild).find(({ userId }) => userId === IDS.plain);
    expect(roles).toContainEqual({
      id: member?.roleId,
      name: `of ${IDS.plain}`,
      color: 0,
      position: 1,
      managed: false,
      assignable: false,
    });
  });

  test('are assignable below the highest role of the bot, where it may manage roles and no integration owns them', async ({
    withBot: api,
  }) => {
    const { world } = api.discord;
    const role = (index: number) => `20000000000000000${index}`;
    const names = ['Member', 'Booster', 'Bots', 'Admin'];
    for (const [index, name] of names.entries())
      world.addRole({ guildId: guild, id: role(index), name, managed: name === 'Booster', position: index + 2 });
    world.setMemberRoles(guild, IDS.application, [role(2)]);
    const assignable = async () => {
      api.clock.now += 30_001;
      const roles = await rolesIn(await list(api));
      return roles.filter((one) => one.assignable && names.includes(one.name)).map(({ name }) => name);
    };
    expect(await assignable()).toEqual([]);
    world.addRole({ guildId: guild, id: role(2), name: 'Bots', position: 4, permissions: 1n << 28n });
    expect(await assignable()).toEqual(['Member']);
    world.setMemberRoles(guild, IDS.application, [role(3)]);
    expect(await assignable()).toEqual([]);
    world.addRole({ guildId: guild, id: role(3), name: 'Admin', position: 5, permissions: 1n << 3n });
    expect(await assignable()).toEqual(['Bots', 'Member']);
  });

  test('are the same for every manager and the application, and over tRPC', async () => {
    const { owner, admin, manager, application } = api.tokens;
    const expected = await rolesIn(await list(api));
    for (const token of [owner, admin, manager, application])
      expect(await rolesIn(await list(api, { token }))).toEqual(expected);
    const trpc = await api.call('guilds.roles', { guild });
    expect(await trpc.json()).toEqual({ result: { data: expected } });
  });

  test('are at most 30 seconds old', async ({ withBot: api }) => {
    const before = await rolesIn(await list(api));
    api.discord.world.removeMember(guild, IDS.plain);
    api.clock.now += 29_000;
    expect(await rolesIn(await list(api))).toEqual(before);
    api.clock.now += 1_001;
    expect((await rolesIn(await list(api))).map(({ id }) => id)).toEqual(idsAtDiscord(api));
  });
});

describe('Discord', () => {
  test('receives the requests for a guild once, for simultaneous questions for roles and for channels', async ({
    withBot: api,
  }) => {
    api.discord.faults.set({ kind: 'latency', ms: 50 });
    const paths = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? PATH : `/guilds/${guild}/channels`));
    const answers = await Promise.all(paths.map((path) => api.send(path, { token: api.tokens.manager })));
    expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 200));
    const counts = ['', '/channels', `/members/${IDS.application}`, '/roles'].map((path) => guildCalls(api, path));
    expect(counts).toEqual([1, 1, 1, 0]);
  });

  test('that fails is 503, which says what could not be read, and that limits the rate, until when', async ({
    withBot: api,
  }) => {
    const path = `/guilds/${guild}`;
    api.discord.faults.set({ kind: 'status', status: 500 }, { path });
    const failed = await list(api);
    expect([failed.status, failed.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await problemIn(failed)).toMatchObject({
      type: '/problems/discord-unavailable',
      detail: expect.stringContaining('The roles'),
    });
    api.discord.faults.set({ kind: 'rate-limit', retryAfterSeconds: 20 }, { path });
    const limited = await list(api);
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([503, '20']);
  });

  test('that does not show the guild to the bot: 404, read again when the bot reports the guild', async ({
    withBot: api,
  }) => {
    api.discord.world.removeBotFromGuild(guild);
    const response = await list(api);
    expect(response.status).toBe(404);
    expect(await problemIn(response)).toMatchObject({ type: '/problems/bot-absent' });
    api.discord.world.addBotToGuild(guild);
    await api.report({ type: 'present', guild: { id: guild, name: 'Discord Testers', icon: null } });
    expect((await list(api)).status).toBe(200);
  });

  test('receives no request of a caller who may not read the guild', async ({ withBot: api }) => {
    for (const token of [api.tokens.stranger, api.tokens.plain]) expect((await list(api, { token })).status).toBe(403);
    expect(guildCalls(api)).toBe(0);
  });
});

test('without a token of the bot, 501 says what to set', async ({ api }) => {
  const response = await list(api);
  expect(response.status).toBe(501);
  expect((await problemIn(response)).detail).toContain('DISCORD_BOT_TOKEN');
});
