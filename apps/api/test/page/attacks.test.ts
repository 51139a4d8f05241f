import { setTimeout as delay } from 'node:timers/promises';
import { waitUntil } from '@guild-settings/testing';
import { sharedApi, startApi } from '@guild-settings/testing/api';
import { Browser, loggedIn, PAGE_ENV } from '@guild-settings/testing/page-visitor';
import { IDS } from '@guild-settings/testing/people';
import { connectTo, rawExchange } from '@guild-settings/testing/raw-http';
import { expect, test } from 'vitest';

const { guild } = IDS;

const here = sharedApi(PAGE_ENV);

test.each([
  ['the document', '/', 'GET', 'text/html'],
  ['the document of a guild', `/guilds/${guild}`, 'GET', 'text/html'],
  ['a file', 'FILE', 'GET'],
  ['an address that is none', '/none', 'GET', 'text/html'],
  ['a login', '/login', 'GET'],
  ['a callback', '/callback', 'GET'],
  ['a session that is made up', '/session', 'GET'],
  ['the sessions of one that is made up', '/sessions', 'GET'],
  ['a logout of one that is made up', '/logout', 'POST'],
])('a client with a made-up token counts as a stranger: %s', async (_, path, method, accept = '') => {
  await using api = await startApi({ ...PAGE_ENV, RATE_LIMIT_PER_MINUTE: '1' });
  const browser = new Browser(api);
  const [file = ''] = (await (await browser.open('/')).text()).match(/\/assets\/[^"]+\.js/) ?? [];
  const send = async (n: number) => {
    const headers = {
      'x-forwarded-for': '198.51.100.7',
      // The document is only sent for requests without a token.
      ...(accept === '' ? { authorization: `Bearer made-up-${n}` } : { accept }),
      cookie: `__Host-session=${String(n).padStart(43, 'A')}`,
    };
    return (await browser.visit(path.replace('FILE', file), { method, headers })).status;
  };
  for (let n = 0; n < 4; n += 1) expect(await send(n)).not.toBe(429);
  expect(await send(4)).toBe(429);
});

test('beside a token, the cookie is no session at the page’s own routes either', async () => {
  const browser = await loggedIn(here());
  const headers = { authorization: `Bearer ${here().tokens.manager}` };
  const statuses = [];
  for (const [method, path] of [
    ['GET', '/session'],
    ['GET', '/sessions'],
    ['DELETE', '/sessions'],
    ['DELETE', '/sessions/x'],
    ['POST', '/logout'],
  ] as const)
    statuses.push((await browser.visit(path, { method, headers })).status);
  expect(statuses).toStrictEqual([204, 401, 401, 401, 204]);
  expect(await browser.status()).toBe(200);
});

test.each([
  `/%67uilds/${guild}`,
  `http://settings.example/guilds/${guild}`,
  'http://settings.example/',
  '/%73essions',
  '/sessions#x',
])('a path of the page is known however it is written: %s', async (target) => {
  const request = (accept: string) =>
    `GET ${target} HTTP/1.1\r\nHost: settings.example\r\nAccept: ${accept}\r\nConnection: close\r\n\r\n`;
  const opened = await rawExchange(here().url, request('text/html'));
  expect(opened.head).toMatch(/^HTTP\/1\.1 200 [\s\S]*\r\ncontent-type: text\/html/i);
  const other = await rawExchange(here().url, request('*/*'));
  expect(other.head).not.toMatch(/content-type: text\/html/i);
  for (const { head } of [opened, other]) expect(head).toMatch(/\r\nvary: Authorization, Accept\b/i);
});

test('a header Accept of thousands of types is not parsed', async () => {
  const accept = 'text/html,'.repeat(1_400);
  const opened = await new Browser(here()).open('/none', { accept });
  expect([opened.status, opened.headers.get('content-type')]).toStrictEqual([
    404,
    'application/problem+json; charset=utf-8',
  ]);
});

test('a stream whose connection broke before it began is forgotten', async () => {
  await using api = await startApi(PAGE_ENV);
  const browser = await loggedIn(api);
  const watchers = async () => /^feed_watchers (\d+)$/m.exec(await (await fetch(`${api.url}/metrics`)).text())?.[1];
  const checks = () => api.discord.calls.count({ method: 'GET', path: '/oauth2/@me' });
  api.discord.faults.set({ kind: 'latency', ms: 300 }, { path: '/oauth2/@me' });
  api.discord.calls.reset();
  const socket = await connectTo(api.url);
  const address = `/trpc/guilds.follow?requested-for=${browser.person}&input=${encodeURIComponent(JSON.stringify({ guild }))}`;
  socket.write(
    `GET ${address} HTTP/1.1\r\nHost: x\r\nSec-Fetch-Site: same-origin\r\nCookie: ${browser.cookie}\r\n\r\n`,
  );
  await waitUntil(() => checks() > 0, { message: 'the check of the token' });
  socket.resetAndDestroy();
  await delay(0);
  // Joins the same check, after which the stream has begun and ended.
  expect((await browser.call('guilds.get')).status).toBe(200);
  await waitUntil(async () => (await watchers()) === '0', { message: 'no stream' });
});
