import { once } from 'node:events';
import { connect } from 'node:net';
import { waitUntil } from '@guild-settings/testing';
import { expect } from 'vitest';
import { startDiscordSim } from './sim.ts';
import { exemptCalls } from './testing/checked-calls.ts';
import {
  APPLICATION,
  asBot,
  BOT_ID,
  BOT_TOKEN,
  botTest,
  CHANNEL,
  get,
  memberToken,
  outcome,
  postForm,
  startPopulatedSim,
  test,
} from './testing/test-sim.ts';

test('listens on a free port of the loopback, and says when a given one is taken', async () => {
  await using discord = await startDiscordSim();
  await using another = await startDiscordSim();
  expect(another.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  const port = Number(new URL(discord.url).port);
  await expect(startDiscordSim({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
});

test('closes, also again, in spite of hanging, delayed, idle and silent connections', async () => {
  const discord = await startPopulatedSim();
  await get(discord, '/users/@me', memberToken(discord));
  discord.faults.set({ kind: 'hang' }, { path: '/users/@me/guilds' });
  discord.faults.set({ kind: 'latency', ms: 86_400_000 }, { path: '/oauth2/@me' });
  const pending = Promise.allSettled([get(discord, '/users/@me/guilds'), get(discord, '/oauth2/@me')]);
  const silent = connect(Number(new URL(discord.url).port), '127.0.0.1');
  await once(silent, 'connect');
  await waitUntil(() => discord.calls.count() === 3);
  await discord.close();
  await discord.close();
  expect((await pending).map(({ status }) => status)).toStrictEqual(['rejected', 'rejected']);
  await expect(fetch(discord.url)).rejects.toThrow();
  silent.destroy();
});

const HEADERS = { authorization: `Bot ${BOT_TOKEN}`, 'content-type': 'application/json' };

botTest('a result, a refusal and an unknown path are application/json, without a charset', async ({ discord }) => {
  for (const path of ['/users/@me', '/channels/1399999999999999999', '/nowhere']) {
    expect((await asBot(discord, 'GET', path)).headers.get('content-type')).toBe('application/json');
  }
});

botTest('a path may have its @ encoded', async ({ discord }) => {
  expect(await (await asBot(discord, 'GET', '/users/%40me')).json()).toMatchObject({ id: BOT_ID });
});

botTest('an empty body with a JSON type is no body', async ({ discord }) => {
  const path = `${discord.apiUrl}/channels/${CHANNEL.id}`;
  expect((await fetch(`${path}/typing`, { method: 'POST', headers: HEADERS })).status).toBe(204);
  const sent = await fetch(`${path}/messages`, { method: 'POST', headers: HEADERS, body: '{"content":"hi"}' });
  const { id } = (await sent.json()) as { id: string };
  expect((await fetch(`${path}/messages/${id}`, { method: 'DELETE', headers: HEADERS })).status).toBe(204);
});

botTest('refuses a body of text that is no JSON, or of another media type', async ({ discord }) => {
  const errors = { _errors: [{ code: 'CONTENT_TYPE_INVALID', message: expect.any(String) }] };
  for (const [type, body, refusal] of [
    ['application/json', '{"content":', { code: 50109 }],
    ['text/plain', 'hi', { code: 50035, errors }],
  ] as const) {
    const headers = { ...HEADERS, 'content-type': type };
    expect(
      await outcome(
        fetch(`${discord.apiUrl}/channels/${CHANNEL.id}/messages`, {
          method: 'POST',
          headers,
          body,
        }),
      ),
    ).toStrictEqual([400, { message: expect.any(String), ...refusal }]);
  }
});

test.each(['/api', '/api/v9', '/api/v10'])('the API is served at %s', async (prefix) => {
  await using discord = await startPopulatedSim();
  const api = { ...discord, apiUrl: `${discord.url}${prefix}` };
  const token = memberToken(discord);
  expect((await get(api, '/users/@me/guilds?limit=1', token)).status).toBe(200);
  const form = { grant_type: 'client_credentials', scope: 'identify' };
  expect((await postForm(api, '/oauth2/token', form, APPLICATION)).status).toBe(200);
  expect((await postForm(api, '/oauth2/token/revoke', { token }, APPLICATION)).status).toBe(200);
  expect((await get(api, '/users/@me', token)).status).toBe(401);
  expect((await postForm(api, '/users/@me', {})).status).toBe(405);
});

test('faults, rate limits and the call log are the same for all versions', async () => {
  exemptCalls('The status of a fault is not described.');
  await using discord = await startPopulatedSim({ rateLimit: { limit: 2, windowMs: 60_000 } });
  const token = memberToken(discord);
  discord.faults.set({ kind: 'status', status: 503 }, { path: '/users/@me', times: 1 });
  const statuses = [];
  for (const prefix of ['/api', '/api/v9', '/api/v10']) {
    statuses.push((await get({ ...discord, apiUrl: `${discord.url}${prefix}` }, '/users/@me', token)).status);
  }
  expect(statuses).toStrictEqual([503, 200, 429]);
  expect(discord.calls.count({ path: '/users/@me' })).toBe(3);
});

test('a version that is not served is refused', async () => {
  await using discord = await startPopulatedSim();
  for (const path of ['/api/v5/users/@me', '/api/v11/users/@me', '/api/v100', '/api/v8']) {
    expect(await outcome(fetch(`${discord.url}${path}`))).toStrictEqual([
      400,
      { message: 'Invalid API version', code: 50041 },
    ]);
  }
});

test('answers preflights, which use up no fault', async ({ discord }) => {
  exemptCalls('The status of a fault is not described.');
  discord.faults.set({ kind: 'status', status: 500 }, { times: 1 });
  const response = await fetch(`${discord.apiUrl}/users/@me`, {
    method: 'OPTIONS',
    headers: {
      origin: 'https://dashboard.example',
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'authorization',
    },
  });
  expect(response.status).toBe(204);
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  expect(response.headers.get('access-control-allow-methods')).toContain('GET');
  expect(response.headers.get('access-control-allow-headers')).toContain('Authorization');
  expect((await get(discord, '/users/@me')).status).toBe(500);
});

test('lets browsers read every answer and its rate limit', async ({ discord }) => {
  for (const path of ['/users/@me', '/nowhere']) {
    const { headers } = await get(discord, path);
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-expose-headers')).toContain('x-ratelimit-reset-after');
  }
});

test('an unknown path is 404, an unknown method 405, and a path that cannot be decoded 400', async ({ discord }) => {
  const notFound = [404, { message: '404: Not Found', code: 0 }];
  const notAllowed = [405, { message: '405: Method Not Allowed', code: 0 }];
  for (const [method, path, refusal] of [
    ...['/api/v10/nowhere', '/api/v10', '/api/v9/nowhere', '/api/nowhere', '/'].map((path) => ['GET', path, notFound]),
    ['POST', '/api/v10/users/@me', notAllowed],
    ['DELETE', '/api/v10/users/@me/guilds?limit=1', notAllowed],
    ['GET', '/api/v10/oauth2/token', notAllowed],
    ['GET', '/api/v10/%zz', [400, { message: '400: Bad Request', code: 0 }]],
  ]) {
    expect([path, await outcome(fetch(`${discord.url}${path}`, { method: String(method) }))]).toStrictEqual([
      path,
      refusal,
    ]);
  }
});

test('responds with 413 to a body beyond reason', async ({ discord }) => {
  const body = new URLSearchParams({ code: 'x'.repeat(2 ** 20) });
  expect((await fetch(`${discord.apiUrl}/oauth2/token`, { method: 'POST', body })).status).toBe(413);
});

const ICON = 'f64c482b807da4f539cff778d174971c';
const AVATAR = `a_${'0a'.repeat(16)}`;

test('icons and avatars of the world are images of a pixel, and everything else is not found', async () => {
  await using sim = await startDiscordSim();
  sim.world.addUser({ id: '1200000000000000001', username: 'olga', avatar: AVATAR });
  sim.world.addGuild({ id: '1300000000000000001', name: 'Testers', icon: ICON, ownerId: '1200000000000000001' });
  for (const path of [`icons/1300000000000000001/${ICON}.webp?size=128`, `avatars/1200000000000000001/${AVATAR}.gif`]) {
    const response = await fetch(`${sim.url}/${path}`);
    expect([path, response.status, response.headers.get('content-type')]).toStrictEqual([path, 200, 'image/gif']);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.toString('latin1', 0, 10)).toBe('GIF89a\x01\0\x01\0');
  }
  for (const path of [
    `icons/1300000000000000001/${AVATAR}.webp`,
    `icons/1300000000000000001/${ICON}.svg`,
    `icons/1300000000000000009/${ICON}.webp`,
    `avatars/1200000000000000001/${ICON}.png`,
  ]) {
    expect([path, (await fetch(`${sim.url}/${path}`)).status]).toStrictEqual([path, 404]);
  }
});
