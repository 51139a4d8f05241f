import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { APPLICATION, BOT, GUILDS, PEOPLE, startWorld, tokenOf } from '@guild-settings/discord-sim/testing/world';
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

const EXAMPLE = fileURLToPath(new URL('../../../examples/own-settings/settings.ts', import.meta.url));
const [{ id: GUILD, channels: CHANNELS }, , { id: CAFE }] = GUILDS as readonly [
  (typeof GUILDS)[0],
  unknown,
  (typeof GUILDS)[0],
];
const HOUR_MS = 3_600_000;

interface Entry {
  readonly at: string;
  readonly actor: { readonly id: string };
  readonly changes: Readonly<Record<string, { readonly to: unknown }>>;
  readonly undoes?: number;
}

const reader = (apiUrl: string) => async (path: string) =>
  (await fetch(`${apiUrl}${path}`, { headers: { authorization: `Bearer ${tokenOf('owner')}` } })).json();

test('a new database has changes of two people in the last days, of which one is undone and one chose a channel that is deleted', async () => {
  using folder = temporaryFolder();
  const config = readSandboxConfig({ ...environment(folder), BOT: 'off' });
  let first: Entry[] = [];
  for (const _ of ['a first start', 'a second start, which adds none']) {
    await using sandbox = await startSandbox(config, { hasFirstChanges: true });
    const read = reader(sandbox.apiUrl);
    const { entries } = (await read(`/guilds/${GUILD}/history`)) as { entries: Entry[] };
    const told = entries.map(({ actor, changes, undoes }) => [actor.id, Object.keys(changes)[0], undoes !== undefined]);
    expect(told).toStrictEqual([
      [PEOPLE.owner.id, 'prefix', true],
      [PEOPLE.manager.id, 'prefix', false],
      [PEOPLE.manager.id, 'enabledFeatures', false],
      [PEOPLE.owner.id, 'announcement_channel', false],
      [APPLICATION.id, 'name', false],
    ]);
    const hoursAgo = entries.map(({ at }) => (Date.now() - Date.parse(at)) / HOUR_MS);
    expect(hoursAgo).toStrictEqual(hoursAgo.toSorted((a, b) => a - b));
    expect(hoursAgo.every((hours) => hours > 1 && hours < 72)).toBe(true);
    const { announcement_channel: channel, ...record } = (await read(`/guilds/${GUILD}`)) as Record<string, unknown>;
    expect(record).toMatchObject({ prefix: '!', beta: false, language: 'en-US', enabledFeatures: ['reminders'] });
    expect(channel).toMatch(/^\d{18}$/);
    expect(Object.values(CHANNELS)).not.toContain(channel);
    expect(await read(`/guilds/${CAFE}`)).toMatchObject({ language: 'ja' });
    if (first.length > 0) expect(entries).toStrictEqual(first);
    first = entries;
  }
});

test('a change that is made after the start has the time of the clock', async () => {
  using folder = temporaryFolder();
  const config = readSandboxConfig({ ...environment(folder), BOT: 'off' });
  await using sandbox = await startSandbox(config, { hasFirstChanges: true });
  await fetch(`${sandbox.apiUrl}/guilds/${GUILD}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${tokenOf('manager')}`, 'content-type': 'application/json' },
    body: '{"beta":true}',
  });
  const { entries } = (await reader(sandbox.apiUrl)(`/guilds/${GUILD}/history?limit=1`)) as { entries: Entry[] };
  expect(Math.abs(Date.now() - Date.parse(entries[0]?.at ?? ''))).toBeLessThan(HOUR_MS);
});

test('an existing database is left as it is, also at the first start with declared settings', async () => {
  using folder = temporaryFolder();
  const env = { ...environment(folder), BOT: 'off' };
  const start = (more: object = {}) => startSandbox(readSandboxConfig({ ...env, ...more }), { hasFirstChanges: true });
  const changes = async ({ apiUrl }: { readonly apiUrl: string }) => reader(apiUrl)(`/guilds/${GUILD}/history`);
  let before: unknown;
  {
    await using sandbox = await start();
    before = await changes(sandbox);
  }
  await using sandbox = await start({ SETTINGS_FILE: EXAMPLE });
  expect(await changes(sandbox)).toStrictEqual(before);
});

