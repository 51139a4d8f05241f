import { setTimeout as delay } from 'node:timers/promises';
import { waitUntil } from '@guild-settings/testing';
import { expect, test } from 'vitest';
import { startApi } from '../../src/testing/api-resource.ts';
import { loggedIn, PAGE_ENV } from '../../src/testing/browser.ts';
import { IDS } from '../../src/testing/people.ts';
import { connectTo } from '../../src/testing/raw-http.ts';

const { guild } = IDS;

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
