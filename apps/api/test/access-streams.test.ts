import { startTestPostgres, waitUntil } from '@guild-settings/testing';
import {
  type AccessWorld,
  BOT_TOKEN,
  LET_IN,
  LIST,
  startAccess,
  startApi,
  type TestApi,
} from '@guild-settings/testing/api';
import { IDS } from '@guild-settings/testing/people';
import { fixture, migratedDatabase } from '@guild-settings/testing/stores';
import { type Followed, follow, ofType, openWatch, type RawWatch, typesOf } from '@guild-settings/testing/streams';
import { afterAll, afterEach, describe, expect, test as plainTest } from 'vitest';

const test = plainTest.extend<{ world: AccessWorld }>({
  world: fixture(() => startAccess('bot', {}, { idleMs: 100 })),
});

const { guild } = IDS;
const VIEWER = { subject: `user:${LET_IN.viewerByUser}`, level: 'viewer' } as const;

const open: (Followed | RawWatch)[] = [];
afterEach(() => {
  for (const stream of open.splice(0)) stream.close();
});

async function followed(api: TestApi, token: string, lastEventId?: string): Promise<Followed> {
  const stream = await follow(api, { token, lastEventId });
  open.push(stream);
  if (lastEventId === undefined) await waitUntil(() => typesOf(stream).includes('guild'));
  return stream;
}

describe('a change of the access list', () => {
  test('is told to open pages with its author, and the record stays as it is', async ({ world }) => {
    const stream = await followed(world.api, world.tokens.manager);
    await world.setAccess([VIEWER], { headers: { 'x-audit-log-reason': 'Olga' } });
    await waitUntil(() => ofType(stream, 'access').length === 1);
    expect(ofType(stream, 'access')).toEqual([
      {
        type: 'access',
        revision: 1,
        at: expect.any(String),
        actor: { kind: 'user', id: IDS.manager },
        origin: 'rest',
        reason: 'Olga',
        changes: { access: { from: [], to: [VIEWER] } },
      },
    ]);
    await world.api.patch(guild, { beta: true });
    await waitUntil(() => ofType(stream, 'changed').length === 1);
    expect(typesOf(stream).filter((type) => type === 'guild')).toHaveLength(1);
  });

  test('that was missed is told to a page that resumes', async ({ world }) => {
    const first = await followed(world.api, world.tokens.manager);
    first.close();
    await world.api.patch(guild, { beta: true });
    await world.setAccess([VIEWER]);
    await world.api.patch(guild, { beta: false });
    const resumed = await followed(world.api, world.tokens.manager, first.ids.at(-1));
    await waitUntil(() => ofType(resumed, 'changed').length === 2);
    expect(typesOf(resumed).filter((type) => type !== 'arrival' && type !== 'heartbeat')).toEqual([
      'changed',
      'access',
      'changed',
    ]);
  });

  test('ends the stream of whom it no longer lets in, and tells them nothing of it', async ({ world }) => {
    await world.setAccess(LIST);
    const streams = await Promise.all(
      [world.tokens.viewerByUser, world.tokens.editorByRole].map((token) => followed(world.api, token)),
    );
    const manager = await followed(world.api, world.tokens.manager);
    await world.setAccess([]);
    for (const stream of streams) {
      await stream.ended;
      expect(stream.events.at(-1)).toEqual({ type: 'ended', reason: 'permission-lost' });
      expect(typesOf(stream)).not.toContain('access');
    }
    await waitUntil(() => ofType(manager, 'access').length === 1);
    expect(typesOf(manager)).not.toContain('ended');
  });

  test('by an erasure of the guild ends the stream of whom it let in', async ({ world }) => {
    const { api } = world;
    await world.setAccess([VIEWER]);
    const stream = await followed(api, world.tokens.viewerByUser);
    const erasure = { method: 'DELETE', token: api.tokens.owner, headers: { 'if-match': '*' } };
    expect((await api.send(`/guilds/${guild}`, erasure)).status).toBe(204);
    await stream.ended;
    expect(stream.events.at(-1)).toEqual({ type: 'ended', reason: 'permission-lost' });
  });

  test('that leaves an editor as a viewer is told to them, and the stream goes on', async ({ world }) => {
    await world.setAccess([{ ...VIEWER, level: 'editor' }]);
    const stream = await followed(world.api, world.tokens.viewerByUser);
    await world.setAccess([VIEWER]);
    await waitUntil(() => ofType(stream, 'access').length === 1);
    await world.api.patch(guild, { beta: true });
    await waitUntil(() => ofType(stream, 'changed').length === 1);
  });

  test('is a bookmark for bots, after which they resume, and no event', async ({ world }) => {
    const { api } = world;
    const bot = await openWatch(api.url, api.tokens.application);
    open.push(bot);
    await waitUntil(() => bot.events.at(-1)?.type === 'live');
    await world.setAccess(LIST);
    await api.patch(guild, { beta: true });
    await waitUntil(() => bot.events.at(-1)?.type === 'guild');
    expect(bot.events.at(-1)).toMatchObject({ revision: 2 });
    await world.setAccess([]);
    api.clock.now += 1_000;
    await waitUntil(() => bot.events.at(-1)?.type === 'bookmark');
    expect(bot.events.at(-1)).toMatchObject({ revision: 3 });
    expect(bot.events.map(({ type }) => type)).not.toContain('access');
  });
});

describe('two processes on one PostgreSQL', async () => {
  const server = await startTestPostgres();
  afterAll(() => server[Symbol.asyncDispose]());

  plainTest('a removal by one of them ends the streams of the other, and is told to its managers', async () => {
    const DATABASE_URL = await migratedDatabase(server);
    await using world = await startAccess('bot', { DATABASE_URL });
    await using other = await startApi({
      DATABASE_URL,
      DISCORD_API_URL: world.api.discord.apiUrl,
      DISCORD_BOT_TOKEN: BOT_TOKEN,
    });
    await world.setAccess(LIST);
    const [viewer, manager] = [
      await followed(other, world.tokens.viewerByRole),
      await followed(other, world.tokens.manager),
    ];
    await world.setAccess(LIST.slice(0, 2));
    await viewer.ended;
    expect(viewer.events.at(-1)).toEqual({ type: 'ended', reason: 'permission-lost' });
    await waitUntil(() => ofType(manager, 'access').length === 1);
  });
});
