import { createGuildSettingsClient } from '@guild-settings/client';
import { openReplica, type Replica } from '@guild-settings/replica';
import { describe, expect, test } from 'vitest';
import { insist } from './testing/insist.ts';
import { until } from './testing/replica.ts';
import { type RestartableApi, startRestartableApi } from './testing/restartable-api.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';
import { GUILDS, tokenOf } from './world.ts';

const token = tokenOf('application');
const guild = GUILDS[0].id;

function replicaOf({ url }: RestartableApi, path: string): Replica {
  return openReplica({ apiUrl: url, credentials: token, path });
}

const change = ({ url }: RestartableApi, prefix: string) => {
  const client = createGuildSettingsClient({ url, token });
  return insist(() => client.guilds.update.mutate({ guild, prefix }));
};

describe("the bot's replica", () => {
  test('has a change as soon as the service has acknowledged it', async () => {
    await using api = await startRestartableApi();
    await using folder = await temporaryFolder();
    const replica = replicaOf(api, `${folder.path}/bot.db`);
    await until(() => replica.status.state === 'LIVE', 'live');
    await change(api, '?');
    const started = performance.now();
    await until(() => replica.get(guild).prefix === '?', 'the change');
    expect(performance.now() - started).toBeLessThan(1_000);
    await replica.close();
  });

  test('answers on while the service is gone, also after a restart, and is live within 2 s of its return', async () => {
    await using api = await startRestartableApi();
    await using folder = await temporaryFolder();
    await change(api, '1');
    const first = replicaOf(api, `${folder.path}/bot.db`);
    await until(() => first.status.state === 'LIVE', 'live');
    await api.stop();
    await until(() => first.status.state === 'STALE', 'stale');
    expect(first.get(guild).prefix).toBe('1');
    await first.close();

    const second = replicaOf(api, `${folder.path}/bot.db`);
    expect(second.get(guild).prefix).toBe('1');
    expect(second.status).toEqual({ state: 'STALE', since: expect.any(Date) });
    await until(() => second.metrics.reconnects >= 3, 'some tries');
    await api.start();
    await change(api, '2');
    const started = performance.now();
    await until(() => second.status.state === 'LIVE' && second.get(guild).prefix === '2', 'live again');
    expect(performance.now() - started).toBeLessThan(2_000);
    await second.close();
  });

  test('is reset and equal when an older copy of the service’s database was put back under it', async () => {
    await using api = await startRestartableApi();
    await using folder = await temporaryFolder();
    await change(api, 'old');
    await api.stop();
    const restore = await api.backUp();
    await api.start();
    const replica = replicaOf(api, `${folder.path}/bot.db`);
    await change(api, 'lost');
    await until(() => replica.get(guild).prefix === 'lost', 'the change that will be lost');
    await api.stop();
    await restore();
    await api.start();
    await until(() => replica.get(guild).prefix === 'old', 'the old state');
    await replica.close();
  });
});
