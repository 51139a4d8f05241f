import type { Declaration } from '@guild-settings/contract';
import { problemIn, settingsFile, startApi } from '@guild-settings/testing/api';
import { IDS } from '@guild-settings/testing/people';
import { rawExchange } from '@guild-settings/testing/raw-http';
import { describe, expect, test, vi } from 'vitest';
import { UnsentResponses } from '../src/transport/responses.ts';

const MINUTE = 60_000;

/** Strangers may send four times the requests of a person. */
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

  test('do not hold up a token that was checked before, also when that was long ago', async () => {
    await using api = await startApi(LIMITED);
    expect((await api.get(IDS.guild)).status).toBe(200);
    api.clock.now += 10 * MINUTE;
    for (let request = 0; request <= STRANGERS; request += 1) await fetch(`${api.url}/features`);
    expect((await fetch(`${api.url}/features`)).status).toBe(429);
    const input = encodeURIComponent(JSON.stringify({ 1: { guild: IDS.guild } }));
    const path = `/trpc/features.list,guilds.get?batch=1&input=${input}`;
    expect((await api.send(path, { token: api.tokens.manager })).status).toBe(200);
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

  const input = encodeURIComponent(JSON.stringify({ 1: { guild: IDS.guild } }));

  test.each(['batch=1', 'batch=1&batch=1', 'batch=1#'])(
    'are refused where a batch repeats large ones, also beside other calls: %s',
    async (query) => {
      const names = Array.from({ length: 200 }, (_, index) => `text${index}`);
      const settings = Object.fromEntries(
        names.map((name) => [
          name,
          { kind: 'switch', label: { 'en-US': name }, description: { 'en-US': 'x'.repeat(300) } },
        ]),
      );
      using file = settingsFile({ settings } as Declaration);
      await using api = await startApi({ SETTINGS_FILE: file.path });
      const send = (names: string, token?: string) =>
        rawExchange(
          api.url,
          `GET /trpc/${names}?input=${input}&${query} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n` +
            `${token === undefined ? '' : `Authorization: Bearer ${token}\r\n`}\r\n`,
        );
      const repeated = await send('settings.get,settings.get');
      expect(repeated.head).toContain(' 400 ');
      expect(JSON.parse(repeated.body)).toMatchObject([
        { error: { data: { path: 'settings.get', problem: { type: '/problems/invalid-request' } } } },
        { error: { data: { path: 'settings.get' } } },
      ]);
      expect((await send('settings.get,guilds.get,settings.get', api.tokens.manager)).head).toContain(' 400 ');
    },
  );

  test('are sent as often as a batch requests small ones: clients put the calls of one moment together', async () => {
    await using api = await startApi();
    for (const token of [undefined, api.tokens.manager]) {
      const two = await fetch(`${api.url}/trpc/features.list,features.list?batch=1`, {
        headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      });
      const [first, second, ...others] = (await two.json()) as unknown[];
      expect([two.status, second, others]).toEqual([200, first, []]);
    }
    const path = `/trpc/features.list,guilds.get,features.list?batch=1&input=${input}`;
    expect((await api.send(path, { token: api.tokens.manager })).status).toBe(200);
  });

  test.each([
    ['POST', '', 405],
    ['POST', '?batch=1', 405],
    ['GET', '?input=%7Bbad', 400],
  ])('are judged as with a token where there is none: %s %s', async (method, query, status) => {
    await using api = await startApi();
    for (const headers of [{}, { authorization: `Bearer ${api.tokens.manager}` }])
      expect((await fetch(`${api.url}/trpc/features.list${query}`, { method, headers })).status).toBe(status);
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

  test('leave the room of a batch to its caller, whose token is checked meanwhile', async () => {
    await using api = await startApi();
    const reserve = vi.spyOn(UnsentResponses.prototype, 'reserve');
    const calls = encodeURIComponent(JSON.stringify({ 1: { guild: IDS.guild } }));
    const path = `/trpc/features.list,guilds.history?batch=1&input=${calls}`;
    expect((await api.send(path, { token: api.tokens.manager })).status).toBe(200);
    expect(reserve.mock.calls.map(([owner]) => owner)).toEqual([`user:${IDS.manager}`]);
    reserve.mockRestore();
  });
});
