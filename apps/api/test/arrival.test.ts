import { Arrival, parseCursor } from '@guild-settings/contract';
import { waitUntil } from '@guild-settings/testing';
import { test as apiTest, revisionIn, startApi, type TestApi } from '@guild-settings/testing/api';
import { IDS } from '@guild-settings/testing/people';
import { openTestWatcher, openWatch, type RawWatch, type TestWatcher } from '@guild-settings/testing/streams';
import Database from 'better-sqlite3';
import { afterEach, describe, expect } from 'vitest';

const { guild } = IDS;

const open: RawWatch[] = [];

afterEach(() => {
  for (const watch of open.splice(0)) watch.close();
});

async function startWatcher(...given: Parameters<typeof openTestWatcher>): Promise<TestWatcher> {
  const watcher = await openTestWatcher(...given);
  open.push(watcher);
  return watcher;
}

const test = apiTest.extend<{ bot: TestWatcher }>({
  bot: async ({ api }, use) => use(await startWatcher(api)),
});

async function arrivalOf(api: TestApi, query = ''): Promise<Arrival> {
  const response = await api.send(`/guilds/${guild}/arrival${query}`, { token: api.tokens.manager });
  return Arrival.parse(await response.json());
}

async function revisionAfter(api: TestApi, prefix: string): Promise<number> {
  const response = await api.patch(guild, { prefix });
  return revisionIn(response);
}

const received = (watcher: TestWatcher, revision: number) =>
  waitUntil(() => watcher.events.some((event) => 'revision' in event && event.revision >= revision));

/** Returns the arrival of a change that waits for ten seconds, and is answered before they are over. */
async function arrivalBeforeEnd(answer: Promise<Response>): Promise<string | null> {
  let response: Response | undefined;
  answer.then(
    (one) => {
      response = one;
    },
    () => {},
  );
  await waitUntil(() => response !== undefined, { timeoutMs: 8_000 });
  return (await answer).headers.get('arrival');
}

async function changeReceivedBy(watcher: TestWatcher, api: TestApi): Promise<number> {
  const revision = await revisionAfter(api, '?');
  await received(watcher, revision);
  return revision;
}

