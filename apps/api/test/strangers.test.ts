import { describe, expect, test } from 'vitest';
import { problemIn, startApi } from '../src/testing/api-resource.ts';
import { IDS } from '../src/testing/people.ts';

const MINUTE = 60_000;

/** A stranger's requests are four times those of a person. */
const LIMITED = { RATE_LIMIT_PER_MINUTE: '2' };
const STRANGERS = 8;

const EVERYBODY = ['/openapi.json', '/docs', '/features', '/application', '/trpc/features.list', '/trpc/settings.get'];

describe('requests without credentials from one address', () => {
  test.each([...EVERYBODY, '/', '/metrics', `/guilds/${IDS.guild}`, '/trpc/guilds.get'])(
    'are limited in a minute, whatever the path is: %s',
    async (path) => {
      await using api = await startApi(LIMITED);
      const send = () => fetch(`${api.url}${path}`, { redirect: 'manual' });
      for (let request = 0; request < STRANGERS; request += 1) expect((await send()).status).not.toBe(429);
      const refused = await send();
      expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
      expect((await fetch(`${api.url}/healthz`)).status).toBe(200);
      expect((await fetch(`${api.url}/readyz`)).status).toBe(200);
      expect((await api.get(IDS.guild)).status).toBe(200);
      api.clock.now += MINUTE;
      expect((await send()).status).not.toBe(429);
    },
  );

  test.each(EVERYBODY)('are those with a token that is not known, where the path needs none: %s', async (path) => {
    await using api = await startApi(LIMITED);
    const send = (token: string) => fetch(`${api.url}${path}`, { headers: { authorization: `Bearer ${token}` } });
    for (let request = 0; request < STRANGERS; request += 1) expect((await send(`x${request}`)).status).toBe(200);
    expect((await send('y')).status).toBe(429);
    expect((await send(api.tokens.manager)).status).toBe(429);
    expect((await api.get(IDS.guild)).status).toBe(200);
    expect((await send(api.tokens.manager)).status).toBe(200);
  });

  test('count with each result of a batch', async () => {
    await using api = await startApi(LIMITED);
    const send = () => fetch(`${api.url}/trpc/features.list,settings.get?batch=1`);
    for (let request = 0; request < STRANGERS / 2; request += 1) expect((await send()).status).toBe(200);
    expect((await send()).status).toBe(429);
  });

  test('count with the bytes of their responses', async () => {
    await using api = await startApi({ RATE_LIMIT_PER_MINUTE: '1000' });
    const send = () => fetch(`${api.url}/docs/js/scalar.js`, { headers: { 'accept-encoding': 'identity' } });
    const { length } = Buffer.from(await (await send()).arrayBuffer());
    const most = Math.ceil((128 * 1024 * 1024) / length);
    let response = await send();
    for (let request = 0; request < most && response.status === 200; request += 1) {
      await response.body?.cancel();
      response = await send();
    }
    expect(await problemIn(response)).toMatchObject({ status: 429 });
  });

  test('are not limited where people are not', async () => {
    await using api = await startApi({ RATE_LIMIT_PER_MINUTE: '0' });
    for (let request = 0; request < 3 * STRANGERS; request += 1) {
      expect((await fetch(`${api.url}/features`)).status).toBe(200);
    }
  });
});

describe('results that are the same for everybody', () => {
  test.each(['/features', '/trpc/settings.get', '/trpc/settings.get,features.list?batch=1'])(
    'are compressed, and not sent to a client that has them: %s',
    async (path) => {
      await using api = await startApi();
      const plain = await fetch(`${api.url}${path}`, { headers: { 'accept-encoding': 'identity' } });
      const zipped = await fetch(`${api.url}${path}`, { headers: { 'accept-encoding': 'gzip' } });
      expect([zipped.headers.get('content-encoding'), await zipped.json()]).toEqual(['gzip', await plain.json()]);
      const headers = { 'if-none-match': zipped.headers.get('etag') ?? '', 'accept-encoding': 'gzip' };
      expect((await fetch(`${api.url}${path}`, { headers })).status).toBe(304);
    },
  );

  test('are refused where a batch repeats them, also beside other calls', async () => {
    await using api = await startApi();
    const repeated = await api.send('/trpc/settings.get,settings.get?batch=1');
    expect([repeated.status, await repeated.json()]).toMatchObject([
      400,
      [
        { error: { data: { path: 'settings.get', problem: { type: '/problems/invalid-request' } } } },
        { error: { data: { path: 'settings.get' } } },
      ],
    ]);
    const input = encodeURIComponent(JSON.stringify({ 1: { guild: IDS.guild } }));
    const path = `/trpc/features.list,guilds.get,features.list?batch=1&input=${input}`;
    expect((await api.send(path, { token: api.tokens.manager })).status).toBe(400);
  });

  test('are sent beside calls that need a token, with and without one', async () => {
    await using api = await startApi();
    const input = encodeURIComponent(JSON.stringify({ 1: { guild: IDS.guild } }));
    const path = `/trpc/features.list,guilds.get?batch=1&input=${input}`;
    const features = { result: { data: expect.arrayContaining([expect.objectContaining({ name: 'reminders' })]) } };
    const without = await api.send(path);
    expect([without.status, await without.json()]).toMatchObject([
      207,
      [features, { error: { data: { problem: { type: '/problems/not-authenticated' } } } }],
    ]);
    const withToken = await api.send(path, { token: api.tokens.manager });
    expect([withToken.status, await withToken.json()]).toMatchObject([
      200,
      [features, { result: { data: { id: IDS.guild } } }],
    ]);
  });
});
