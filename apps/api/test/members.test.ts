import type { GuildMember } from '@guild-settings/contract';
import { waitUntil } from '@guild-settings/testing';
import { problemIn, type Sent, settingsFile, startApi, type TestApi } from '@guild-settings/testing/api';
import { IDS } from '@guild-settings/testing/people';
import { fixture } from '@guild-settings/testing/stores';
import { afterAll, beforeAll, beforeEach, describe, expect, test as plainTest } from 'vitest';

const test = plainTest.extend<{ api: TestApi }>({ api: fixture(startPopulated) });

const { guild, owner, admin, manager, otherManager, plain } = IDS;
const BOT_TOKEN = 'bot-token-of-the-tests-000000001';
const ENV = { DISCORD_BOT_TOKEN: BOT_TOKEN };
const TTL_MS = 300_000;

/** Invites the bot, and has people change the guild: the owner, the administrator and the managers. */
async function populate(api: TestApi): Promise<void> {
  const { world } = api.discord;
  world.addBot({ applicationId: IDS.application, token: BOT_TOKEN });
  world.addBotToGuild(guild);
  for (const name of ['owner', 'admin', 'manager', 'otherManager'] as const) {
    expect((await api.patch(guild, { prefix: name.slice(0, 3) }, { token: api.tokens[name] })).status).toBe(200);
  }
}

async function startPopulated(): Promise<TestApi> {
  const api = await startApi(ENV);
  await populate(api);
  return api;
}

const ask = (api: TestApi, ids: readonly string[], sent: Sent = {}) =>
  api.send(`/guilds/${guild}/members?ids=${ids.join()}`, { token: api.tokens.manager, ...sent });
const peopleIn = async (response: Response) => {
  expect(response.status).toBe(200);
  return (await response.json()) as GuildMember[];
};
const namesOf = async (api: TestApi, ...ids: string[]) => (await peopleIn(await ask(api, ids))).map(({ name }) => name);
const memberCalls = ({ discord: { calls } }: TestApi, id: string) =>
  calls.count({ path: `/guilds/${guild}/members/${id}` });
const userCalls = ({ discord: { calls } }: TestApi, id: string) => calls.count({ path: `/users/${id}` });

const api = await startApi(ENV);
afterAll(() => api[Symbol.asyncDispose]());
beforeAll(() => populate(api));

