import { APPLICATION } from '@guild-settings/discord-sim/testing/world';
import { serveHttp, temporaryFolder } from '@guild-settings/testing';
import { expect, test } from 'vitest';
import { readSandboxConfig } from './config.ts';
import { startSandbox } from './start-sandbox.ts';

/** Free ports, and files in a folder. */
const environment = (folder: ReturnType<typeof temporaryFolder>) => ({
  PORT: '0',
  SIM_PORT: '0',
  HEALTH_PORT: '0',
  DASHBOARD_PORT: '0',
  DATABASE_URL: `file:${folder.file('guild-settings.db')}`,
  BOT_DATABASE_URL: `file:${folder.file('bot.db')}`,
  DASHBOARD_DATABASE_URL: `file:${folder.file('dashboard.db')}`,
});

test('another dashboard logs people in by a redirect URI of its own, beside the dashboard of the sandbox', async () => {
  using folder = temporaryFolder();
  const own = 'http://localhost:4000/api/auth/callback';
  await using sandbox = await startSandbox(readSandboxConfig({ ...environment(folder), SIM_REDIRECT_URIS: own }));
  const { discord, dashboardUrl } = sandbox;
  for (const [redirectUri, status] of [
    [own, 200],
    [`${dashboardUrl}/callback`, 200],
    ['http://localhost:4000/elsewhere', 400],
  ] as const) {
    const url = new URL(discord.authorizeUrl);
    url.search = new URLSearchParams({
      client_id: APPLICATION.id,
      response_type: 'code',
      scope: 'identify guilds',
      redirect_uri: redirectUri,
    }).toString();
    expect((await fetch(url)).status, redirectUri).toBe(status);
  }
});

test.each([
  ['PORT', 'the api'],
  ['SIM_PORT', 'the simulated Discord'],
  ['HEALTH_PORT', "the bot's health"],
  ['DASHBOARD_PORT', 'the dashboard'],
])('a taken %s is named with the way out', async (variable, server) => {
  await using taken = await serveHttp();
  using folder = temporaryFolder();
  const config = readSandboxConfig({ ...environment(folder), [variable]: String(taken.port) });
  await expect(startSandbox(config)).rejects.toMatchObject({
    name: 'PortTakenError',
    message: expect.stringMatching(
      new RegExp(
        `^Port ${taken.port} is taken, so ${server} cannot listen on it\\.\\n.*choose another: .*\\b${variable}=\\d+ .*npx --yes pnpm@12 start$`,
      ),
    ),
  });
});
