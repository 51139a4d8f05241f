import { waitUntil } from '@guild-settings/testing';
import { settingsFile, startApi, type TestApi, test } from '@guild-settings/testing/api';
import { IDS } from '@guild-settings/testing/people';
import {
  type Followed,
  follow as followGuild,
  ofType,
  openTestWatcher,
  openWatch,
  type RawWatch,
  typesOf,
} from '@guild-settings/testing/streams';
import { afterEach, describe, expect } from 'vitest';
import { openApiDocument } from '../src/openapi/document.ts';

const { guild } = IDS;

const open: (Followed | RawWatch)[] = [];
afterEach(() => {
  for (const stream of open.splice(0)) stream.close();
});

const follow: typeof followGuild = async (api, options) => {
  const stream = await followGuild(api, options);
  open.push(stream);
  return stream;
};

/** Headers of every response that the document does not list, and those of the connection. */
const UNLISTED = [
  'connection',
  'content-security-policy',
  'content-type',
  'date',
  'keep-alive',
  'transfer-encoding',
  'x-content-type-options',
];

describe('the events of one guild', () => {
  test('have the headers that the document lists, also the one for nginx to pass events on', async ({ api }) => {
    const { response } = await follow(api);
    expect(response.headers.get('x-accel-buffering')).toBe('no');
    const listed = openApiDocument().paths?.['/guilds/{guild}/events']?.get?.responses?.[200]?.headers ?? {};
    const names = [...response.headers.keys()].filter((name) => !UNLISTED.includes(name));
    expect(Object.keys(listed).map((name) => name.toLowerCase())).toEqual(expect.arrayContaining(names));
  });

  test('begin with the record, and whether it is in use', async ({ api }) => {
    await api.patch(guild, { prefix: '?' });
    const stream = await follow(api);
    await waitUntil(() => stream.events.length >= 2);
    expect(stream.response.headers.get('content-type')).toBe('text/event-stream');
    expect(stream.events).toEqual([
      { type: 'guild', revision: 1, guild: expect.objectContaining({ id: guild, prefix: '?' }) },
      { type: 'arrival', revision: 1, state: 'away', latencyMs: null },
    ]);
  });

  test('describe each change with its fields, author, origin and reason, and the record after it', async ({ api }) => {
    const stream = await follow(api);
    await waitUntil(() => stream.events.length >= 2);
    const headers = { 'x-audit-log-reason': 'requested' };
    await api.patch(guild, { prefix: '?', beta: true }, { headers });
    await api.patch(guild, { beta: false });
    await waitUntil(() => ofType(stream, 'changed').length === 2);
    const [first, second] = ofType(stream, 'changed');
    expect(first).toEqual({
      type: 'changed',
      revision: 1,
      at: expect.any(String),
      actor: { kind: 'user', id: IDS.manager },
      origin: 'rest',
      reason: 'requested',
      changes: { prefix: { from: '!', to: '?' }, beta: { from: false, to: true } },
      guild: expect.objectContaining({ prefix: '?', beta: true }),
    });
    expect(second).toMatchObject({ revision: 2, changes: { beta: { from: true, to: false } }, guild: { beta: false } });
  });

  test('begin with the record where they cannot resume', async ({ api }) => {
    await api.patch(guild, { prefix: '?' });
    const stream = await follow(api, { lastEventId: 'of-another-database:77' });
    await waitUntil(() => stream.events.length >= 2);
    expect(stream.events[0]).toMatchObject({ type: 'guild', guild: { prefix: '?' } });
  });

  test('describe an erasure, and the changes after it', async ({ api }) => {
    await api.patch(guild, { prefix: '?' });
    const stream = await follow(api);
    await waitUntil(() => stream.events.length >= 2);
    const headers = { 'if-match': '*' };
    await api.send(`/guilds/${guild}`, { method: 'DELETE', token: api.tokens.owner, headers });
    await waitUntil(() => ofType(stream, 'erased').length === 1);
    await api.patch(guild, { beta: true });
    await waitUntil(() => ofType(stream, 'changed').length === 1);
    expect(ofType(stream, 'changed')[0]?.guild).toMatchObject({ prefix: '!', beta: true });
    expect(ofType(stream, 'erased')).toHaveLength(1);
  });

  test('say that the bot was removed and added', async ({ api }) => {
    const report = (body: object) =>
      api.send('/trpc/presence.report', { method: 'POST', token: api.tokens.application, body });
    const present = { type: 'present', guild: { id: guild, name: 'Discord Testers', icon: null } };
    await report(present);
    const stream = await follow(api);
    await waitUntil(() => stream.events.length >= 2);
    await report({ type: 'left', guild });
    await report(present);
    await waitUntil(() => ofType(stream, 'presence').length === 2);
    expect(ofType(stream, 'presence').map(({ presence }) => presence)).toEqual(['left', 'present']);
  });

  test('say when a change is in use', async ({ api }) => {
    const watcher = { id: 'watcher-1', name: 'bot', shards: [{ id: 0, count: 1 }] };
    const bot = await openWatch(api.url, api.tokens.application, { watcher });
    open.push(bot);
    await waitUntil(() => bot.events.at(-1)?.type === 'live');
    const stream = await follow(api);
    await waitUntil(() => stream.events.length >= 2);
    await api.patch(guild, { prefix: '?' });
    await waitUntil(() =>
      ofType(stream, 'arrival').some(({ state, revision }) => state === 'pending' && revision === 1),
    );
    api.clock.now += 7;
    const [epoch = '', revision = ''] = bot.ids.at(-1)?.split(':') ?? [];
    const { shards, ...identity } = watcher;
    const body = { watcher: identity, shards, cursor: { epoch, revision: Number(revision) } };
    await api.send('/trpc/guilds.acknowledge', { method: 'POST', token: api.tokens.application, body });
    await waitUntil(() => ofType(stream, 'arrival').at(-1)?.state === 'live');
    expect(ofType(stream, 'arrival').at(-1)).toEqual({ type: 'arrival', revision: 1, state: 'live', latencyMs: 7 });
  });

  test('say that a change is no longer in use everywhere when a process connects that does not have it', async () => {
    await using api = await startApi({}, { idleMs: 200 });
    await api.patch(guild, { prefix: '?' });
    const bot = await openTestWatcher(api);
    open.push(bot);
    await bot.acknowledge();
    const stream = await follow(api);
    await waitUntil(() => ofType(stream, 'arrival').at(-1)?.state === 'live');
    open.push(await openTestWatcher(api));
    await waitUntil(() => ofType(stream, 'arrival').at(-1)?.state === 'pending', { timeoutMs: 60_000 });
  });

  test('say when a change is live without a process that is gone, for which requests do not wait any more', async () => {
    await using api = await startApi({}, { idleMs: 200 });
    const [bot, gone] = [await openTestWatcher(api), await openTestWatcher(api)];
    open.push(bot);
    gone.close();
    await waitUntil(async () => (await (await api.send('/metrics')).text()).includes('watchers{state="away"} 1'));
    await api.patch(guild, { prefix: '?' });
    await waitUntil(() => bot.events.at(-1)?.type === 'guild');
    await bot.acknowledge();
    await api.patch(guild, { prefix: '?' }, { headers: { prefer: 'wait=1' } });
    const stream = await follow(api);
    const expected = { type: 'arrival', revision: 1, processes: 1, away: 1 };
    await waitUntil(() => ofType(stream, 'arrival').length === 1);
    expect(ofType(stream, 'arrival')).toEqual([{ ...expected, state: 'away', latencyMs: null }]);
    api.clock.now += 20_000;
    await waitUntil(() => ofType(stream, 'arrival').length === 2);
    expect(ofType(stream, 'arrival')[1]).toEqual({ ...expected, state: 'live', latencyMs: 0 });
  });

  test('wait for the arrival of the newest change alone, however many there were', async ({ api }) => {
    const warnings: Error[] = [];
    const onWarning = (warning: Error) => void warnings.push(warning);
    process.on('warning', onWarning);
    const watcher = { id: 'watcher-a', name: 'bot', shards: [{ id: 0, count: 1 }] };
    open.push(await openWatch(api.url, api.tokens.application, { watcher }));
    const { events } = await follow(api);
    for (let change = 1; change <= 20; change += 1) {
      await api.patch(guild, { prefix: String(change) });
      await waitUntil(() => events.some((event) => event.type === 'arrival' && event.revision === change));
    }
    process.off('warning', onWarning);
    expect(warnings.map(String)).toEqual([]);
  });

  test('have a heartbeat when there was no other event for a time', async () => {
    await using api = await startApi({}, { idleMs: 50 });
    const stream = await follow(api);
    await waitUntil(() => stream.events.length >= 2);
    await waitUntil(() => ofType(stream, 'heartbeat').length === 1);
    expect(stream.ids.at(-1)).toBe(stream.ids[0]);
  });

  test('have heartbeats also while Discord does not respond, and tokens are checked every second', async () => {
    const clock = { nowMs: Date.now, monotonicMs: () => performance.now() };
    await using api = await startApi({ AUTH_CACHE_TTL: '1' }, { clock, idleMs: 500 });
    const stream = await follow(api);
    await waitUntil(() => stream.events.length >= 2);
    api.discord.faults.set({ kind: 'hang' });
    const before = ofType(stream, 'heartbeat').length;
    await waitUntil(() => ofType(stream, 'heartbeat').length > before + 2);
    expect(new Set(typesOf(stream).slice(2))).toEqual(new Set(['heartbeat']));
    api.discord.faults.clear();
    await waitUntil(async () => (await api.patch(guild, { prefix: '?' })).status === 200);
    await waitUntil(() => ofType(stream, 'changed').length === 1);
  });

  test('resume after a heartbeat, without what was before it', async () => {
    await using api = await startApi({}, { idleMs: 100 });
    const first = await follow(api);
    await waitUntil(() => first.events.length >= 2);
    await api.patch(IDS.otherGuild, { prefix: '?' });
    api.clock.now += 100;
    await waitUntil(() => first.ids.at(-1) !== first.ids[0]);
    expect(typesOf(first).at(-1)).toBe('heartbeat');
    first.close();
    await api.patch(guild, { prefix: '?' });
    const second = await follow(api, { lastEventId: first.ids.at(-1) });
    await waitUntil(() => second.events.length >= 1);
    expect(second.events[0]).toMatchObject({ type: 'changed', revision: 2 });
  });
});