describe('where a change is in use', () => {
  test('a change is pending until the watcher has acknowledged it, and live from then on', async ({ api }) => {
    const bot = await startWatcher(api, { name: 'bot-1, shards 0-3' });
    await bot.acknowledge();
    const revision = await changeReceivedBy(bot, api);
    expect(await arrivalOf(api)).toMatchObject({
      revision,
      state: 'pending',
      latencyMs: null,
      watchers: [{ name: 'bot-1, shards 0-3', shard: { id: 0, count: 1 }, revision: revision - 1, state: 'pending' }],
    });
    api.clock.now += 12;
    const receipt = await bot.acknowledge();
    expect(await receipt.json()).toEqual({ result: { data: { latencyMs: 12 } } });
    const since = new Date(api.clock.now).toISOString();
    const watcher = { name: 'bot-1, shards 0-3', shard: { id: 0, count: 1 }, revision, state: 'live', since };
    expect(await arrivalOf(api)).toEqual({ revision, state: 'live', latencyMs: 12, watchers: [watcher] });
  });

  test('the latency is sent in whole milliseconds: the clock has parts of them', async () => {
    const clock = { nowMs: Date.now, monotonicMs: () => nowMs };
    let nowMs = 1_000.125;
    await using api = await startApi({}, { clock });
    const bot = await startWatcher(api);
    await bot.acknowledge();
    const revision = await changeReceivedBy(bot, api);
    nowMs += 12.625;
    expect(await (await bot.acknowledge()).json()).toEqual({ result: { data: { latencyMs: 13 } } });
    expect(await arrivalOf(api)).toMatchObject({ revision, state: 'live', latencyMs: 13 });
  });

  test('a watch that is not registered is not waited for', async ({ api, bot }) => {
    const other = await openWatch(api.url, api.tokens.application);
    open.push(other);
    await changeReceivedBy(bot, api);
    await bot.acknowledge();
    expect(await arrivalOf(api)).toMatchObject({ state: 'live', watchers: [{ name: bot.watcher.name }] });
  });

  test('a registration says what the watcher has already', async ({ api }) => {
    const revision = await revisionAfter(api, '?');
    const behind = await startWatcher(api);
    expect(await arrivalOf(api)).toMatchObject({ revision, state: 'pending', watchers: [{ revision: 0 }] });
    behind.close();
    const cursor = parseCursor(behind.ids.at(-1) ?? '');
    await startWatcher(api, { ...behind.watcher, ...(cursor && { cursor }) });
    expect(await arrivalOf(api)).toMatchObject({ revision, state: 'live', watchers: [{ revision }] });
  });

  test('a watcher whose file lost its newest changes is behind again when it connects', async ({ api, bot }) => {
    const older = parseCursor(bot.ids.at(-1) ?? '');
    await changeReceivedBy(bot, api);
    await bot.acknowledge();
    bot.close();
    await waitUntil(async () => (await metricsOf(api)).includes('guild_settings_watchers{state="connected"} 0'));
    await startWatcher(api, { ...bot.watcher, ...(older && { cursor: older }) });
    expect(await arrivalOf(api)).toMatchObject({ state: 'pending', watchers: [{ revision: older?.revision }] });
  });

  test('a watcher whose file lost changes is behind again beside its old connection, if open', async ({ api, bot }) => {
    const older = parseCursor(bot.ids.at(-1) ?? '');
    const revision = await changeReceivedBy(bot, api);
    await bot.acknowledge();
    const restarted = await startWatcher(api, { ...bot.watcher, ...(older && { cursor: older }) });
    expect(await arrivalOf(api)).toMatchObject({ state: 'pending', watchers: [{ revision: older?.revision }] });
    bot.close();
    await received(restarted, revision);
    await restarted.acknowledge();
    expect(await arrivalOf(api)).toMatchObject({ state: 'live', watchers: [{ revision }] });
  });

  test('only the watchers of the guild’s shards count, whatever shard count each has', async ({ api }) => {
    const shardOf = (count: number) => Number((BigInt(guild) >> 22n) % BigInt(count));
    const ours = { id: shardOf(16), count: 16 };
    await startWatcher(api, { name: 'ours', shards: [ours, { id: (ours.id + 1) % 16, count: 16 }] });
    await startWatcher(api, { name: 'another shard', shards: [{ id: (ours.id + 1) % 16, count: 16 }] });
    await startWatcher(api, { name: 'another count', shards: [{ id: shardOf(3), count: 3 }] });
    const { watchers } = await arrivalOf(api);
    const found = watchers.map(({ name, shard }) => [name, shard]);
    expect(found).toEqual([
      ['ours', ours],
      ['another count', { id: shardOf(3), count: 3 }],
    ]);
  });

  test('is never live while one of several watchers is behind', async ({ api }) => {
    const [first, second] = [await startWatcher(api), await startWatcher(api)];
    const revision = await revisionAfter(api, '?');
    await received(first, revision);
    await first.acknowledge();
    const { state, watchers } = await arrivalOf(api);
    expect(state).toBe('pending');
    expect(watchers.map(({ name, state: one }) => [name, one])).toEqual([
      [second.watcher.name, 'pending'],
      [first.watcher.name, 'live'],
    ]);
    api.clock.now += 40;
    await received(second, revision);
    await second.acknowledge();
    expect(await arrivalOf(api)).toMatchObject({ state: 'live', latencyMs: 40 });
    expect(await metricsOf(api)).toContain('guild_settings_arrival_seconds_sum 0.04');
  });

  test('an older acknowledgement than the last changes nothing', async ({ api, bot }) => {
    const older = parseCursor(bot.ids.at(-1) ?? '');
    const revision = await changeReceivedBy(bot, api);
    await bot.acknowledge();
    await bot.acknowledge(older && { cursor: older });
    expect(await arrivalOf(api)).toMatchObject({ state: 'live', watchers: [{ revision }] });
  });

  test('an acknowledgement of another history counts for nothing', async ({ api, bot }) => {
    await revisionAfter(api, '?');
    const response = await bot.acknowledge({ cursor: { epoch: 'of another database', revision: 1_000 } });
    expect(await response.json()).toEqual({ result: { data: { latencyMs: null } } });
    expect(await arrivalOf(api)).toMatchObject({ state: 'pending', watchers: [{ revision: 0 }] });
  });

  test('what was never committed cannot be acknowledged, nor registered with', async ({ api, bot }) => {
    await revisionAfter(api, '?');
    const { epoch = '' } = parseCursor(bot.ids.at(-1) ?? '') ?? {};
    const future = { epoch, revision: 1_000_000 };
    const response = await bot.acknowledge({ cursor: future });
    expect(await response.json()).toEqual({ result: { data: { latencyMs: null } } });
    expect(await arrivalOf(api)).toMatchObject({ state: 'pending', watchers: [{ revision: 0 }] });
    await startWatcher(api, { ...bot.watcher, cursor: future });
    expect(await arrivalOf(api)).toMatchObject({ state: 'pending', watchers: [{ revision: 0 }] });
    const { headers } = await api.patch(guild, { prefix: '!!' }, { headers: { prefer: 'wait=1' } });
    expect(headers.get('arrival')).toBe('pending');
  });

  test('a rejected revision that was never committed rejects no later change', async ({ api, bot }) => {
    await revisionAfter(api, '?');
    await waitUntil(() => bot.events.at(-1)?.type === 'guild');
    await bot.acknowledge({ rejected: [{ guild, revision: 1_000_000, reason: 'x' }] });
    expect((await arrivalOf(api)).state).toBe('rejected');
    await revisionAfter(api, '!!');
    expect((await arrivalOf(api)).state).toBe('pending');
  });

  test('a watcher that is gone is away with its time, for an hour', async ({ api, bot }) => {
    await bot.acknowledge();
    const leftAt = api.clock.now;
    bot.close();
    await waitUntil(async () => (await metricsOf(api)).includes('guild_settings_watchers{state="away"} 1'));
    api.clock.now += 1_000;
    const revision = await revisionAfter(api, '?');
    const since = new Date(leftAt).toISOString();
    expect(await arrivalOf(api)).toMatchObject({ revision, state: 'away', watchers: [{ state: 'away', since }] });
    api.clock.now += 3_590_000;
    expect((await arrivalOf(api)).watchers).toHaveLength(1);
    api.clock.now += 20_000;
    expect(await arrivalOf(api)).toEqual({ revision, state: 'away', latencyMs: null, watchers: [] });
  });

  test('is rejected before it is pending, pending before it is away, and away before it is live', async ({
    api,
    bot,
  }) => {
    const gone = await startWatcher(api, { name: 'gone' });
    gone.close();
    await waitUntil(async () => (await metricsOf(api)).includes('guild_settings_watchers{state="away"} 1'));
    const revision = await changeReceivedBy(bot, api);
    const states = async () => {
      const { state, watchers } = await arrivalOf(api);
      return [state, ...watchers.map((watcher) => watcher.state)];
    };
    expect(await states()).toEqual(['pending', 'pending', 'away']);
    await bot.acknowledge();
    expect(await states()).toEqual(['away', 'away', 'live']);
    await bot.acknowledge({ rejected: [{ guild, revision, reason: 'x' }] });
    expect(await states()).toEqual(['rejected', 'rejected', 'away']);
  });

  test('a restart of the service forgets no watcher', async ({ api, bot }) => {
    const gone = await startWatcher(api, { name: 'gone' });
    gone.close();
    await changeReceivedBy(bot, api);
    await bot.acknowledge();
    await api.restart();
    expect(await arrivalOf(api)).toMatchObject({
      state: 'away',
      watchers: [
        { name: bot.watcher.name, state: 'away' },
        { name: 'gone', state: 'away' },
      ],
    });
  });

  test('a rejected change is named until a newer one is acknowledged', async ({ api, bot }) => {
    const revision = await changeReceivedBy(bot, api);
    await bot.acknowledge({ rejected: [{ guild, revision, reason: 'prefix: expected a string' }] });
    expect(await arrivalOf(api)).toMatchObject({ state: 'rejected', watchers: [{ state: 'rejected', revision }] });
    const next = await revisionAfter(api, '!!');
    await received(bot, next);
    await bot.acknowledge();
    expect(await arrivalOf(api)).toMatchObject({ revision: next, state: 'live' });
  });

  test('a rejected change is live when a later version of the watcher no longer names it', async ({ api, bot }) => {
    const revision = await changeReceivedBy(bot, api);
    await bot.acknowledge({ rejected: [{ guild, revision, reason: 'prefix: expected a string' }] });
    expect((await arrivalOf(api)).state).toBe('rejected');
    bot.close();
    // The watcher reads all records again.
    const upgraded = await startWatcher(api, bot.watcher);
    expect((await arrivalOf(api)).state).toBe('pending');
    await upgraded.acknowledge({ rejected: [] });
    expect(await arrivalOf(api)).toMatchObject({ state: 'live', watchers: [{ revision }] });
  });

  test('a rejected change is live when the same revision is acknowledged without it', async ({ api, bot }) => {
    const revision = await changeReceivedBy(bot, api);
    await bot.acknowledge({ rejected: [{ guild, revision, reason: 'prefix: expected a string' }] });
    await bot.acknowledge();
    expect(await arrivalOf(api)).toMatchObject({ state: 'live', watchers: [{ revision }] });
  });

  test('a watcher with new shards starts anew: what it acknowledged was about other guilds', async ({ api }) => {
    const bot = await startWatcher(api, { shards: [{ id: 0, count: 1 }] });
    await changeReceivedBy(bot, api);
    await bot.acknowledge();
    bot.close();
    const shard = { id: Number((BigInt(guild) >> 22n) % 4n), count: 4 };
    await startWatcher(api, { ...bot.watcher, shards: [shard] });
    expect(await arrivalOf(api)).toMatchObject({ state: 'pending', watchers: [{ shard, revision: 0 }] });
  });
});

