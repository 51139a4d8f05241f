import { Agent } from 'node:http';
import { sentShards, shardIdOf } from '@guild-settings/contract';
import { waitUntil } from '@guild-settings/testing';
import { startApi, type TestApi, test } from '@guild-settings/testing/api';
import { IDS } from '@guild-settings/testing/people';
import { statusOf } from '@guild-settings/testing/raw-http';
import { openWatch, type RawWatch } from '@guild-settings/testing/streams';
import Database from 'better-sqlite3';
import { describe, expect } from 'vitest';

const { guild } = IDS;
const WATCHERS = 300;

describe('guilds.watch', () => {
  test('sends each event with its cursor as id', async ({ api }) => {
    await api.patch(guild, { prefix: '?' });
    const watch = await openWatch(api.url, api.tokens.application);
    await waitUntil(() => watch.events.length === 3);
    expect(watch.response.headers.get('content-type')).toContain('text/event-stream');
    expect(watch.response.headers.get('guild-settings-version')).toMatch(/^\d+\./);
    expect(watch.events.map((event) => event.type)).toEqual(['reset', 'guild', 'live']);
    expect(watch.ids.map((id) => id.split(':')[1])).toEqual(['0', '1', '1']);
    watch.close();
  });

  test('sends the types of events that the watcher accepts, and ignores unknown input', async ({ api }) => {
    await api.patch(guild, { prefix: '1' });
    await api.patch(IDS.otherGuild, { prefix: '2' });
    const accepts = ['guild', 'live', 'of-a-later-version'];
    const watch = await openWatch(api.url, api.tokens.application, { accepts, mood: 'new' });
    await waitUntil(() => watch.events.length === 3);
    expect(watch.events.map(({ type }) => type)).toEqual(['guild', 'guild', 'live']);
    watch.close();
  });

  test('registers a process of a thousand shards', async ({ api }) => {
    const shards = Array.from({ length: 1_024 }, (_, id) => ({ id, count: 1_024 }));
    const watcher = { id: 'watcher-1', name: 'bot', shards: sentShards(shards) };
    const watch = await openWatch(api.url, api.tokens.application, { watcher });
    await waitUntil(() => watch.events.at(-1)?.type === 'live');
    const shard = { id: shardIdOf(guild, 1_024), count: 1_024 };
    const arrival = await api.send(`/guilds/${guild}/arrival`, { token: api.tokens.manager });
    expect(await arrival.json()).toMatchObject({ watchers: [{ name: 'bot', shard }] });
    watch.close();
  });

  test.each([
    ['no token', '{}', undefined, '/problems/not-authenticated'],
    ['a token that is not the application’s', '{}', 'owner', '/problems/application-only'],
    ['an input that is no JSON', '{', 'application', '/problems/invalid-request'],
    ['a cursor that is none', '{"cursor":5}', 'application', '/problems/invalid-request'],
  ] as const)('refuses %s in a message of the stream, as tRPC does', async (_what, input, token, type) => {
    await using api = await startApi();
    const headers = token && { authorization: `Bearer ${api.tokens[token]}` };
    const response = await fetch(`${api.url}/trpc/guilds.watch?input=${encodeURIComponent(input)}`, {
      ...(headers && { headers }),
    });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const [connected, refused = ''] = (await response.text()).split('\n\n');
    expect(connected).toBe('event: connected\ndata: {}');
    expect(refused).toMatch(/^event: serialized-error\n/);
    const error = JSON.parse(refused.slice(refused.indexOf('data: ') + 'data: '.length));
    const problem = { type, instance: '/trpc/guilds.watch' };
    expect(error).toMatchObject({ code: expect.any(Number), data: { path: 'guilds.watch', problem } });
  });

  test('says every five seconds that it is alive', async ({ api }) => {
    const watch = await openWatch(api.url, api.tokens.application);
    await waitUntil(() => watch.events.length === 2);
    api.clock.now += 5_000;
    // A commit wakes the watcher, which looks at the clock.
    await api.patch(guild, { prefix: '?' }, { token: api.tokens.owner });
    await waitUntil(() => watch.events.length === 3);
    api.clock.now += 5_000;
    await api.patch(guild, {}, { token: api.tokens.owner });
    await waitUntil(() => watch.events.some((event) => event.type === 'bookmark'));
    expect(watch.events.at(-1)).toEqual({ type: 'bookmark', revision: 1 });
    watch.close();
  });

  test('shows a watcher that does not accept bookmarks that it is alive, so that no proxy or timeout ends the stream', async ({
    api,
  }) => {
    const input = encodeURIComponent(JSON.stringify({ accepts: ['guild'] }));
    const aborter = new AbortController();
    const response = await fetch(`${api.url}/trpc/guilds.watch?input=${input}`, {
      headers: { authorization: `Bearer ${api.tokens.application}` },
      signal: aborter.signal,
    });
    let text = '';
    const read = async () => {
      for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) text += part;
    };
    const reading = read().catch((error: unknown) => expect(error).toMatchObject({ name: 'AbortError' }));
    await api.patch(guild, { prefix: '?' });
    await waitUntil(() => text.includes('"type":"guild"'));
    api.clock.now += 5_000;
    await api.patch(guild, {}, { token: api.tokens.owner });
    await waitUntil(() => text.endsWith('\n\n:\n\n'));
    aborter.abort();
    await reading;
  });

  test('is published after the commit: a change that waits for the disk is sent when it is there', async ({ api }) => {
    const watch = await openWatch(api.url, api.tokens.application);
    await waitUntil(() => watch.events.length === 2);
    const db = new Database(api.databasePath);
    db.exec('BEGIN IMMEDIATE');
    const changing = api.patch(guild, { prefix: '?' });
    // Long enough for a premature wake-up to happen.
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(watch.events).toHaveLength(2);
    db.exec('ROLLBACK');
    db.close();
    expect((await changing).status).toBe(200);
    await waitUntil(() => watch.events.length === 3);
    watch.close();
  });

  test('sends nothing for a change that was refused', async ({ api }) => {
    const watch = await openWatch(api.url, api.tokens.application);
    await waitUntil(() => watch.events.length === 2);
    await api.patch(guild, { beta: 'no' });
    await api.patch(guild, { beta: true }, { headers: { 'if-match': '"7"' } });
    await api.patch(guild, { beta: true });
    await waitUntil(() => watch.events.length === 3);
    expect(watch.events.at(-1)).toMatchObject({ type: 'guild', revision: 1 });
    watch.close();
  });

  test('ends when its token expires', async ({ api }) => {
    const { accessToken } = api.discord.world.issueClientCredentialsToken({
      applicationId: IDS.application,
      scopes: ['applications.commands.update'],
      expiresInSeconds: 60,
    });
    const watch = await openWatch(api.url, accessToken);
    await waitUntil(() => watch.events.length === 2);
    api.clock.now += 61_000;
    await api.patch(guild, { prefix: '?' }, { token: api.tokens.owner });
    await watch.ended;
  });

  test('ends properly when the service stops', async () => {
    const api = await startApi();
    const watch = await openWatch(api.url, api.tokens.application);
    await waitUntil(() => watch.events.length === 2);
    await api[Symbol.asyncDispose]();
    // Rejects for a stream that is cut off when the time for running requests is over.
    await watch.ended;
  });

  test('registers no watcher for HEAD', async ({ api }) => {
    const response = await fetch(`${api.url}/trpc/guilds.watch`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${api.tokens.application}` },
    });
    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
      200,
      'text/event-stream',
      '',
    ]);
    const before = await feedReads(api);
    await api.patch(guild, { prefix: '?' });
    expect(await feedReads(api)).toBe(before);
  });

  test('takes a slow watcher to the final state without keeping what it missed', async () => {
    await using api = await startApi({ LOG_LEVEL: 'error' });
    let resume = () => {};
    const paused = new Promise<void>((resolve) => {
      resume = resolve;
    });
    const slow = await openWatch(api.url, api.tokens.application, { paused });
    const filling = Array.from({ length: 64 }, (_, index) => `${index}`.padEnd(64, '漢'));
    // The events take 6 MB: the buffers of the connection hold four.
    const changes = 500;
    const agent = new Agent({ keepAlive: true });
    const headers = { authorization: `Bearer ${api.tokens.manager}`, 'content-type': 'application/json' };
    // The changes are made one after another, because simultaneous ones may share an event.
    for (let change = 0; change < changes; change += 1) {
      const body = JSON.stringify({ enabledFeatures: [`${change}`, ...filling.slice(1)] });
      await statusOf(`${api.url}/guilds/${guild}`, { method: 'PATCH', agent, headers }, body);
    }
    agent.destroy();
    resume();
    await waitUntil(() => revisionOf(slow) === changes);
    expect(slow.events.filter((event) => event.type === 'guild').length).toBeLessThan(changes - 50);
    slow.close();
  });

  test('lets hundreds of idle watchers share one reading of a change', async () => {
    await using api = await startApi({ LOG_LEVEL: 'error' });
    const before = await heap();
    const watches = await Promise.all(
      Array.from({ length: WATCHERS }, () => openWatch(api.url, api.tokens.application)),
    );
    await waitUntil(() => watches.every((watch) => watch.events.length === 2));
    expect(((await heap()) - before) / WATCHERS).toBeLessThan(150_000);
    const reads = await feedReads(api);
    await api.patch(guild, { prefix: '?' });
    await waitUntil(() => watches.every((watch) => revisionOf(watch) === 1));
    expect((await feedReads(api)) - reads).toBeLessThanOrEqual(4);
    for (const watch of watches) watch.close();
  });
});

function revisionOf(watch: RawWatch): number {
  const last = watch.events.at(-1);
  return last && 'revision' in last ? last.revision : 0;
}

/** Bytes, including those of the watchers' end of the connections. */
async function heap(): Promise<number> {
  return process.memoryUsage().heapUsed;
}

async function feedReads(api: TestApi): Promise<number> {
  const text = await (await api.send('/metrics')).text();
  return Number(/store_operation_duration_seconds_count\{operation="read_feed"\} (\d+)/.exec(text)?.[1] ?? 0);
}
