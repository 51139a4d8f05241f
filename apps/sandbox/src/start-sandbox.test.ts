import { APPLICATION, BOT, startWorld, tokenOf } from '@guild-settings/discord-sim/testing/world';
import { freePort, serveHttp, temporaryFolder } from '@guild-settings/testing';
import { expect, test } from 'vitest';
import { readSandboxConfig } from './config.ts';
import { jsonReport, textReport } from './run-until-stopped.ts';
import { startSandbox } from './start-sandbox.ts';

const environment = (folder: ReturnType<typeof temporaryFolder>) => ({
  PORT: '0',
  SIM_PORT: '0',
  HEALTH_PORT: '0',
  DATABASE_URL: `file:${folder.file('guild-settings.db')}`,
  BOT_DATABASE_URL: `file:${folder.file('bot.db')}`,
});

test('another dashboard logs people in by a redirect URI of its own, beside the page of the sandbox', async () => {
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

test('with BOT=off Discord has no session of the bot, and the report has the token to start another one', async () => {
  using folder = temporaryFolder();
  await using sandbox = await startSandbox(readSandboxConfig({ ...environment(folder), BOT: 'off' }));
  expect(sandbox.simulator?.calls.count({ path: '/gateway/bot' })).toBe(0);
  const report = textReport(sandbox);
  expect(report).toContain(`not started: start yours with the token ${BOT.token}`);
  expect(report).not.toContain('/help');
});

test('a port serves api and page, and the documentation at another host than that of the page', async () => {
  using folder = temporaryFolder();
  for (const [host, other] of [
    ['127.0.0.1', 'localhost'],
    ['localhost', '127.0.0.1'],
  ]) {
    const port = await freePort();
    const env = { ...environment(folder), PORT: String(port), DASHBOARD_URL: `http://${host}:${port}` };
    await using sandbox = await startSandbox(readSandboxConfig(env));
    const { apiUrl, dashboardUrl, docsUrl } = sandbox;
    expect([apiUrl, dashboardUrl, docsUrl]).toStrictEqual([
      `http://127.0.0.1:${port}`,
      `http://${host}:${port}`,
      `http://${other}:${port}/docs`,
    ]);
    const open = async (url: string) => (await fetch(url, { headers: { accept: 'text/html' } })).text();
    expect(await open(`${dashboardUrl}`)).toContain('<meta name="application-name"');
    expect(await open(`${docsUrl}`)).toContain(tokenOf('manager'));
    expect(await open(`${dashboardUrl}/docs`)).not.toContain(tokenOf('manager'));
  }
});

test('with an application of one’s own, /docs is served nowhere beside the page, and the report shows no secret', async () => {
  using folder = temporaryFolder();
  await using discord = await startWorld();
  const env = {
    ...environment(folder),
    DISCORD_API_URL: discord.apiUrl,
    DISCORD_APPLICATION_ID: APPLICATION.id,
    DISCORD_CLIENT_SECRET: APPLICATION.clientSecret,
    DISCORD_BOT_TOKEN: BOT.token,
  };
  await using sandbox = await startSandbox(readSandboxConfig(env));
  const { apiUrl, dashboardUrl, docsUrl } = sandbox;
  expect([apiUrl, docsUrl]).toStrictEqual([dashboardUrl, null]);
  expect(JSON.parse(jsonReport(sandbox))).toMatchObject({ dashboard: dashboardUrl, docs: null });
  for (const url of [apiUrl, apiUrl.replace('127.0.0.1', 'localhost')])
    expect((await fetch(`${url}/docs`)).status, url).toBe(404);
  for (const report of [jsonReport(sandbox), textReport(sandbox)]) {
    for (const secret of [APPLICATION.clientSecret, BOT.token]) expect(report).not.toContain(secret);
  }
});
