import type { GuildChannels } from '@guild-settings/contract';
import { test as apiTest, problemIn, startApi, type TestApi } from '@guild-settings/testing/api';
import { IDS } from '@guild-settings/testing/people';
import { fixture } from '@guild-settings/testing/stores';
import { describe, expect } from 'vitest';

const { guild } = IDS;
const BOT_TOKEN = 'bot-token-of-the-tests-000000001';
const [VIEW_CHANNEL, SEND_MESSAGES_IN_THREADS] = [1n << 10n, 1n << 38n];

const GENERAL = '197038439483310101';
const STAFF = '197038439483310102';
const QUIET = '197038439483310103';
const RELEASE = '197038439483310111';
const SECRET = '197038439483310112';
const CALM = '197038439483310113';
const ELSEWHERE = '197038439483310114';
const DELETED = '197038439483310199';

const test = apiTest.extend<{ api: TestApi }>({
  api: fixture(async () => {
    const api = await startApi({ DISCORD_BOT_TOKEN: BOT_TOKEN });
    const { world } = api.discord;
    world.addBot({ applicationId: IDS.application, token: BOT_TOKEN });
    world.addBotToGuild(guild);
    const other = '300000000000000000';
    world.addGuild({ id: other, name: 'Other', ownerId: IDS.owner });
    world.addBotToGuild(other);
    const channel = (id: string, name: string, more: object = {}) =>
      world.addChannel({ id, guildId: guild, name, ...more });
    channel(GENERAL, 'general');
    channel(STAFF, 'staff', {
      permissions: { '@everyone': { deny: VIEW_CHANNEL }, [IDS.application]: { allow: VIEW_CHANNEL } },
    });
    channel(QUIET, 'quiet', { permissions: { [IDS.application]: { deny: SEND_MESSAGES_IN_THREADS } } });
    channel(RELEASE, 'release 2', { type: 'thread', parentId: GENERAL });
    channel(SECRET, 'secret', { type: 'thread', parentId: STAFF });
    channel(CALM, 'calm', { type: 'thread', parentId: QUIET });
    world.addChannel({ id: '300000000000000001', guildId: other, name: 'general' });
    world.addChannel({
      id: ELSEWHERE,
      guildId: other,
      name: 'elsewhere',
      type: 'thread',
      parentId: '300000000000000001',
    });
    return api;
  }),
});

const ALL = [RELEASE, SECRET, CALM, ELSEWHERE, DELETED];
const send = (api: TestApi, ids: readonly string[] = ALL, token = api.tokens.owner) =>
  api.send(`/guilds/${guild}/channels?threads=${ids.join()}`, { token });
const threadsIn = async (response: Response) => {
  expect(response.status).toBe(200);
  return ((await response.json()) as GuildChannels).filter(({ type }) => type === 11);
};

describe('threads of a guild', () => {
  test('are listed after the channels when their ids are given, with what the bot lacks in them', async ({ api }) => {
    const listed = (await (await send(api)).json()) as GuildChannels;
    expect(listed.map(({ name }) => name)).toEqual(['general', 'staff', 'quiet', 'release 2', 'secret', 'calm']);
    expect(listed.at(-3)).toEqual({
      id: RELEASE,
      type: 11,
      name: 'release 2',
      position: 0,
      parent_id: GENERAL,
      botCanPost: true,
      missing: [],
      botPermissions: expect.stringMatching(/^[1-9]\d+$/),
    });
    expect(listed.at(-1)).toMatchObject({ botCanPost: false, missing: ['SEND_MESSAGES_IN_THREADS'] });
  });

  test('are not listed for a caller who does not see their channel', async ({ api }) => {
    const seen = await threadsIn(await send(api, ALL, api.tokens.manager));
    expect(seen.map(({ name }) => name)).toEqual(['release 2', 'calm']);
  });

  test('cost a request each, and one that does not exist is not asked for again for ten minutes', async ({ api }) => {
    const asked = (id: string) => api.discord.calls.count({ path: `/channels/${id}` });
    await send(api);
    await send(api, [...ALL, GENERAL]);
    expect([...ALL, GENERAL].map(asked)).toEqual([1, 1, 1, 1, 1, 0]);
    api.clock.now += 60_000;
    await send(api);
    expect(ALL.map(asked)).toEqual([2, 2, 2, 2, 1]);
    api.clock.now += 600_000;
    await send(api);
    expect(asked(DELETED)).toBe(2);
  });

  test('are at most ten in one request, and ids', async ({ api }) => {
    const many = Array.from({ length: 11 }, (_, index) => `${300_000_000_000_000_000n + BigInt(index)}`);
    for (const [ids, text] of [
      [many, 'at most 10'],
      [['general'], 'Discord id'],
    ] as const) {
      const response = await send(api, ids);
      expect(response.status).toBe(400);
      expect(JSON.stringify(await problemIn(response))).toContain(text);
    }
  });

  test('that Discord fails to show are 503', async ({ api }) => {
    api.discord.faults.set({ kind: 'status', status: 500 }, { path: `/channels/${RELEASE}` });
    const response = await send(api, [RELEASE]);
    expect(response.status).toBe(503);
    expect(await problemIn(response)).toMatchObject({ type: '/problems/discord-unavailable' });
  });
});
