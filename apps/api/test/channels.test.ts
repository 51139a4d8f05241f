import type { GuildChannels, GuildEmojis, GuildRoles } from '@guild-settings/contract';
import { test as apiTest, problemIn, type Sent, startApi, type TestApi } from '@guild-settings/testing/api';
import { IDS } from '@guild-settings/testing/people';
import { fixture } from '@guild-settings/testing/stores';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { AppOptions } from '../src/app.ts';

const test = apiTest.extend<{ populated: TestApi }>({ populated: fixture(() => startPopulated()) });

const { guild } = IDS;
const BOT_TOKEN = 'bot-token-of-the-tests-000000001';
const ENV = { DISCORD_BOT_TOKEN: BOT_TOKEN };
const PATH = `/guilds/${guild}/channels`;

const [VIEW_CHANNEL, SEND_MESSAGES, CONNECT] = [1n << 10n, 1n << 11n, 1n << 20n];
/** Channels of the guild. Their ids are in the order of creation. */
const CHANNELS = {
  general: '197038439483310101',
  news: '197038439483310102',
  quiet: '197038439483310103',
  hidden: '197038439483310104',
  lounge: '197038439483310105',
  locked: '197038439483310106',
  staff: '197038439483310107',
  staffRoom: '197038439483310108',
} as const;

function populate({ discord: { world } }: TestApi): void {
  const channel = (name: keyof typeof CHANNELS, more: object) =>
    world.addChannel({ id: CHANNELS[name], guildId: guild, name, ...more });
  world.addBot({ applicationId: IDS.application, token: BOT_TOKEN });
  world.addBotToGuild(guild);
  const bot = IDS.application;
  channel('general', { position: 1 });
  channel('news', { type: 'announcement', position: 0 });
  channel('quiet', { position: 2, permissions: { [bot]: { deny: SEND_MESSAGES } } });
  channel('hidden', { position: 3, permissions: { [bot]: { deny: VIEW_CHANNEL } } });
  channel('lounge', { type: 'voice', position: 0 });
  channel('locked', { type: 'voice', position: 1, permissions: { [bot]: { deny: CONNECT } } });
  const staffOnly = {
    '@everyone': { deny: VIEW_CHANNEL },
    [IDS.otherManager]: { allow: VIEW_CHANNEL },
    [bot]: { allow: VIEW_CHANNEL | SEND_MESSAGES },
  };
  channel('staff', { type: 'category', position: 0, permissions: staffOnly });
  channel('staffRoom', { parentId: CHANNELS.staff, permissions: staffOnly });
}

async function startPopulated(options?: AppOptions): Promise<TestApi> {
  const api = await startApi(ENV, options);
  populate(api);
  return api;
}

const list = (api: TestApi, sent: Sent = {}) => api.send(PATH, { token: api.tokens.manager, ...sent });
const channelsOf = async (response: Response) => {
  expect(response.status).toBe(200);
  return (await response.json()) as GuildChannels;
};
const namesIn = async (response: Response) => (await channelsOf(response)).map(({ name }) => name);
const guildCalls = ({ discord: { calls } }: TestApi, path = '') => calls.count({ path: `/guilds/${guild}${path}` });
const renew = ({ clock }: TestApi) => {
  clock.now += 30_001;
};

const api = await startApi(ENV);
afterAll(() => api[Symbol.asyncDispose]());
beforeAll(() => populate(api));

