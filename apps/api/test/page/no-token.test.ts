import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { APPLICATION } from '@guild-settings/discord-sim/testing/world';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { SealedTokens } from '../../src/server/session/sealed-tokens.ts';
import type { SessionRow } from '../../src/server/session/session-store.ts';
import { Browser } from '../../src/testing/browser.ts';
import { IDS, startDashboardWorld, type TestDashboard } from '../../src/testing/dashboard-world.ts';
import { openStream } from '../../src/testing/open-stream.ts';

const DAY_MS = 86_400_000;

const GUILD = { guild: IDS.guild };

/** All that a page can read, and what it cannot. */
const QUERIES: readonly [procedure: string, input: object][] = [
  ...['get', 'history', 'export', 'arrival', 'channels', 'roles', 'access', 'none'].map((name): [string, object] => [
    `guilds.${name}`,
    GUILD,
  ]),
  ['guilds.change', { ...GUILD, revision: 1 }],
  ['guilds.members', { ...GUILD, ids: [IDS.owner] }],
  ['users.guild', GUILD],
  ...['users.me', 'users.guilds', 'application.get', 'features.list', 'settings.get'].map((name): [string, object] => [
    name,
    {},
  ]),
];

test('after a walk through everything, no token, code, key or id of a session is in a response, a log line or the database', async () => {
  await using world = await startDashboardWorld();
  const dashboard = await world.start({ LOG_LEVEL: 'trace' });
  const responses: string[] = [];
  const browser = new Browser();
  const secrets = new Set<string>([world.sessionKey, APPLICATION.clientSecret]);
  const sealed = new SealedTokens([Buffer.from(world.sessionKey, 'base64')]);

  const collect = () => {
    secrets.add(browser.cookies.get('session') ?? '');
    const file = new Database(dashboard.databasePath, { readonly: true });
    const rows = file.prepare('SELECT id_hash AS idHash, tokens, 0 AS tokensExpireAt FROM sessions').all();
    file.close();
    for (const row of rows as SessionRow[]) {
      const pair = sealed.open(row);
      secrets.add(pair?.accessToken ?? '').add(pair?.refreshToken ?? '');
    }
  };
  const visit: TestDashboard['visit'] = async (...args) => {
    const response = await dashboard.visit(...args);
    const headers = [...response.headers].filter(([name]) => name !== 'set-cookie');
    responses.push(JSON.stringify(headers), await response.clone().text());
    return response;
  };
  const call = (procedure: string, input: object, method = 'GET') =>
    method === 'GET'
      ? visit(browser, `/trpc/${procedure}?input=${encodeURIComponent(JSON.stringify(input))}`)
      : visit(browser, `/trpc/${procedure}`, { method, body: input });

  await dashboard.login(browser, {
    change: (callback) => void secrets.add(callback.searchParams.get('code') ?? ''),
  });
  collect();
  const walk = async () => {
    for (const path of ['/', '/session', '/sessions', '/readyz', '/none']) await visit(browser, path);
    for (const [procedure, input] of QUERIES) await call(procedure, input);
    await call('guilds.update', { guild: IDS.guild, prefix: '?' }, 'POST');
    await call('guilds.update', { guild: IDS.guild, prefix: 7 }, 'POST');
  };
  await walk();
  const stream = await openStream(dashboard, browser);
  // A renewal that fails, one that succeeds, and what is said while the service is away.
  for (let day = 0; day < 8; day++) {
    world.clock.now += DAY_MS - 60_000;
    await visit(browser, '/session');
  }
  world.discord.faults.set({ kind: 'wrong-shape' }, { path: '/oauth2/token', times: 1 });
  expect((await call('guilds.get', { guild: IDS.guild })).status).toBe(503);
  expect((await call('guilds.get', { guild: IDS.guild })).status).toBe(401);
  await dashboard.login(browser);
  collect();
  for (let day = 0; day < 8; day++) {
    world.clock.now += DAY_MS - 60_000;
    await visit(browser, '/session');
  }
  expect((await call('guilds.get', { guild: IDS.guild })).status).toBe(200);
  collect();
  await world.stopApi();
  await walk();
  await world.startApi();
  await visit(browser, '/callback?code=a-code-that-nobody-gave&state=x');
  secrets.add('a-code-that-nobody-gave');
  await visit(browser, '/logout', { method: 'POST', body: {} });

  secrets.delete('');
  // The code, two ids, three pairs, the key and the secret of the application, and the invented code.
  expect(secrets.size).toBe(12);
  const folder = dirname(dashboard.databasePath);
  const files = readdirSync(folder).filter((name) => name.startsWith(basename(dashboard.databasePath)));
  expect(files.length).toBeGreaterThan(1);
  responses.push(await stream.whole);
  const places = {
    responses: responses.join('\n'),
    log: dashboard.log(),
    database: files.map((name) => readFileSync(join(folder, name), 'latin1')).join('\n'),
  };
  for (const [place, text] of Object.entries(places)) {
    for (const secret of secrets) expect(text.includes(secret), `${secret} in the ${place}`).toBe(false);
  }
  expect(places.log).toContain('"route":"/callback"');
  // The responses include those that could have had a token.
  for (const part of ['"scopes":', '"botPresent":', '"inviteUrl":', '"descriptions":', 'data: {"type":"guild"'])
    expect(places.responses).toContain(part);
});