describe('a process that takes leave', () => {
  const RUN = 'run-of-gone';
  const WAIT = { headers: { prefer: 'wait=10' } };

  /** Opens a watcher of a process that can leave. */
  const startProcess = (api: TestApi, options: Parameters<typeof openTestWatcher>[1] = {}) =>
    startWatcher(api, { id: 'watcher-gone', name: 'gone', run: RUN, ...options });

  async function leave(watcher: TestWatcher): Promise<void> {
    expect((await watcher.acknowledge({ leaves: true })).status).toBe(200);
    watcher.close();
  }

  test('is not waited for, and named for a day', async ({ api, bot }) => {
    const leftAt = api.clock.now;
    await leave(await startProcess(api));
    api.clock.now += 1_000;
    const answer = api.patch(guild, { prefix: '?' }, WAIT);
    await waitUntil(() => bot.events.at(-1)?.type === 'guild');
    await bot.acknowledge();
    expect(await arrivalBeforeEnd(answer)).toBe('live; latency=0');
    const since = new Date(leftAt).toISOString();
    const expected = { state: 'live', watchers: [{ state: 'live' }, { name: 'gone', state: 'left', since }] };
    expect(await arrivalOf(api)).toMatchObject(expected);
    expect(await metricsOf(api)).toContain('guild_settings_watchers{state="left"} 1');
    api.clock.now += 86_390_000;
    expect((await arrivalOf(api)).watchers).toHaveLength(2);
    api.clock.now += 20_000;
    expect((await arrivalOf(api)).watchers).toHaveLength(1);
  });

  test('leaves nothing to wait for where it was the only one', async ({ api }) => {
    await leave(await startProcess(api));
    expect(await arrivalBeforeEnd(api.patch(guild, { prefix: '?' }, WAIT))).toBe('away');
  });

  test('ends the waits for it', async ({ api, bot }) => {
    const gone = await startProcess(api);
    const answer = api.patch(guild, { prefix: '?' }, WAIT);
    await waitUntil(() => bot.events.at(-1)?.type === 'guild');
    await bot.acknowledge();
    await leave(gone);
    expect(await arrivalBeforeEnd(answer)).toBe('live; latency=0');
  });

  test('is waited for when it is back with its file', async ({ api, bot }) => {
    await bot.acknowledge();
    await leave(await startProcess(api));
    await startProcess(api, { run: 'the-next-run' });
    await changeReceivedBy(bot, api);
    await bot.acknowledge();
    expect(await arrivalOf(api)).toMatchObject({
      state: 'pending',
      watchers: [{ name: 'gone', state: 'pending' }, {}],
    });
  });

  test('has left also with a connection that the network keeps open, and before it has received anything', async ({
    api,
  }) => {
    const gone = await startProcess(api);
    await startProcess(api);
    const { id, name, shards, run } = { ...gone.watcher, run: RUN };
    const body = { watcher: { id, name, run }, shards, rejected: [], leaves: true };
    await api.send('/trpc/guilds.acknowledge', { method: 'POST', token: api.tokens.application, body });
    expect(await arrivalOf(api)).toMatchObject({ watchers: [{ state: 'left' }] });
    gone.close();
    await waitUntil(async () => (await metricsOf(api)).includes('feed_watchers 1'));
    expect(await arrivalOf(api)).toMatchObject({ watchers: [{ state: 'left' }] });
  });

  test('whose message arrives after its next run has connected is waited for', async ({ api }) => {
    const former = await startProcess(api);
    former.close();
    const present = await startProcess(api, { run: 'the-next-run' });
    await leave(former);
    await revisionAfter(api, '?');
    expect((await arrivalOf(api)).state).toBe('pending');
    present.close();
    await waitUntil(async () => (await metricsOf(api)).includes('guild_settings_watchers{state="away"} 1'));
    expect(await arrivalOf(api)).toMatchObject({ state: 'away', watchers: [{ state: 'away' }] });
  });

  test('has left, although a request for its events arrives after that', async ({ api }) => {
    const gone = await startProcess(api);
    await leave(gone);
    await startProcess(api);
    expect(await arrivalOf(api)).toMatchObject({ watchers: [{ state: 'left' }] });
  });

  test('does not bring its next run, whose file is older, what it had: an acknowledgement that arrives late', async ({
    api,
  }) => {
    const former = await startProcess(api);
    const older = parseCursor(former.ids.at(-1) ?? '');
    await changeReceivedBy(former, api);
    former.close();
    const next = await startProcess(api, { run: 'the-next-run', ...(older && { cursor: older }) });
    await former.acknowledge();
    expect((await arrivalOf(api)).state).toBe('pending');
    await next.acknowledge();
    expect((await arrivalOf(api)).state).toBe('live');
  });

  test.each(['leaves', 'is gone'])('is waited for when a copy of its file %s', async (how) => {
    await using api = await startApi();
    const original = await startProcess(api);
    const copy = await startProcess(api, { run: 'run-of-the-copy' });
    await changeReceivedBy(original, api);
    await copy.acknowledge(how === 'leaves' ? { leaves: true } : {});
    copy.close();
    await waitUntil(async () => (await arrivalOf(api)).state === 'pending');
    await waitUntil(async () => {
      await original.acknowledge();
      return (await arrivalOf(api)).state === 'live';
    });
    await leave(original);
    expect((await arrivalOf(api)).watchers).toMatchObject([{ state: 'left' }]);
  });

  test.each(['first', 'last'])('does not take leave for a copy of its file that was opened %s', async (order) => {
    await using api = await startApi();
    const copy = { run: 'run-of-the-copy' };
    if (order === 'first') await startProcess(api, copy);
    const one = await startProcess(api);
    if (order === 'last') await startProcess(api, copy);
    await leave(one);
    await waitUntil(async () => (await metricsOf(api)).includes('feed_watchers 1'));
    await revisionAfter(api, '?');
    expect((await arrivalOf(api)).state).toBe('pending');
  });

  test('stays left when the service is started again', async ({ api }) => {
    await leave(await startProcess(api));
    await api.restart();
    expect(await arrivalOf(api)).toMatchObject({ watchers: [{ name: 'gone', state: 'left' }] });
    const back = await startProcess(api, { run: 'the-next-run' });
    expect(await arrivalOf(api)).toMatchObject({ watchers: [{ state: 'pending' }] });
    back.close();
  });

  test('can take leave of a service that was started again since', async ({ api }) => {
    const gone = await startProcess(api);
    await api.restart();
    await leave(gone);
    expect(await arrivalOf(api)).toMatchObject({ watchers: [{ name: 'gone', state: 'left' }] });
  });
});