describe('the channels of a guild', () => {
  test("are listed in the order of Discord's client, with what the bot lacks to announce in them", async () => {
    const channels = await channelsOf(await list(api, { token: api.tokens.owner }));
    expect(channels.map(({ name, type, botCanPost, missing }) => [name, type, botCanPost, ...missing])).toEqual([
      ['news', 5, true],
      ['general', 0, true],
      ['quiet', 0, false, 'SEND_MESSAGES'],
      ['hidden', 0, false, 'VIEW_CHANNEL', 'SEND_MESSAGES'],
      ['lounge', 2, true],
      ['locked', 2, false, 'CONNECT'],
      ['staff', 4, false],
      ['staffRoom', 0, true],
    ]);
    expect(channels.at(-1)).toEqual({
      id: CHANNELS.staffRoom,
      type: 0,
      name: 'staffRoom',
      position: 0,
      parent_id: CHANNELS.staff,
      botCanPost: true,
      missing: [],
      botPermissions: expect.stringMatching(/^[1-9]\d+$/),
    });
    const mayIn = (name: string) => BigInt(channels.find((channel) => channel.name === name)?.botPermissions ?? -1n);
    expect(mayIn('general') ^ mayIn('quiet')).toBe(SEND_MESSAGES);
    expect(mayIn('lounge') ^ mayIn('locked')).toBe(CONNECT);
    expect([mayIn('hidden'), mayIn('staffRoom') & CONNECT]).toEqual([0n, 0n]);
  });

  test('are those that the caller sees: the owner, administrators and the application see all', async () => {
    const common = ['news', 'general', 'quiet', 'hidden', 'lounge', 'locked'];
    const all = [...common, 'staff', 'staffRoom'];
    const { manager, otherManager, owner, admin, application } = api.tokens;
    expect(await namesIn(await list(api, { token: manager }))).toEqual(common);
    for (const token of [otherManager, owner, admin, application]) {
      expect(await namesIn(await list(api, { token }))).toEqual(all);
    }
  });
});

describe('Discord', () => {
  test('is asked four times for a guild and a manager of it, and once for the bot', async ({ populated: api }) => {
    await list(api);
    const { calls } = api.discord;
    const paths = [PATH, `/guilds/${guild}`, `/guilds/${guild}/members/${IDS.application}`];
    const member = `/guilds/${guild}/members/${IDS.manager}`;
    expect([...paths, member, '/applications/@me'].map((path) => calls.count({ path }))).toEqual([1, 1, 1, 1, 1]);
    renew(api);
    await list(api);
    expect([...paths, member, '/applications/@me'].map((path) => calls.count({ path }))).toEqual([2, 2, 2, 2, 1]);
  });

  test('is asked again after 30 seconds: until then its answer is reused', async ({ populated: api }) => {
    await list(api);
    api.discord.world.setChannelPermissions(CHANNELS.general, { [IDS.application]: { deny: SEND_MESSAGES } });
    const general = async () => (await channelsOf(await list(api))).find(({ name }) => name === 'general');
    api.clock.now += 29_000;
    expect(await general()).toMatchObject({ botCanPost: true });
    api.clock.now += 1_001;
    expect(await general()).toMatchObject({ botCanPost: false, missing: ['SEND_MESSAGES'] });
    expect(guildCalls(api, '/channels')).toBe(2);
  });

  test('is asked once by simultaneous requests, also for the member that sends them', async ({ populated: api }) => {
    api.discord.faults.set({ kind: 'latency', ms: 50 });
    const { manager, otherManager } = api.tokens;
    const senders = Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? manager : otherManager));
    const answers = await Promise.all(senders.map((token) => list(api, { token })));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect([guildCalls(api), guildCalls(api, '/channels')]).toEqual([1, 1]);
    expect(guildCalls(api, `/members/${IDS.manager}`)).toBe(1);
  });

  test('that limits the rate is waited for, or 503 with Retry-After', async ({ populated: api }) => {
    api.discord.faults.set({ kind: 'rate-limit', retryAfterSeconds: 0.1 }, { path: PATH, times: 1 });
    expect((await list(api)).status).toBe(200);
    // A part that was received before the limit is not requested again.
    expect([guildCalls(api), guildCalls(api, '/channels')]).toEqual([1, 2]);
    renew(api);
    api.discord.faults.set({ kind: 'rate-limit', retryAfterSeconds: 20 }, { path: PATH });
    const limited = await list(api);
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([503, '20']);
    const count = guildCalls(api, '/channels');
    api.clock.now += 5_000;
    const again = await list(api);
    expect([again.status, again.headers.get('retry-after')]).toEqual([503, '15']);
    expect(guildCalls(api, '/channels')).toBe(count);
  });

  test('that fails is 503, and is left alone after five failures, while tokens are still checked', async ({
    populated: api,
  }) => {
    api.discord.faults.set({ kind: 'status', status: 500 }, { path: PATH });
    for (let turn = 0; turn < 5; turn += 1) {
      const response = await list(api, { token: api.tokens.owner });
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
      expect(await problemIn(response)).toMatchObject({ type: '/problems/discord-unavailable' });
    }
    const calls = guildCalls(api, '/channels');
    expect((await list(api, { token: api.tokens.owner })).headers.get('retry-after')).toBe('2');
    expect(guildCalls(api, '/channels')).toBe(calls);
    expect((await api.get(guild, { token: api.tokens.admin })).status).toBe(200);
    api.discord.faults.clear();
    api.clock.now += 2_000;
    expect((await list(api, { token: api.tokens.owner })).status).toBe(200);
  });

  test('refuses at most 50 look-ups for one person, who then receives 429, and answers others', async () => {
    await using api = await startPopulated({ botPace: { burst: 1_000, burstMs: 1 } });
    const { world } = api.discord;
    const guilds = Array.from({ length: 51 }, (_, index) => `${300_000_000_000_000_000n + BigInt(index)}`);
    for (const id of guilds) world.addGuild({ id, name: id, ownerId: IDS.stranger });
    const statuses = [];
    for (const id of guilds) {
      api.clock.now += 1_000;
      statuses.push((await api.send(`/guilds/${id}/channels`, { token: api.tokens.stranger })).status);
    }
    expect(statuses).toEqual([...Array(50).fill(404), 429]);
    const refused = await api.send(`/guilds/${guilds[50]}/channels`, { token: api.tokens.stranger });
    expect(await problemIn(refused)).toMatchObject({ type: '/problems/rate-limited' });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await list(api)).status).toBe(200);
  });

  test('that does not show the guild to the bot: 404 bot-absent, asked again when the bot reports the guild', async ({
    populated: api,
  }) => {
    const { world } = api.discord;
    world.removeBotFromGuild(guild);
    for (let turn = 0; turn < 3; turn += 1) {
      const response = await list(api);
      expect(response.status).toBe(404);
      expect(await problemIn(response)).toMatchObject({ type: '/problems/bot-absent' });
    }
    expect(guildCalls(api)).toBe(1);
    world.addBotToGuild(guild);
    await api.report({ type: 'present', guild: { id: guild, name: 'Discord Testers', icon: null } });
    expect((await list(api)).status).toBe(200);
  });

  test('that no longer knows the caller as a member: 403, with the token still valid', async ({ populated: api }) => {
    await api.get(guild);
    api.discord.world.removeMember(guild, IDS.manager);
    const response = await list(api);
    expect(response.status).toBe(403);
    expect(await problemIn(response)).toMatchObject({ type: '/problems/not-guild-manager' });
  });

  test('is not asked as the bot by a caller who may not read the guild', async ({ populated: api }) => {
    await list(api, { token: api.tokens.stranger });
    expect(guildCalls(api)).toBe(0);
  });
});

