import { fileURLToPath } from 'node:url';
import { freePort, startProgram, startTestPostgres, temporaryFolder, unreachableUrl } from '@guild-settings/testing';
import { expect, test } from 'vitest';
import { Browser } from '../src/testing/browser.ts';
import { IDS, startDashboardWorld } from '../src/testing/dashboard-world.ts';

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));

const ENV = {
  DISCORD_APPLICATION_ID: IDS.application,
  DISCORD_CLIENT_SECRET: 'client-secret-of-the-process',
  SESSION_KEY: '2a'.repeat(32),
};

test('the built program serves the page, and SIGTERM ends it in order although a stream is open', async () => {
  await using world = await startDashboardWorld();
  using folder = temporaryFolder();
  // The sessions are those of a dashboard that ended before.
  const key = { SESSION_KEY: world.sessionKey, DATABASE_URL: `file:${folder.file('dashboard.db')}` };
  const before = await world.start(key);
  const browser = new Browser();
  await before.login(browser);
  await before.close();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = { ...ENV, ...key, DASHBOARD_URL: url, API_URL: world.apiUrl, DISCORD_API_URL: world.discord.apiUrl };
  await using program = startProgram({ args: [MAIN], env: { ...env, PORT: String(port) } });
  await program.waitForOutput(/listening at/);
  expect(program.output()).toMatch(/"version":"\d+\.\d+\.\d+",.*"store":"SQLite \/.*\/dashboard\.db","msg":"starting"/);
  const page = await browser.visit(url, { headers: { accept: 'text/html' } });
  expect([page.status, (await browser.visit(`${url}/readyz`)).status]).toStrictEqual([200, 200]);
  const input = encodeURIComponent(JSON.stringify({ guild: IDS.guild }));
  const stream = await browser.visit(`${url}/trpc/guilds.follow?input=${input}`);
  expect(stream.status).toBe(200);
  program.signal('SIGTERM');
  await stream.text();
  expect((await program.exited).code).toBe(0);
  expect(program.output()).toMatch(/"signal":"SIGTERM","msg":"closing"/);
  expect(program.output()).not.toContain(world.sessionKey);
});

test('without its variables it names them and ends', async () => {
  await using program = startProgram({ args: [MAIN], env: { SESSION_KEY: 'not-a-key' } });
  expect((await program.exited).code).toBe(1);
  expect(program.stderr()).toMatch(/DASHBOARD_URL: .*\n.*DISCORD_APPLICATION_ID: [\s\S]*SESSION_KEY: /);
  expect(program.stderr()).not.toContain('not-a-key');
});

test('a database that cannot be reached ends it, without the password', async () => {
  const url = `${(await unreachableUrl()).replace('http:', 'postgres:').replace('//', '//u:hunter2hunter2@')}/d`;
  const env = { ...ENV, DASHBOARD_URL: 'http://127.0.0.1:3003', DATABASE_URL: url };
  await using program = startProgram({ args: [MAIN], env });
  expect((await program.exited).code).toBe(1);
  expect(program.stderr()).toMatch(/^connect ECONNREFUSED .*\. Nothing listens at this host and port\. .*\n$/);
  expect(program.output()).not.toContain('hunter2hunter2');
});

test('a database without TLS ends it where the URL asks for TLS, with a remedy', async () => {
  await using postgres = await startTestPostgres();
  const DATABASE_URL = `${await postgres.createDatabase()}?sslmode=verify-full`;
  const env = { ...ENV, DASHBOARD_URL: 'http://127.0.0.1:3003', DATABASE_URL };
  await using program = startProgram({ args: [MAIN], env });
  expect((await program.exited).code).toBe(1);
  expect(program.stderr()).toMatch(/^The server does not support SSL connections\. Remove sslmode .*\n$/);
});