describe('the names of authors', () => {
  beforeEach(() => {
    // Every test requests Discord again.
    api.clock.now += TTL_MS + 1;
  });

  test('are the nickname in the guild, else the display name, else the username, in the order of the ids', async () => {
    const { world } = api.discord;
    world.addUser({ id: owner, username: 'olga', globalName: 'Olga', avatar: '8342729096ea3675442027381ff50dfe' });
    world.addUser({ id: admin, username: 'ada', globalName: 'Ada L.' });
    world.setNickname(guild, owner, 'The owner');
    expect(await peopleIn(await ask(api, [otherManager, owner, admin, owner]))).toEqual([
      { id: otherManager, name: 'otherManager', avatar: null },
      { id: owner, name: 'The owner', avatar: '8342729096ea3675442027381ff50dfe' },
      { id: admin, name: 'Ada L.', avatar: null },
    ]);
  });

  test('of people who have never changed this guild are left out, and not requested from Discord', async () => {
    await api.patch(IDS.otherGuild, { prefix: '?' }, { token: api.tokens.admin });
    expect(await namesOf(api, plain, manager, IDS.stranger)).toEqual(['Mika']);
    const elsewhere = await api.send(`/guilds/${IDS.otherGuild}/members?ids=${manager}`, {
      token: api.tokens.application,
    });
    expect(await elsewhere.json()).toEqual([]);
    expect([plain, IDS.stranger].map((id) => memberCalls(api, id) + userCalls(api, id))).toEqual([0, 0]);
  });

  test('of people for whom the bot acts are those of the people', async () => {
    const headers = { 'x-on-behalf-of': plain };
    const { application } = api.tokens;
    const switched = await api.send(`/guilds/${guild}/features/tea`, { method: 'PUT', token: application, headers });
    expect(switched.status).toBe(200);
    expect(await namesOf(api, plain, IDS.application)).toEqual(['रवि']);
    const undo = { method: 'DELETE', token: application };
    expect((await api.send(`/guilds/${guild}/features/tea`, undo)).status).toBe(200);
    // The application is not a person.
    expect(await namesOf(api, IDS.application)).toEqual([]);
  });

  test('of people on the access list are answered beside those of authors, each once, and not after they were removed', async ({
    api,
  }) => {
    const setList = async (entries: object[]) => {
      const body = { entries };
      const response = await api.send(`/guilds/${guild}/access`, { method: 'PUT', token: api.tokens.manager, body });
      expect(response.status).toBe(200);
    };
    const levels = [plain, manager].map((id) => ({ subject: `user:${id}`, level: 'viewer' }));
    expect(await namesOf(api, plain)).toEqual([]);
    await setList(levels);
    expect(await namesOf(api, plain, manager, plain, IDS.stranger)).toEqual(['रवि', 'Mika']);
    const asViewer = await peopleIn(await ask(api, [plain], { token: api.tokens.plain }));
    expect(asViewer.map(({ name }) => name)).toEqual(['रवि']);
    await setList([]);
    expect(await namesOf(api, plain, manager)).toEqual(['Mika']);
  });

  plainTest('are also those of members whom a setting, a list or a row of a table names', async () => {
    const label = { 'en-US': 'People' };
    using file = settingsFile({
      settings: {
        helper: { kind: 'user', label },
        greeters: { kind: 'user', many: { max: 3 }, label },
        shifts: { kind: 'table', max: 3, columns: { who: { kind: 'user', label } }, label },
      },
    });
    await using declared = await startApi({ ...ENV, SETTINGS_FILE: file.path });
    await populate(declared);
    expect(await namesOf(declared, plain)).toEqual([]);
    for (const custom of [
      { helper: plain },
      { helper: '', greeters: [plain] },
      { greeters: [], shifts: [{ who: plain }] },
    ]) {
      expect((await declared.patch(guild, { custom }, { token: declared.tokens.manager })).status).toBe(200);
      expect(await namesOf(declared, plain, IDS.stranger)).toEqual(['रवि']);
    }
    expect((await declared.patch(guild, { custom: { shifts: [] } }, { token: declared.tokens.manager })).status).toBe(
      200,
    );
    expect(await namesOf(declared, plain)).toEqual([]);
  });

  test('of people on the access list are those of members alone: nobody is looked up by being put there', async ({
    api,
  }) => {
    const entries = [{ subject: `user:${IDS.stranger}`, level: 'viewer' }];
    const sent = { method: 'PUT', token: api.tokens.manager, body: { entries } };
    expect((await api.send(`/guilds/${guild}/access`, sent)).status).toBe(200);
    expect(await namesOf(api, IDS.stranger)).toEqual([]);
    expect(api.discord.calls.list().filter(({ path }) => path === `/users/${IDS.stranger}`)).toEqual([]);
  });

  test.each([
    ['neither ids nor query', '', /either ids of users or query/],
    ['both', `?ids=${manager}&query=o`, /not both/],
    ['an empty list', '?ids=', /17 to 20 decimal digits/],
    ['a name', '?ids=olga', /17 to 20 decimal digits/],
    ['26 ids', `?ids=${Array(26).fill(manager)}`, /at most 25 ids/],
  ])('%s: 400 says what is expected', async (_name, query, message) => {
    const response = await api.send(`/guilds/${guild}/members${query}`, { token: api.tokens.manager });
    expect(response.status).toBe(400);
    expect((await problemIn(response)).issues).toEqual([
      expect.objectContaining({ path: expect.arrayContaining(['ids']), message: expect.stringMatching(message) }),
    ]);
  });
});

describe('Discord', () => {
  test('receives one request in five minutes for a person, also for simultaneous requests', async ({ api }) => {
    api.discord.faults.set({ kind: 'latency', ms: 20 });
    const answers = await Promise.all(Array.from({ length: 20 }, () => namesOf(api, manager, admin)));
    expect(new Set(answers.map(String))).toEqual(new Set(['Mika,admin']));
    api.discord.world.setNickname(guild, manager, 'Nell');
    api.clock.now += TTL_MS - 1;
    expect(await namesOf(api, manager)).toEqual(['Mika']);
    expect([memberCalls(api, manager), memberCalls(api, admin)]).toEqual([1, 1]);
    api.clock.now += 2;
    expect(await namesOf(api, manager)).toEqual(['Nell']);
    expect(memberCalls(api, manager)).toBe(2);
  });

  test('receives a request for the user if an author has left the guild, none for unknown ids', async ({ api }) => {
    const { world } = api.discord;
    world.setNickname(guild, admin, 'Known here as Ada');
    world.removeMember(guild, admin);
    expect(await namesOf(api, admin, manager)).toEqual(['admin', 'Mika']);
    api.discord.faults.set({ kind: 'status', status: 404 }, { path: `/users/${otherManager}` });
    world.removeMember(guild, otherManager);
    for (let turn = 0; turn < 3; turn += 1) expect(await namesOf(api, otherManager, manager)).toEqual(['Mika']);
    expect([userCalls(api, admin), userCalls(api, otherManager)]).toEqual([1, 1]);
  });

  test('receives no request for a person whose id was erased, although the name was known', async ({ api }) => {
    expect(await namesOf(api, admin)).toEqual(['admin']);
    await api.send('/users/@me/history', { method: 'DELETE', token: api.tokens.admin });
    await waitUntil(async () => (await namesOf(api, admin)).length === 0, { message: 'the erasure' });
    api.clock.now += TTL_MS + 1;
    expect(await namesOf(api, admin)).toEqual([]);
    expect(memberCalls(api, admin)).toBe(1);
  });
});