describe('the token of the bot', () => {
  test('is optional: without it 501 says what to set, over both transports', async ({ api }) => {
    const response = await list(api);
    expect(response.status).toBe(501);
    const problem = await problemIn(response);
    expect(problem).toMatchObject({ type: '/problems/bot-token-missing', code: 'NOT_IMPLEMENTED' });
    expect(problem.detail).toContain('DISCORD_BOT_TOKEN');
    const trpc = await api.call('guilds.channels', { guild });
    expect(await trpc.json()).toMatchObject({ error: { data: { code: 'NOT_IMPLEMENTED', httpStatus: 501 } } });
  });

  test('that Discord rejects is 501, and is not sent again for a minute', async () => {
    await using api = await startApi({ DISCORD_BOT_TOKEN: 'a-token-that-was-reset-in-the-portal' });
    for (let turn = 0; turn < 3; turn += 1) {
      const response = await list(api);
      expect(response.status).toBe(501);
      expect((await problemIn(response)).detail).toContain('rejects');
    }
    const sent = guildCalls(api);
    expect(sent).toBeGreaterThan(0);
    renew(api);
    await list(api);
    expect(guildCalls(api)).toBe(sent);
    api.clock.now += 60_000;
    await list(api);
    expect(guildCalls(api)).toBeGreaterThan(sent);
  });

  test('of another application is 501: it would describe another bot', async () => {
    await using api = await startApi(ENV);
    api.discord.world.addBot({ applicationId: IDS.foreignApplication, token: BOT_TOKEN });
    api.discord.world.addBotToGuild(guild);
    const response = await list(api);
    expect(response.status).toBe(501);
    expect((await problemIn(response)).detail).toContain('another application');
  });

  test('appears in no log, answer or metric', async () => {
    await using api = await startApi({ ...ENV, LOG_LEVEL: 'trace' });
    populate(api);
    const answers = [await (await list(api)).text()];
    for (const fault of [{ kind: 'html', status: 502 }, { kind: 'close-socket' }] as const) {
      api.discord.faults.set(fault, { path: PATH });
      renew(api);
      answers.push(await (await list(api)).text());
    }
    await list(api, { headers: { 'x-request-id': BOT_TOKEN } });
    answers.push(await (await api.send('/metrics')).text());
    expect(answers.at(-1)).toContain('endpoint="/guilds/{guild}/channels"');
    expect(api.log() + answers.join('')).not.toContain(BOT_TOKEN);
  });
});

