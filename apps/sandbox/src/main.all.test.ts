import { startDiscordSim } from '@guild-settings/discord-sim';
import { APPLICATION, BOT, startWorld } from '@guild-settings/discord-sim/testing/world';
import { freePort, serveHttp, temporaryFolder, unreachableUrl, waitUntil } from '@guild-settings/testing';
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
  expect(report.split('\n')[0]).toBe(
    `Your application ${applicationId}, Discord at ${discord.apiUrl}. Unset every DISCORD_* variable for a simulated Discord.`,
  );
  expect(report).toContain('real Discord');
  expect(report).not.toContain('sandbox-manager-token');
  const [line = ''] = curlLines(report);
  const pasted = line.replace('<guild id>', '1300000000000000001').replace('<access token>', accessToken);
  expect(await runCurl(pasted)).toMatchObject({ status: 200, body: { name: 'Own guild' } });
  sandbox.signal('SIGTERM');
  expect((await sandbox.exited).code).toBe(0);
});

test('a Discord that does not answer is waited for: one sentence says so, and another that it answers', async () => {
  using folder = temporaryFolder();
  const port = await freePort();
  const env = {
    DISCORD_APPLICATION_ID: APPLICATION.id,
    DISCORD_API_URL: `http://127.0.0.1:${port}/api/v10`,
    DISCORD_CLIENT_SECRET: APPLICATION.clientSecret,
    DISCORD_BOT_TOKEN: BOT.token,
  };
  await using sandbox = runSandbox({ folder: folder.path, env });
  await sandbox.waitForOutput(/Discord does not answer at/);
  {
    let requests = 0;
    await using _silent = await serveHttp((request) => {
      requests += 1;
      request.destroy();
    }, port);
    await waitUntil(() => requests > 1);
  }
  await using _discord = await startWorld({ port });
  await sandbox.printed(STARTED);
  expect(sandbox.stderr()).toBe(
    `Discord does not answer at http://127.0.0.1:${port}/api/v10: connect ECONNREFUSED 127.0.0.1:${port}. Waiting for it; stop with Ctrl-C.\nDiscord answers.\n`,
  );
});

test('while it waits for Discord, SIGTERM ends it with exit code 0', async () => {
  using folder = temporaryFolder();
  const env = { DISCORD_APPLICATION_ID: APPLICATION.id, DISCORD_API_URL: await unreachableUrl() };
  await using sandbox = runSandbox({ folder: folder.path, args: ['--json'], env });
  await sandbox.waitForOutput(/Discord does not answer at/);
  sandbox.signal('SIGTERM');
  expect((await sandbox.exited).code).toBe(0);
  expect(sandbox.stdout()).toBe('');
  expect(sandbox.stderr()).toMatch(/^Your application .*\nDiscord does not answer .*\n$/);
});
