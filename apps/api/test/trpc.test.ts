import { problemIn, startApi } from '@guild-settings/testing/api';
import { IDS } from '@guild-settings/testing/people';
import { exchange } from '@guild-settings/testing/raw-http';
import { readChanges } from '@guild-settings/testing/stores';
import { afterAll, describe, expect, test } from 'vitest';

const { guild } = IDS;
const GET = `/trpc/guilds.get?input=${encodeURIComponent(JSON.stringify({ guild }))}`;
const BATCH = `/trpc/guilds.get?batch=1&input=${encodeURIComponent(JSON.stringify({ 0: { guild } }))}`;
const JSON_TYPE = { 'content-type': 'application/json' };

/** For cases that change nothing. */
const api = await startApi();
afterAll(() => api[Symbol.asyncDispose]());
afterAll(() => expect(readChanges(api)).toEqual([]));

describe('tRPC', () => {
  test.each(['PUT', 'DELETE', 'PATCH', 'TRACE', 'PURGE'])('answers %s with 405 and Allow', async (method) => {
    const { status, headers } = await exchange(
      api.url,
      `${method} ${GET} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    );
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS, POST']);
    expect(api.log()).not.toContain('"level":50');
  });

  test('answers OPTIONS with 204 and Allow, and preflights by the list of origins', async () => {
    await using api = await startApi({ CORS_ORIGINS: 'https://dash.example' });
    const headers = { origin: 'https://dash.example', 'access-control-request-method': 'POST' };
    const answer = await api.send('/trpc/guilds.update', { method: 'OPTIONS', headers });
    expect([answer.status, answer.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS, POST']);
    expect(answer.headers.get('access-control-allow-origin')).toBe('https://dash.example');
  });

  test('requires credentials before it checks the media type', async () => {
    const post = { method: 'POST', body: 'prefix=?', headers: { 'content-type': 'text/plain' } };
    expect((await api.send('/trpc/guilds.update', post)).status).toBe(401);
    const answer = await api.send('/trpc/guilds.update', { ...post, token: api.tokens.manager });
    expect([answer.status, answer.headers.has('accept-patch')]).toEqual([415, true]);
  });

  test('does not stream batches: a refusal keeps its status and headers', async () => {
    for (const headers of [{ 'trpc-accept': 'application/jsonl' }, { accept: 'application/jsonl' }]) {
      const answer = await api.send(BATCH, { headers });
      expect([answer.status, answer.headers.has('www-authenticate')]).toEqual([401, true]);
      const batch = await api.send(BATCH, { headers, token: api.tokens.manager });
      expect([batch.headers.get('content-type'), await batch.json()]).toMatchObject([
        'application/json',
        [{ result: { data: { id: guild } } }],
      ]);
    }
  });

  test('holds a batch of one to its conditional headers', async () => {
    const headers = { 'if-none-match': '"0"' };
    expect((await api.send(BATCH, { token: api.tokens.manager, headers })).status).toBe(304);
  });

  test.each([
    ['the bytes that came, and not what they mean', `"prefix":"q"${' '.repeat(20_000)}`],
    ['what is nested too deeply to be written again', `"x":${'['.repeat(500_000)}${']'.repeat(500_000)}`],
  ])('measures %s', async (_name, fields) => {
    const body = `{"guild":"${guild}",${fields}}`;
    const post = { method: 'POST', token: api.tokens.manager, headers: JSON_TYPE, body };
    expect((await api.send('/trpc/guilds.update', post)).status).toBe(413);
    expect(readChanges(api)).toEqual([]);
  });

  test('refuses a body beyond two megabytes', async () => {
    const body = `{"type":"left","guild":"${guild}"${' '.repeat(3_000_000)}}`;
    const post = { method: 'POST', token: api.tokens.application, headers: JSON_TYPE, body };
    expect((await api.send('/trpc/presence.report', post)).status).toBe(413);
  });

  test('answers a path that cannot be decoded, or is too long, without repeating it', async () => {
    for (const path of ['/trpc/%zz', `/trpc/${'x'.repeat(3_000)}`]) {
      const answer = await api.send(path);
      expect(answer.status).toBe(400);
      expect(JSON.stringify(await problemIn(answer)).length).toBeLessThan(800);
    }
  });
});
