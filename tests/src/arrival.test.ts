import { createGuildSettingsClient, type ReceivedArrival, withRequest } from '@guild-settings/client';
import { GUILDS, tokenOf } from '@guild-settings/discord-sim/testing/world';
import { openReplica } from '@guild-settings/replica';
import { temporaryFolder, waitUntil } from '@guild-settings/testing';
import { describe, expect } from 'vitest';
import { test } from './testing/restartable-api.ts';
import { startTestBot } from './testing/test-bot.ts';

const token = tokenOf('application');
const guild = GUILDS[0].id;
const otherGuild = GUILDS[1]?.id ?? '';

describe('the arrival of a change at replicas', () => {
  test('a call that waits returns when every replica has the change', async ({ api }) => {
    using folder = temporaryFolder();
    const client = createGuildSettingsClient({ url: api.url, token });
    const replicas = [1, 2, 3].map((index) =>
      openReplica({ apiUrl: api.url, credentials: token, path: `${folder.path}/${index}.db`, name: `bot-${index}` }),
    );
    await Promise.all(replicas.map((replica) => replica.waitUntilLive()));
    for (let change = 0; change < 20; change += 1) {
      const arrivals: ReceivedArrival[] = [];
      const options = withRequest({ waitSeconds: 10, onArrival: (arrival) => arrivals.push(arrival) });
      await client.guilds.update.mutate({ guild, prefix: `${change}` }, options);
      expect(replicas.map((replica) => replica.get(guild).prefix)).toEqual(Array(3).fill(`${change}`));
      expect(arrivals).toEqual([{ state: 'live', latencyMs: expect.any(Number) }]);
    }
    await waitUntil(() => replicas.every(({ metrics }) => metrics.arrivalMs >= 0), { message: 'the measured arrival' });
    const { watchers } = await client.guilds.arrival.query({ guild });
    expect(watchers.map(({ name }) => name).toSorted()).toEqual(['bot-1', 'bot-2', 'bot-3']);
    await Promise.all(replicas.map((replica) => replica.close()));
  });

  test('a process of some shards is named with them, and counts for their guilds only', async ({ api }) => {
    using folder = temporaryFolder();
    const client = createGuildSettingsClient({ url: api.url, token });
    const count = 64;
    const [ours, others] = [guild, otherGuild].map((id) => Number((BigInt(id) >> 22n) % BigInt(count)));
    expect(ours).not.toBe(others);
    const ids = [ours ?? 0, ((ours ?? 0) + 1) % count].filter((id) => id !== others);
    await using replica = await liveReplica(api.url, folder.path, { ids, count });
    const { state, watchers } = await client.guilds.arrival.query({ guild, wait: 10 });
    expect([state, watchers[0]?.name]).toEqual(['live', expect.stringMatching(/^bot, shards? [\d, -]+ of 64$/)]);
    expect((await client.guilds.arrival.query({ guild: otherGuild })).watchers).toEqual([]);
    expect(replica.status.state).toBe('LIVE');
  });

  test('a replica that is closed takes leave, and is the same watcher when it is opened again', async ({ api }) => {
    using folder = temporaryFolder();
    const client = createGuildSettingsClient({ url: api.url, token });
    {
      await using _ = await liveReplica(api.url, folder.path);
    }
    await client.guilds.update.mutate({ guild, prefix: '?' });
    const { state, watchers } = await client.guilds.arrival.query({ guild });
    expect([state, ...watchers.map((watcher) => watcher.state)]).toEqual(['away', 'left']);
    await using _again = await liveReplica(api.url, folder.path);
    const again = await client.guilds.arrival.query({ guild, wait: 10 });
    expect([again.state, ...again.watchers.map((watcher) => watcher.state)]).toEqual(['live', 'live']);
  });

  test('changes are live without replicas that were closed, whose files are gone', async ({ api }) => {
    const client = createGuildSettingsClient({ url: api.url, token });
    for (let tries = 0; tries < 3; tries += 1) {
      using gone = temporaryFolder();
      await using _ = await liveReplica(api.url, gone.path);
    }
    using folder = temporaryFolder();
    await using _replica = await liveReplica(api.url, folder.path);
    const arrivals: ReceivedArrival[] = [];
    const options = withRequest({ waitSeconds: 10, onArrival: (arrival) => arrivals.push(arrival) });
    await client.guilds.update.mutate({ guild, prefix: '?' }, options);
    expect(arrivals).toEqual([{ state: 'live', latencyMs: expect.any(Number) }]);
    const { watchers } = await client.guilds.arrival.query({ guild });
    expect(watchers.map((watcher) => watcher.state)).toEqual(['live', 'left', 'left', 'left']);
  });

  test('a bot that is stopped takes leave', async ({ api }) => {
    using folder = temporaryFolder();
    const client = createGuildSettingsClient({ url: api.url, token });
    const bot = await startTestBot({ apiUrl: api.url, discord: api.discord, path: folder.file('bot.db') });
    await waitUntil(async () => (await client.guilds.arrival.query({ guild })).watchers.length === 1);
    await bot.stop();
    const { watchers } = await client.guilds.arrival.query({ guild });
    expect(watchers.map((watcher) => watcher.state)).toEqual(['left']);
  });
});

async function liveReplica(apiUrl: string, folder: string, shards?: { ids: number[]; count: number }) {
  const replica = openReplica({
    apiUrl,
    credentials: token,
    path: `${folder}/bot.db`,
    name: 'bot',
    ...(shards && { shards }),
  });
  await replica.waitUntilLive();
  return Object.assign(replica, { [Symbol.asyncDispose]: () => replica.close() });
}
