import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { APPLICATION } from '@guild-settings/discord-sim/testing/world';
import { serveHttp, waitUntil } from '@guild-settings/testing';
import { startApi } from '@guild-settings/testing/api';
import { Browser, PAGE_ENV } from '@guild-settings/testing/page-visitor';
import { IDS } from '@guild-settings/testing/people';
import { expect, test } from 'vitest';
import { OPERATIONS_BY_PATH } from '../../src/operations/handlers.ts';

const DAY_MS = 86_400_000;

/** The inputs of operations that need more than the guild. */
const INPUTS: Readonly<Record<string, object>> = {
  'guilds.change': { guild: IDS.guild, revision: 1 },
  'guilds.members': { guild: IDS.guild, ids: [IDS.owner] },
};

test('after a walk through everything, no token, code, key or id of a session is in a response, a log line or the database', async () => {
  await using api = await startApi({ ...PAGE_ENV, LOG_LEVEL: 'trace' });
  const { discord } = api;
  const secrets = new Set<string>([PAGE_ENV.SESSION_KEY, APPLICATION.clientSecret]);
  // Discord, with a record of the tokens that it issues.
  await using proxy = await serveHttp(async (request, response) => {
    const { method = 'GET', url } = request;
    const { host: _, connection: __, ...headers } = request.headers as Record<string, string>;
    const body = method === 'POST' ? Buffer.concat(await request.toArray()) : null;
    const answer = await fetch(`${discord.url}${url}`, { method, headers, body }).catch(() => undefined);
    if (answer === undefined) return void response.destroy();
    const text = await answer.text();
    for (const [, token = ''] of text.matchAll(/"(?:access|refresh)_token":"([^"]+)"/g)) secrets.add(token);
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' }).end(text);
  });
  const { pathname } = new URL(discord.apiUrl);
  await api.restart({ DISCORD_API_URL: `${proxy.url}${pathname}`, DISCORD_AUTHORIZE_URL: discord.authorizeUrl });

  const responses: string[] = [];
  const browser = new Browser(api);
  const collect = async (response: Response) => {
    const headers = [...response.headers].filter(([name]) => name !== 'set-cookie');
    responses.push(JSON.stringify(headers), await response.text());
    if (browser.session !== '') secrets.add(browser.session);
    return response;
  };
  const read = async () => (await collect(await browser.call('guilds.get'))).status;
  const walk = async () => {
    for (const path of ['/', '/session', '/sessions', '/readyz', '/none']) await collect(await browser.visit(path));
    await collect(await browser.open(`/guilds/${IDS.guild}`));
    for (const [name, { type }] of OPERATIONS_BY_PATH) {
      const input = INPUTS[name] ?? (/^guilds\.|guild$/.test(name) ? { guild: IDS.guild } : {});
      if (type === 'query') await collect(await browser.call(name, input));
    }
    for (const prefix of ['?', 7]) await collect(await browser.call('guilds.update', { guild: IDS.guild, prefix }));
  };
  const login = () => browser.login({ change: ({ searchParams }) => void secrets.add(searchParams.get('code') ?? '') });
  const untilExpired = async () => {
    for (let day = 0; day < 8; day++) {
      api.clock.now += DAY_MS - 60_000;
      await collect(await browser.visit('/session'));
      const now = new Date(api.clock.now).toISOString();
      await waitUntil(async () => (await (await browser.visit('/sessions')).text()).includes(now));
    }
  };

  await login();
  await walk();
  const stream = await browser.follow();
  // A renewal whose response is lost, after which Discord refuses the next one, and one that succeeds.
  await untilExpired();
  discord.faults.set({ kind: 'wrong-shape' }, { path: '/oauth2/token', times: 1 });
  expect([await read(), await read()]).toStrictEqual([503, 401]);
  await login();
  await untilExpired();
  expect(await read()).toBe(200);
  discord.faults.set({ kind: 'close-socket' });
  api.clock.now += 600_000;
  await walk();
  await collect(await browser.open('/callback?code=a-code-of-no-login&state=x'));
  secrets.add('a-code-of-no-login');
  await collect(await browser.logout());

  secrets.delete('');
  // The codes, two ids, three pairs, the key and the secret of the application, and the invented code.
  expect(secrets.size).toBe(13);
  const folder = dirname(api.databasePath);
  const files = readdirSync(folder).filter((name) => name.startsWith(basename(api.databasePath)));
  expect(files.length).toBeGreaterThan(1);
  responses.push(await stream.whole);
  const places = {
    responses: responses.join('\n'),
    log: api.log(),
    database: files.map((name) => readFileSync(join(folder, name), 'latin1')).join('\n'),
  };
  for (const [place, text] of Object.entries(places)) {
    for (const secret of secrets) expect(text.includes(secret), `${secret} in the ${place}`).toBe(false);
  }
  expect(places.log).toContain('"path":"/callback"');
  // The responses include those that could contain a token.
  for (const part of ['"scopes":', '"botPresent":', '"inviteUrl":', '"descriptions":', 'data: {"type":"guild"'])
    expect(places.responses).toContain(part);
});