describe('a search for members', () => {
  const SEARCH = `/guilds/${guild}/members/search`;
  const search = (api: TestApi, query: string, sent: Sent = {}) =>
    api.send(`/guilds/${guild}/members?${new URLSearchParams({ query })}`, { token: api.tokens.manager, ...sent });
  const namesFound = async (api: TestApi, query: string) =>
    (await peopleIn(await search(api, query))).map(({ name }) => name);
  const searchCalls = ({ discord: { calls } }: TestApi) => calls.count({ path: SEARCH });

  test('finds members whose username or nickname begins with the text, also those who have changed nothing', async ({
    api,
  }) => {
    const { world } = api.discord;
    world.addUser({ id: plain, username: 'ravi', globalName: 'रवि', avatar: '8342729096ea3675442027381ff50dfe' });
    expect(await peopleIn(await search(api, 'RAV'))).toEqual([
      { id: plain, name: 'रवि', avatar: '8342729096ea3675442027381ff50dfe' },
    ]);
    world.setNickname(guild, manager, '&#?%/+ 🫖');
    expect(await namesFound(api, '&#?%/+ 🫖')).toEqual(['&#?%/+ 🫖']);
    expect(await namesFound(api, 'sofia')).toEqual([]);
  });

  test('returns at most 25 members, the same over tRPC and to the application', async ({ api }) => {
    const { world } = api.discord;
    for (let index = 0; index < 30; index += 1) {
      const id = String(BigInt(plain) + 1_000n + BigInt(index));
      world.addUser({ id, username: `twin${index}` });
      world.addMember(guild, id, { permissions: 0n });
    }
    const found = await peopleIn(await search(api, 'twin'));
    expect(found).toHaveLength(25);
    const trpc = await api.call('guilds.members', { guild, query: 'twin' }, { token: api.tokens.application });
    expect(await trpc.json()).toEqual({ result: { data: found } });
  });

  test.each([
    ['nothing', '', /at least 1 character/],
    ['101 characters', '🫖'.repeat(101), /at most 100 characters/],
    ['white space', ' ', /white space/],
    ['a control character', 'a\u0007', /control characters/],
  ])('for %s is 400, which says what is expected', async (_name, query, message) => {
    const response = await search(api, query);
    expect(response.status).toBe(400);
    expect((await problemIn(response)).issues).toEqual([
      expect.objectContaining({ path: ['query'], message: expect.stringMatching(message) }),
    ]);
    expect(searchCalls(api)).toBe(0);
  });

  test('is one request in 30 seconds, also for simultaneous requests of several people', async ({ api }) => {
    api.discord.faults.set({ kind: 'latency', ms: 20 });
    const { owner: ownerToken, manager: managerToken } = api.tokens;
    const senders = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? ownerToken : managerToken));
    const answers = await Promise.all(senders.map((token) => search(api, 'ravi', { token })));
    for (const answer of answers) expect(await peopleIn(answer)).toHaveLength(1);
    api.clock.now += 29_000;
    await namesFound(api, 'ravi');
    expect(searchCalls(api)).toBe(1);
    api.clock.now += 1_001;
    api.discord.world.removeMember(guild, plain);
    expect(await namesFound(api, 'ravi')).toEqual([]);
    expect(searchCalls(api)).toBe(2);
  });

  test('that Discord does not answer is 503, and of a guild that the bot is not in 404', async ({ api }) => {
    api.discord.faults.set({ kind: 'rate-limit', retryAfterSeconds: 20 }, { path: SEARCH });
    const limited = await search(api, 'a');
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([503, '20']);
    expect((await problemIn(limited)).detail).toContain('The members');
    api.discord.faults.clear();
    api.clock.now += 20_000;
    api.discord.world.removeBotFromGuild(guild);
    const absent = await search(api, 'a');
    expect(absent.status).toBe(404);
    expect(await problemIn(absent)).toMatchObject({ type: '/problems/bot-absent' });
  });
});