describe('a process that is missed', () => {
  const wait = (seconds: number) => ({ headers: { prefer: `wait=${seconds}` } });

  async function lose(watcher: TestWatcher, api: TestApi): Promise<void> {
    watcher.close();
    await waitUntil(async () => (await metricsOf(api)).includes('guild_settings_watchers{state="away"} 1'));
  }

  test('is waited for again after its next acknowledgement, and no change is live without it meanwhile', async ({
    api,
    bot,
  }) => {
    const slow = await startWatcher(api, { name: 'slow' });
    const change = async (prefix: string, seconds: number) => {
      const before = bot.events.length;
      const answer = api.patch(guild, { prefix }, wait(seconds));
      await waitUntil(() => bot.events.length > before);
      await bot.acknowledge();
      return answer;
    };
    expect((await change('1', 1)).headers.get('arrival')).toBe('pending');
    expect(await arrivalBeforeEnd(change('2', 10))).toBe('pending');
    await waitUntil(() => slow.ids.at(-1) === bot.ids.at(-1));
    await slow.acknowledge();
    const answer = change('3', 10);
    await waitUntil(() => slow.events.filter(({ type }) => type === 'guild').length === 3);
    await slow.acknowledge();
    expect(await arrivalBeforeEnd(answer)).toMatch(/^live/);
  });

  test('holds changes back while it may be connecting again, and none after that', async ({ api, bot }) => {
    await lose(await startWatcher(api, { name: 'killed' }), api);
    const revision = await changeReceivedBy(bot, api);
    await bot.acknowledge();
    api.clock.now += 19_000;
    expect((await api.patch(guild, { prefix: '?' }, wait(1))).headers.get('arrival')).toBe('away');
    // Waited for in vain.
    const again = () => arrivalBeforeEnd(api.patch(guild, { prefix: '?' }, wait(10)));
    expect(await again()).toBe('away');
    api.clock.now += 1_000;
    expect(await again()).toBe('live; latency=0; processes=1; away=1');
    expect(await arrivalOf(api)).toMatchObject({
      revision,
      state: 'live',
      processes: 1,
      away: 1,
      watchers: [{ name: 'killed', state: 'away' }, { state: 'live' }],
    });
  });

  test('ends a wait when it has had the time to connect again', async ({ api, bot }) => {
    await lose(await startWatcher(api, { name: 'killed' }), api);
    api.clock.now += 19_900;
    const answer = api.patch(guild, { prefix: '?' }, wait(10));
    await waitUntil(() => bot.events.at(-1)?.type === 'guild');
    await bot.acknowledge();
    api.clock.now += 100;
    expect(await arrivalBeforeEnd(answer)).toMatch(/^live.*; away=1$/);
  });

  test('holds changes back again from its next acknowledgement on', async ({ api, bot }) => {
    const killed = await startWatcher(api, { name: 'killed' });
    await lose(killed, api);
    api.clock.now += 20_000;
    const back = await startWatcher(api, killed.watcher);
    await changeReceivedBy(bot, api);
    await bot.acknowledge();
    expect(await arrivalBeforeEnd(api.patch(guild, { prefix: '?' }, wait(10)))).toBe('pending');
    await back.acknowledge();
    expect(await arrivalOf(api)).toMatchObject({ state: 'live', watchers: [{ state: 'live' }, { state: 'live' }] });
  });

  test('is no longer counted among those that have a change, which it had before', async ({ api, bot }) => {
    const killed = await startWatcher(api, { name: 'killed' });
    const revision = await changeReceivedBy(bot, api);
    await bot.acknowledge();
    await received(killed, revision);
    await killed.acknowledge();
    await lose(killed, api);
    expect((await arrivalOf(api)).watchers.map(({ state }) => state)).toEqual(['live', 'live']);
    api.clock.now += 20_000;
    expect(await arrivalOf(api)).toMatchObject({ state: 'live', processes: 1, away: 1 });
  });

  test.each([
    ['a stop of a minute of the service', 0, 60_000],
    ['a kill of the service, which had served it for two hours', 1, 7_200_000],
  ])('can connect again after %s', async (_, isConnected, seenAgoMs) => {
    await using api = await startApi();
    await startWatcher(api);
    await api.restart();
    const file = new Database(api.databasePath);
    file.prepare('UPDATE watchers SET is_connected = ?, seen_at = seen_at - ?').run(isConnected, seenAgoMs);
    file.close();
    await api.restart();
    api.clock.now += 15_000;
    const bot = await startWatcher(api, { name: 'back' });
    await changeReceivedBy(bot, api);
    await bot.acknowledge();
    expect(await arrivalOf(api)).toMatchObject({ state: 'away', watchers: [{ state: 'away' }, { name: 'back' }] });
  });
});

