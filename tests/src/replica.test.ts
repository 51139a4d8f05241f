import { createGuildSettingsClient } from '@guild-settings/client';
import { GUILDS, tokenOf } from '@guild-settings/discord-sim/testing/world';
import { openReplica, type Replica } from '@guild-settings/replica';
import { minTimeMs, temporaryFolder, waitUntil } from '@guild-settings/testing';
import { describe, expect, test } from 'vitest';
import { retryConnection } from './testing/client-calls.ts';
import { type RestartableApi, startRestartableApi } from './testing/restartable-api.ts';

const token = tokenOf('application');
const guild = GUILDS[0].id;

function replicaOf({ url }: RestartableApi, path: string): Replica {
  return openReplica({ apiUrl: url, credentials: token, path });
}

const change = ({ url }: RestartableApi, prefix: string) => {
  const client = createGuildSettingsClient({ url, token });
  return retryConnection(() => client.guilds.update.mutate({ guild, prefix }));
};

describe("the bot's replica", () => {
  test('has a change as soon as the service has acknowledged it', async () => {
    await using api = await startRestartableApi();
    using folder = temporaryFolder();
    const replica = replicaOf(api, `${folder.path}/bot.db`);
    await waitUntil(() => replica.status.state === 'LIVE', { message: 'live' });
    const waitMs = await minTimeMs(10, 1_000, async (attempt) => {
      await change(api, `?${attempt}`);
      await waitUntil(() => replica.get(guild).prefix === `?${attempt}`, { message: 'the change' });
    });
    expect(waitMs).toBeLessThan(1_000);
    await replica.close();
  });

  test('serves while the service is down, also after a restart, and is live at the first attempt after its return', async () => {
    await using api = await startRestartableApi();
    using folder = temporaryFolder();
    await change(api, '1');
    const first = replicaOf(api, `${folder.path}/bot.db`);
    await waitUntil(() => first.status.state === 'LIVE', { message: 'live' });
    await api.stop();
    await waitUntil(() => first.status.state === 'STALE', { message: 'stale' });
    expect(first.get(guild).prefix).toBe('1');
    await first.close();

    const second = replicaOf(api, `${folder.path}/bot.db`);
    expect(second.get(guild).prefix).toBe('1');
    expect(second.status).toEqual({ state: 'STALE', since: expect.any(Date) });
    await waitUntil(() => second.metrics.reconnects >= 3, { message: 'some tries' });
    await api.start();
    const { reconnects } = second.metrics;
    await change(api, '2');
    await waitUntil(() => second.status.state === 'LIVE' && second.get(guild).prefix === '2', {
      message: 'live again',
    });
    // An attempt that failed before the return may be counted after it.
    expect(second.metrics.reconnects).toBeLessThanOrEqual(reconnects + 1);
    await second.close();
  });

  test('is reset and equal after an older copy of the service’s database was restored', async () => {
    await using api = await startRestartableApi();
    using folder = temporaryFolder();
    await change(api, 'old');
    await api.stop();
    const restore = await api.backUp();
    await api.start();
    const replica = replicaOf(api, `${folder.path}/bot.db`);
    await change(api, 'lost');
    await waitUntil(() => replica.get(guild).prefix === 'lost', { message: 'the change that will be lost' });
    await api.stop();
    await restore();
    await api.start();
    await waitUntil(() => replica.get(guild).prefix === 'old', { message: 'the old state' });
    await replica.close();
  });
});