describe('where settings are declared, the events of one guild', () => {
  const setting = (fallback: number) => ({
    settings: { xpRate: { kind: 'integer', min: 0, max: 100, default: fallback, label: { 'en-US': 'Rate' } } } as const,
  });
  const tagOf = async (api: TestApi) => ((await (await api.send('/settings')).json()) as { tag: string }).tag;

  test('begin with the declaration, whose id leads to the record again', async () => {
    using file = settingsFile(setting(5));
    await using api = await startApi({ SETTINGS_FILE: file.path });
    const stream = await follow(api);
    await waitUntil(() => stream.events.length >= 3);
    expect(stream.events).toEqual([
      { type: 'declaration', tag: await tagOf(api) },
      { type: 'guild', revision: 0, guild: expect.objectContaining({ custom: { xpRate: 5 } }) },
      { type: 'arrival', revision: 0, state: 'away', latencyMs: null },
    ]);
    const again = await follow(api, { lastEventId: stream.ids[0] });
    await waitUntil(() => again.events.length >= 3);
    expect(typesOf(again)).toEqual(typesOf(stream));
  });

  test('begin with the declaration also where they resume, and its id is the one that the client sent', async () => {
    using file = settingsFile(setting(5));
    await using api = await startApi({ SETTINGS_FILE: file.path });
    const first = await follow(api);
    await waitUntil(() => typesOf(first).includes('guild'));
    const lastEventId = first.ids[typesOf(first).indexOf('guild')];
    await api.patch(guild, { custom: { xpRate: 7 } });
    file.write(setting(6));
    await api.restart();
    const second = await follow(api, { lastEventId });
    await waitUntil(() => second.events.length >= 2);
    expect(second.events.slice(0, 2)).toEqual([
      { type: 'declaration', tag: await tagOf(api) },
      expect.objectContaining({ type: 'changed', changes: { 'custom.xpRate': { from: 5, to: 7 } } }),
    ]);
    expect(second.events[0]).not.toEqual(first.events[0]);
    expect(second.ids[0]).toBe(lastEventId);
  });
});