describe('asking for a revision', () => {
  test('an older revision is judged by itself, one between two revisions by the one before', async ({ api, bot }) => {
    const first = await revisionAfter(api, '1');
    await received(bot, first);
    await bot.acknowledge();
    await api.patch(IDS.otherGuild, { prefix: '?' });
    const last = await revisionAfter(api, '2');
    expect(await arrivalOf(api, `?revision=${first}`)).toMatchObject({ revision: first, state: 'live' });
    expect(await arrivalOf(api, `?revision=${first + 1}`)).toMatchObject({ revision: first, state: 'live' });
    expect(await arrivalOf(api, `?revision=${last}`)).toMatchObject({ revision: last, state: 'pending' });
  });

  test('a revision that does not exist is unknown', async ({ api }) => {
    await revisionAfter(api, '1');
    const response = await api.send(`/guilds/${guild}/arrival?revision=9`, { token: api.tokens.manager });
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ type: '/problems/revision-unknown' });
  });

  test('a guild without a change is live where its defaults are served', async ({ api, bot }) => {
    expect(await arrivalOf(api)).toMatchObject({ revision: 0, state: 'pending' });
    await bot.acknowledge();
    expect(await arrivalOf(api)).toMatchObject({ revision: 0, state: 'live', latencyMs: null });
  });

  test('the defaults are not live at a watcher that serves the settings of another history', async ({ api }) => {
    const bot = await startWatcher(api, { cursor: { epoch: 'before the restore', revision: 7 } });
    expect(await arrivalOf(api)).toMatchObject({ revision: 0, state: 'pending' });
    await bot.acknowledge({ cursor: { epoch: 'before the restore', revision: 7 } });
    expect(await arrivalOf(api)).toMatchObject({ revision: 0, state: 'pending' });
  });

  test('an acknowledgement counts in whichever order it has the shards', async ({ api }) => {
    const shards = [0, 1, 2, 3].map((id) => ({ id, count: 4 }));
    const bot = await startWatcher(api, { shards });
    const { id, name } = bot.watcher;
    const cursor = parseCursor(bot.ids.at(-1) ?? '');
    const body = { watcher: { id, name }, shards: shards.toReversed(), cursor, rejected: [] };
    await api.send('/trpc/guilds.acknowledge', { method: 'POST', token: api.tokens.application, body });
    expect(await arrivalOf(api)).toMatchObject({ revision: 0, state: 'live' });
  });

  test('an acknowledgement with other shards takes none from a watcher that is connected', async ({ api, bot }) => {
    const shards = [{ id: (Number(BigInt(guild) >> 22n) + 1) % 4, count: 4 }];
    const { id, name } = bot.watcher;
    const body = { watcher: { id, name }, shards, cursor: parseCursor(bot.ids.at(-1) ?? ''), rejected: [] };
    const late = await api.send('/trpc/guilds.acknowledge', { method: 'POST', token: api.tokens.application, body });
    expect(await late.json()).toMatchObject({ result: { data: { latencyMs: null } } });
    await revisionAfter(api, '?');
    expect(await arrivalOf(api)).toMatchObject({ state: 'pending', watchers: [{ name, shard: { id: 0, count: 1 } }] });
  });

  test('those who may not read the guild may not ask', async ({ api }) => {
    const response = await api.send(`/guilds/${guild}/arrival`, { token: api.tokens.stranger });
    expect(response.status).toBe(403);
  });
});

