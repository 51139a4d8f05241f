import { clientCredentials, createGuildSettingsClient, WatchRefusedError } from '@guild-settings/client';
import { isOfShard, type PresenceReport } from '@guild-settings/contract';
import { APPLICATION, GUILDS, tokenOf } from '@guild-settings/discord-sim/testing/world';
import { minTimeMs, waitUntil } from '@guild-settings/testing';
import { describe, expect } from 'vitest';
import { retryConnection } from './testing/client-calls.ts';
import { type RestartableApi, startRestartableApi, test } from './testing/restartable-api.ts';
import { TestReplica } from './testing/test-replica.ts';

const [A, B, C] = GUILDS.map((guild) => guild.id) as [string, string, string, string];
const token = tokenOf('application');

function clientOf({ url }: RestartableApi) {
  const client = createGuildSettingsClient({ url, token });
  return {
    change: (guild: string, prefix: string) => retryConnection(() => client.guilds.update.mutate({ guild, prefix })),
    report: (report: PresenceReport) => retryConnection(() => client.presence.report.mutate(report)),
    read: (guild: string) => client.guilds.get.query({ guild }),
  };
}

/** Starts a replica, and waits until it has everything. */
async function liveReplica({ url }: RestartableApi): Promise<TestReplica> {
  const replica = new TestReplica();
  replica.start({ url, token });
  await waitUntil(() => replica.count('live') === 1, { message: 'live' });
  return replica;
}

describe('a watcher', () => {
  test('without a cursor receives reset, then every record, then live', async ({ api }) => {
    const { change, read } = clientOf(api);
    await change(A, '1');
    await change(B, '2');
    await using replica = await liveReplica(api);
    expect(replica.events.map((event) => event.type)).toEqual(['reset', 'guilds', 'live']);
    expect(replica.records.get(A)).toEqual({ revision: 1, guild: await read(A) });
  });

  test('receives a change as soon as it is acknowledged', async ({ api }) => {
    const { change } = clientOf(api);
    await using replica = await liveReplica(api);
    const waitMs = await minTimeMs(10, 1_000, async (attempt) => {
      await change(A, `?${attempt}`);
      await replica.reaches(attempt + 1);
      expect(replica.records.get(A)?.guild.prefix).toBe(`?${attempt}`);
    });
    // Without a wake-up it would be read when the next bookmark is due, five seconds later.
    expect(waitMs).toBeLessThan(1_000);
  });

  test('with a cursor receives only what it missed, each guild once', async ({ api }) => {
    const { change } = clientOf(api);
    await change(A, '1');
    await using replica = await liveReplica(api);
    await replica.stop();
    for (const prefix of ['2', '3', '4']) await change(B, prefix);
    replica.events.length = 0;
    replica.start({ url: api.url, token });
    await waitUntil(() => replica.count('live') === 1, { message: 'live' });
    expect(replica.events.map((event) => event.type)).toEqual(['guild', 'live']);
    expect(replica.records.get(B)).toMatchObject({ revision: 4, guild: { prefix: '4' } });
  });

  test('of a shard receives only its guilds', async ({ api }) => {
    const { change } = clientOf(api);
    const shards = [0, 1].map((id) => ({ id, count: 2 }));
    const replicas = shards.map((shard) => {
      const replica = new TestReplica();
      replica.start({ url: api.url, token, shard });
      return { shard, replica };
    });
    for (const [index, { id }] of GUILDS.entries()) await change(id, `${index}`);
    for (const { shard, replica } of replicas) {
      const own = GUILDS.map((guild) => guild.id).filter((id) => isOfShard(id, shard));
      await waitUntil(() => own.every((id) => replica.records.has(id)), { message: 'its guilds' });
      expect([...replica.records.keys()].sort()).toEqual(own.sort());
      await replica.stop();
    }
  });

  test('is refused with a token that is not the application’s', async ({ api }) => {
    const replica = new TestReplica();
    replica.start({ url: api.url, token: tokenOf('owner') });
    await waitUntil(() => replica.disconnects.length > 0, { message: 'a refusal' });
    expect(replica.disconnects[0]).toBeInstanceOf(WatchRefusedError);
    expect(replica.disconnects[0]).toMatchObject({ problem: { type: '/problems/application-only' } });
    await replica.stop();
  });

  test('resumes over a restart of the api without a reset', async ({ api }) => {
    const { change } = clientOf(api);
    await change(A, '1');
    await using replica = await liveReplica(api);
    await api.stop();
    await api.start();
    await change(A, '2');
    await replica.reaches(2);
    expect([replica.count('reset'), replica.violations]).toEqual([1, []]);
  });

  test('receives that a guild was erased', async ({ api }) => {
    const { change, report } = clientOf(api);
    await change(A, '1');
    await report({ type: 'left', guild: A });
    await using replica = await liveReplica(api);
    await api.stop();
    api.clock.aheadMs += 31 * 86_400_000;
    await api.start();
    await waitUntil(() => replica.count('removed') === 1, { message: 'the erasure' });
    expect(replica.records.has(A)).toBe(false);
  });
});

describe('an older database file under a live watcher', () => {
  test.each([
    ['before anything new was written', 0],
    ['after more was written than the watcher had seen', 10],
  ])('ends in a reset and equality, %s', async (_name, writes) => {
    await using api = await startRestartableApi();
    const { change, read } = clientOf(api);
    await change(A, 'old');
    await api.stop();
    const restore = await api.backUp();
    await api.start();
    const replica = new TestReplica();
    replica.start({ url: api.url, token });
    await change(B, 'lost');
    await change(A, 'lost');
    await replica.reaches(3);
    await replica.stop();

    await api.stop();
    await restore();
    await api.start();
    for (let write = 0; write < writes; write++) await change(C, `new-${write}`);
    replica.start({ url: api.url, token });
    await waitUntil(() => replica.count('live') === 2, { message: 'live again' });
    expect(replica.count('reset')).toBe(2);
    expect(replica.records.has(B)).toBe(false);
    expect(replica.records.get(A)?.guild).toEqual(await read(A));
    if (writes > 0) expect(replica.records.get(C)?.guild).toEqual(await read(C));
    await replica.stop();
  });
});

describe('tokens', () => {
  test('that expire in mid-stream are replaced, and nothing is missed', async ({ api }) => {
    const { change } = clientOf(api);
    const now = () => Date.now() + api.clock.aheadMs;
    const source = clientCredentials({
      discordApiUrl: api.discord.apiUrl,
      applicationId: APPLICATION.id,
      clientSecret: APPLICATION.clientSecret,
      clock: now,
    });
    const replica = new TestReplica();
    replica.start({ url: api.url, token: source });
    await waitUntil(() => replica.count('live') === 1, { message: 'live' });
    api.clock.aheadMs += 8 * 86_400_000;
    // The credentials endpoint fails for a while, too.
    api.discord.faults.set({ kind: 'status', status: 503 }, { path: '/oauth2/token', times: 2 });
    await change(A, '2');
    await waitUntil(() => replica.count('live') === 2, { message: 'live again' });
    await replica.reaches(1);
    expect([replica.count('reset'), replica.violations]).toEqual([1, []]);
    await replica.stop();
  });
});
