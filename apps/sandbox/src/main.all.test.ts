import { startDiscordSim } from '@guild-settings/discord-sim';
import { temporaryFolder } from '@guild-settings/testing';
import { expect, test } from 'vitest';
import { curlLines, runCurl, runSandbox, STARTED } from './testing/sandbox-process.ts';

test('--help explains the options and the environment', async () => {
  using folder = temporaryFolder();
  await using sandbox = runSandbox({ folder: folder.path, args: ['--help'] });
  expect((await sandbox.exited).code).toBe(0);
  for (const word of [
    '--json',
    'SIM_PORT',
    'SIM_REDIRECT_URIS',
    'PREFIX_COMMANDS',
    'HEALTH_PORT',
    'DATABASE_URL',
    'BOT_DATABASE_URL',
    'DISCORD_BOT_TOKEN',
  ]) {
    expect(sandbox.stdout()).toContain(word);
  }
});

test('with DISCORD_APPLICATION_ID it runs the api against that Discord, and says so', async () => {
  await using discord = await startDiscordSim();
  const applicationId = '1100000000000000001';
  const user = { id: '1200000000000000001', username: 'own' };
  discord.world.addApplication({ id: applicationId, clientSecret: 'own-secret' });
  discord.world.addUser(user);
  discord.world.addGuild({ id: '1300000000000000001', name: 'Own guild', ownerId: user.id });
  const { accessToken } = discord.world.issueUserToken({
    userId: user.id,
    applicationId,
    scopes: ['identify', 'guilds'],
  });

  using folder = temporaryFolder();
  const env = { DISCORD_APPLICATION_ID: applicationId, DISCORD_API_URL: discord.apiUrl };
  await using sandbox = runSandbox({ folder: folder.path, env });
  const report = await sandbox.printed(STARTED);
  expect(report).toContain('real Discord');
  expect(report).not.toContain('sandbox-manager-token');
  const [line = ''] = curlLines(report);
  const pasted = line.replace('<guild id>', '1300000000000000001').replace('<access token>', accessToken);
  expect(await runCurl(pasted)).toMatchObject({ status: 200, body: { name: 'Own guild' } });
  sandbox.signal('SIGTERM');
  expect((await sandbox.exited).code).toBe(0);
});