describe('Prefer: wait', () => {
  test('answers a PATCH when the change is live, with its latency', async ({ api, bot }) => {
    const answer = api.patch(guild, { prefix: '?' }, { headers: { prefer: 'wait=10' } });
    await waitUntil(() => bot.events.at(-1)?.type === 'guild');
    api.clock.now += 38;
    await bot.acknowledge();
    const { headers } = await answer;
    expect(headers.get('preference-applied')).toBe('wait=10');
    expect(headers.get('arrival')).toBe('live; latency=38');
  });

  test('a PATCH that changes nothing has no latency where the commit was not observed', async ({ api }) => {
    await revisionAfter(api, '?');
    await api.restart();
    const bot = await startWatcher(api);
    await bot.acknowledge();
    const { headers } = await api.patch(guild, { prefix: '?' }, { headers: { prefer: 'wait=1' } });
    expect(headers.get('arrival')).toBe('live');
    expect(await arrivalOf(api)).toMatchObject({ state: 'live', latencyMs: null });
  });

  test('a PATCH that changes nothing has the latency of the change before it', async ({ api, bot }) => {
    await changeReceivedBy(bot, api);
    api.clock.now += 12;
    await bot.acknowledge();
    api.clock.now += 1_000;
    const { headers } = await api.patch(guild, { prefix: '?' }, { headers: { prefer: 'wait=1' } });
    expect(headers.get('arrival')).toBe('live; latency=12');
  });

  test('is responded to before the acknowledgement that ends its wait', async ({ api, bot }) => {
    const answer = api.patch(guild, { prefix: '?' }, { headers: { prefer: 'wait=10' } });
    await waitUntil(() => bot.events.some(({ type }) => type === 'guild'));
    await bot.acknowledge();
    await answer;
    const responses = () => [...api.log().matchAll(/"method":"(PATCH|POST)"/g)].map(([, method]) => method);
    await waitUntil(() => responses().length === 2);
    expect(responses()).toEqual(['PATCH', 'POST']);
  });

  test('answers a PATCH at once where no process is known', async ({ api }) => {
    const answer = api.patch(guild, { prefix: '?' }, { headers: { prefer: 'wait=10' } });
    expect(await arrivalBeforeEnd(answer)).toBe('away');
  });

  test('answers a PATCH when the time is over', async ({ api, bot }) => {
    const { status, headers } = await api.patch(guild, { prefix: '?' }, { headers: { prefer: 'wait=1' } });
    expect([status, headers.get('arrival')]).toEqual([200, 'pending']);
    expect(bot.events.at(-1)?.type).toBe('guild');
  });

  test.each([
    ['first', true],
    ['last', false],
  ])('answers at once that the watcher that connected %s has rejected the change', async (_, isFirst) => {
    await using api = await startApi();
    if (!isFirst) await startWatcher(api);
    const bot = await startWatcher(api);
    if (isFirst) await startWatcher(api);
    const answer = api.patch(guild, { prefix: '?' }, { headers: { prefer: 'wait=10' } });
    await waitUntil(() => bot.events.at(-1)?.type === 'guild');
    const revision = Number(bot.ids.at(-1)?.split(':')[1]);
    await bot.acknowledge({ rejected: [{ guild, revision, reason: 'the disk is full' }] });
    expect((await answer).headers.get('arrival')).toBe('rejected');
  });

  test.each([
    ['nothing', undefined],
    ['another preference', 'respond-async'],
    ['a wait that is no number', 'wait=soon'],
    ['a negative wait', 'wait=-1'],
  ])('%s: the answer is as without it', async (_what, prefer) => {
    await using api = await startApi();
    const { headers } = await api.patch(guild, { prefix: '?' }, prefer === undefined ? {} : { headers: { prefer } });
    expect([headers.get('arrival'), headers.get('preference-applied')]).toEqual([null, null]);
  });

  test('a longer wait than ten seconds is one of ten', async ({ api, bot }) => {
    const answer = api.patch(guild, { prefix: '?' }, { headers: { prefer: 'respond-async, wait="900"; foo' } });
    await waitUntil(() => bot.events.at(-1)?.type === 'guild');
    await bot.acknowledge();
    expect((await answer).headers.get('preference-applied')).toBe('wait=10');
  });

  test('GET …/arrival?wait= answers when the change is live', async ({ api, bot }) => {
    const revision = await changeReceivedBy(bot, api);
    const answer = arrivalOf(api, '?wait=10');
    await bot.acknowledge();
    expect(await answer).toMatchObject({ revision, state: 'live' });
  });

  test('a stop of the service ends the wait with what is known', async ({ api, bot }) => {
    const answer = api.patch(guild, { prefix: '?' }, { headers: { prefer: 'wait=10' } });
    await waitUntil(() => bot.events.at(-1)?.type === 'guild');
    await api.app.close();
    expect((await answer).headers.get('arrival')).toMatch(/^(pending|away)$/);
  });
});

async function metricsOf(api: TestApi): Promise<string> {
  return (await fetch(`${api.url}/metrics`)).text();
}
