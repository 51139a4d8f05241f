import { fileURLToPath } from 'node:url';
import { createGuildSettingsClient } from '@guild-settings/client';
import { APPLICATION, GUILDS, startWorld, tokenOf } from '@guild-settings/discord-sim/testing/world';
import { freePort, type Program, startProgram, temporaryFolder, waitUntil } from '@guild-settings/testing';
import { expect, test } from 'vitest';
import { TestReplica } from './testing/test-replica.ts';

const MAIN = fileURLToPath(new URL('../../apps/api/src/main.ts', import.meta.url));

/** Number of acknowledged changes of each guild before the service is killed. */
const MIN_CHANGES = 20;

test('kill -9 while writing: what was acknowledged is there, and a replica resumes without a reset', async () => {
  using folder = temporaryFolder();
  await using discord = await startWorld();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const start = async (): Promise<Program> => {
    const env = {
      PORT: String(port),
      DATABASE_URL: `file:${folder.file('api.db')}`,
      DISCORD_API_URL: discord.apiUrl,
      DISCORD_APPLICATION_ID: APPLICATION.id,
      RATE_LIMIT_PER_MINUTE: '0',
    };
    const api = startProgram({ args: [MAIN], env });
    await api.waitForOutput(/listening at/);
    return api;
  };
  const token = tokenOf('application');
  const client = createGuildSettingsClient({ url, token });
  const acknowledged = new Map(GUILDS.map(({ id }) => [id, 0]));
  const write = async (guild: string): Promise<void> => {
    for (let change = 1; ; change += 1) {
      // Two fields, to detect torn records.
      const mark = String(change);
      await client.guilds.update.mutate({ guild, prefix: mark, enabledFeatures: [mark] });
      acknowledged.set(guild, change);
    }
  };

  await using killed = await start();
  await using replica = new TestReplica();
  replica.start({ url, token });
  await waitUntil(() => replica.count('live') === 1, { message: 'the replica to be live' });
  const writers = GUILDS.map(({ id }) => expect(write(id)).rejects.toThrow());
  await waitUntil(() => [...acknowledged.values()].every((change) => change >= MIN_CHANGES), { message: 'changes' });
  await killed.end('SIGKILL');
  await Promise.all(writers);

  await using _ = await start();
  await waitUntil(() => replica.count('live') === 2, { message: 'the replica to be live again' });
  for (const [guild, change] of acknowledged) {
    const { prefix, enabledFeatures } = await client.guilds.get.query({ guild });
    // The last change may have been committed but not acknowledged.
    expect([change, change + 1]).toContain(Number(prefix));
    expect(enabledFeatures).toEqual([prefix]);
    expect(replica.records.get(guild)?.guild).toMatchObject({ prefix, enabledFeatures });
  }
  expect([replica.count('reset'), replica.violations]).toEqual([1, []]);
});