describe('the permission to follow a guild', () => {
  test.each([
    ['without a token', undefined, 401, '/problems/not-authenticated'],
    ['of a member', 'plain', 403, '/problems/not-guild-manager'],
  ] as const)('a request %s is refused with a status', async (_what, token, status, type) => {
    await using api = await startApi();
    const headers = token === undefined ? {} : { authorization: `Bearer ${api.tokens[token]}` };
    const response = await fetch(`${api.url}/guilds/${guild}/events`, { headers });
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(await response.json()).toMatchObject({ type });
  });

  test('the stream ends when the permission is gone, at the next check of the token', async () => {
    await using api = await startApi({ AUTH_CACHE_TTL: '60' }, { idleMs: 500 });
    const stream = await follow(api);
    await waitUntil(() => stream.events.length >= 2);
    api.discord.world.addMember(guild, IDS.manager, { permissions: 0n });
    api.clock.now += 61_000;
    await api.patch(IDS.otherGuild, { prefix: '?' }, { token: api.tokens.owner });
    await stream.ended;
    expect(stream.events.at(-1)).toEqual({ type: 'ended', reason: 'permission-lost' });
    await api.patch(guild, { prefix: '?' }, { token: api.tokens.owner });
    expect(typesOf(stream)).not.toContain('changed');
  });

  test('the stream ends when the token was revoked', async () => {
    await using api = await startApi({ AUTH_CACHE_TTL: '60' }, { idleMs: 500 });
    const stream = await follow(api);
    await waitUntil(() => stream.events.length >= 2);
    api.discord.world.revokeToken(api.tokens.manager);
    api.clock.now += 61_000;
    await api.patch(IDS.otherGuild, { prefix: '?' }, { token: api.tokens.owner });
    await stream.ended;
    expect(stream.events.at(-1)).toEqual({ type: 'ended', reason: 'token-expired' });
  });

  test('the stream goes on while the permission is there', async () => {
    await using api = await startApi({ AUTH_CACHE_TTL: '60' });
    const stream = await follow(api);
    await waitUntil(() => stream.events.length >= 2);
    for (const prefix of ['1', '2', '3']) {
      api.clock.now += 61_000;
      await api.patch(guild, { prefix }, { token: api.tokens.owner });
      await waitUntil(() => ofType(stream, 'changed').at(-1)?.guild.prefix === prefix);
    }
    expect(typesOf(stream)).not.toContain('ended');
  });

  test('a stop of the service is the end', async ({ api }) => {
    const stream = await follow(api);
    await waitUntil(() => stream.events.length >= 2);
    await api.app.close();
    await stream.ended;
    expect(stream.events.at(-1)).toEqual({ type: 'ended', reason: 'shutdown' });
  });

  test('a person has five streams at most, and another person is not affected', async ({ api }) => {
    const streams = [];
    for (let count = 0; count < 5; count += 1) streams.push(await follow(api));
    const sixth = await follow(api);
    expect([sixth.response.status, sixth.response.headers.get('retry-after')]).toEqual([429, '60']);
    expect((await follow(api, { token: api.tokens.owner })).response.status).toBe(200);
    streams[0]?.close();
    await waitUntil(async () => (await follow(api)).response.status === 200);
  });
});