test("the roles of a guild are those that Discord has, with Discord's names of their fields, without @everyone", async () => {
  const { world, calls } = api.discord;
  const response = await api.send(`/guilds/${guild}/roles`, { token: api.tokens.application });
  const roles = (await response.json()) as GuildRoles;
  const members = world.membersOf(guild).map(({ roleId }) => roleId);
  expect(roles.map(({ id }) => id).toSorted()).toEqual(members.toSorted());
  const { roleId: id } = world.membersOf(guild).find(({ userId }) => userId === IDS.plain) ?? {};
  const common = { color: 0, position: 1, managed: false, assignable: false };
  expect(roles).toContainEqual({ id, name: `of ${IDS.plain}`, ...common });
  // The roles are read together with the channels.
  await list(api);
  expect(calls.count({ path: `/guilds/${guild}/roles` })).toBe(0);
});

describe('the emojis of a guild', () => {
  const emojis = (api: TestApi, token = api.tokens.manager) => api.send(`/guilds/${guild}/emojis`, { token });
  const tea = { id: '197038439483310301', name: 'tea' };
  const party = { id: '197038439483310302', name: 'party', animated: true, available: false };

  test('are those that Discord has, over both transports, for everyone who may see the channels', async ({
    populated: api,
  }) => {
    for (const emoji of [tea, party]) api.discord.world.addEmoji({ guildId: guild, ...emoji });
    const all = [{ ...tea, animated: false, available: true }, party];
    const { manager, owner, application, stranger } = api.tokens;
    for (const token of [manager, owner, application]) {
      const response = await emojis(api, token);
      expect([response.status, await response.json()]).toEqual([200, all]);
    }
    const trpc = await api.call('guilds.emojis', { guild });
    expect(await trpc.json()).toMatchObject({ result: { data: all } });
    const refused = await emojis(api, stranger);
    expect([refused.status, (await problemIn(refused)).type]).toEqual([403, '/problems/not-guild-manager']);
  });

  test('are read with the channels, and at most 30 seconds old', async ({ populated: api }) => {
    const names = async () => ((await (await emojis(api)).json()) as GuildEmojis).map(({ name }) => name);
    expect(await names()).toEqual([]);
    await list(api);
    expect([guildCalls(api), guildCalls(api, '/channels'), guildCalls(api, '/emojis')]).toEqual([1, 1, 0]);
    api.discord.world.addEmoji({ guildId: guild, ...tea });
    api.clock.now += 29_000;
    expect(await names()).toEqual([]);
    api.clock.now += 1_001;
    expect(await names()).toEqual(['tea']);
  });

  test('are 404 where the bot is not in the guild, 503 while Discord fails, and 501 without the token of the bot', async ({
    populated: api,
  }) => {
    api.discord.faults.set({ kind: 'status', status: 500 }, { path: PATH });
    expect((await problemIn(await emojis(api))).detail).toContain('The emojis could not be read');
    api.discord.faults.clear();
    renew(api);
    api.discord.world.removeBotFromGuild(guild);
    expect((await problemIn(await emojis(api))).type).toBe('/problems/bot-absent');
    await using bare = await startApi();
    expect((await problemIn(await emojis(bare))).type).toBe('/problems/bot-token-missing');
  });
});