test('a declaration that reserves a setting of the example for the application does not prevent the start', async () => {
  using folder = temporaryFolder();
  const file = folder.file('settings.json');
  const volume = { kind: 'integer', min: 0, max: 100, default: 50, setBy: 'application', label: { 'en-US': 'Volume' } };
  writeFileSync(file, JSON.stringify({ settings: { volume } }));
  const config = readSandboxConfig({ ...environment(folder), BOT: 'off', SETTINGS_FILE: file });
  await using sandbox = await startSandbox(config, { hasFirstChanges: true });
  expect(await reader(sandbox.apiUrl)(`/guilds/${GUILD}`)).toMatchObject({ custom: { volume: 50 } });
});

test('with the settings of the example, the changes of a new database are of these as well', async () => {
  using folder = temporaryFolder();
  const config = readSandboxConfig({ ...environment(folder), BOT: 'off', SETTINGS_FILE: EXAMPLE });
  await using sandbox = await startSandbox(config, { hasFirstChanges: true });
  const read = reader(sandbox.apiUrl);
  expect(await read(`/guilds/${GUILD}`)).toMatchObject({
    prefix: '?',
    enabledFeatures: ['music'],
    custom: {
      welcomeOn: true,
      welcomeChannel: CHANNELS.general,
      levelsOn: true,
      xpRate: 1.5,
      volume: 80,
      spam: 'delete',
    },
  });
  const { entries } = (await read(`/guilds/${GUILD}/history`)) as { entries: Entry[] };
  expect(new Set(entries.map(({ actor }) => actor.id))).toStrictEqual(
    new Set([PEOPLE.owner.id, PEOPLE.manager.id, APPLICATION.id]),
  );
});

test('a second tab is another person at the other name of this machine, who may change settings there', async () => {
  using folder = temporaryFolder();
  await using sandbox = await startSandbox(readSandboxConfig({ ...environment(folder), BOT: 'off' }));
  const second = sandbox.secondTabUrl ?? '';
  const { origin } = new URL(second);
  expect(origin).toBe(sandbox.dashboardUrl?.replace('127.0.0.1', 'localhost'));
  expect(textReport(sandbox)).toContain(`${second} (open a second tab as Ольга`);
  expect(JSON.parse(jsonReport(sandbox))).toMatchObject({ secondTab: second });
  const loggedIn = await fetch(second, { redirect: 'manual' });
  expect([loggedIn.status, loggedIn.headers.get('location')]).toStrictEqual([302, '/']);
  const cookie = loggedIn.headers.getSetCookie().map((header) => header.split(';', 1)[0]);
  const send = (pageOrigin: string, body: object) =>
    fetch(`${origin}/trpc/guilds.update`, {
      method: 'POST',
      headers: {
        cookie: cookie.join('; '),
        origin: pageOrigin,
        'content-type': 'application/json',
        'sec-fetch-site': 'same-origin',
        'x-requested-by': 'dashboard',
        'x-requested-for': PEOPLE.owner.id,
      },
      body: JSON.stringify({ guild: GUILD, ...body }),
    });
  expect((await send(origin, { prefix: '%' })).status).toBe(200);
  // A page of another site is refused there as well.
  expect((await send('http://settings.example', { prefix: '&' })).status).toBe(400);
  expect(await reader(sandbox.apiUrl)(`/guilds/${GUILD}`)).toMatchObject({ prefix: '%' });
  const { entries } = (await reader(sandbox.apiUrl)(`/guilds/${GUILD}/history?limit=1`)) as { entries: Entry[] };
  expect(entries).toMatchObject([{ actor: { id: PEOPLE.owner.id } }]);
  // Discord's page leads back to the page's own name, so a login without a person begins there.
  const plain = await fetch(`${origin}/login`, { redirect: 'manual' });
  expect(plain.headers.get('location')).toBe(`${sandbox.dashboardUrl}/login`);
});
