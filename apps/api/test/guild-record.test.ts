import { gzipSync } from 'node:zlib';
import { DEFAULT_SETTINGS } from '@guild-settings/contract';
import { problemIn, revisionTagIn, sharedApi, startApi, type TestApi, test } from '@guild-settings/testing/api';
import { IDS } from '@guild-settings/testing/people';
import { exchange } from '@guild-settings/testing/raw-http';
import { readChanges } from '@guild-settings/testing/stores';
import { afterAll, describe, expect } from 'vitest';

const { guild } = IDS;
const RECORD = {
  id: guild,
  name: 'Discord Testers',
  icon: 'f64c482b807da4f539cff778d174971c',
  ...DEFAULT_SETTINGS,
};

/** For cases that change nothing. */
const api = await startApi();
afterAll(() => api[Symbol.asyncDispose]());
afterAll(() => expect(readChanges(api)).toEqual([]));

/** For cases that only check the response to their own change. */
const changing = sharedApi();

async function reading(api: TestApi): Promise<unknown> {
  return (await api.get(guild)).json();
}

describe('the record', () => {
  test('is the answer to a PATCH, which takes name and icon and ignores them: Discord owns them', async ({ api }) => {
    const changed = await api.patch(guild, { name: 'Mine now', icon: null, beta: true });
    expect(await changed.json()).toEqual({ ...RECORD, beta: true });
  });

  test("shows the name and icon of the bot's report, else of the caller's own guild list", async ({ api }) => {
    expect(await reading(api)).toMatchObject({ name: 'Discord Testers' });
    await api.report({ type: 'present', guild: { id: guild, name: 'As the bot sees it', icon: null } });
    expect(await reading(api)).toMatchObject({ name: 'As the bot sees it', icon: null });
  });
});

test('the guild in the path is decoded before it is matched', async () => {
  expect((await api.get(`%31${guild.slice(1)}`)).status).toBe(200);
});

describe('PATCH', () => {
  test('writes the guild and its change together, changed fields only', async ({ api }) => {
    await api.patch(guild, { prefix: '?', beta: false, language: 'ru' });
    expect(readChanges(api)).toEqual([
      {
        revision: 1,
        guild_id: guild,
        at: api.clock.now,
        actor_kind: 'user',
        actor_id: IDS.manager,
        origin: 'rest',
        reason: null,
        before: { prefix: '!', language: 'en-US' },
        after: { prefix: '?', language: 'ru' },
        unset: '{"before":["prefix","language"],"after":[]}',
        target: null,
        undone_by: null,
      },
    ]);
  });
});

describe('conditional requests', () => {
  test.each(['"0"', 'W/"0"', '"7", "0"', '*'])(
    'If-None-Match: %s is answered with 304 without a body',
    async (tags) => {
      const answer = await api.get(guild, { headers: { 'if-none-match': tags } });
      expect([answer.status, await answer.text(), revisionTagIn(answer)]).toEqual([304, '', '"0"']);
    },
  );

  test.each(['"7"', 'W/"7"', '""'])('If-Match: %s misses: 412, and the problem carries the record now', async (tag) => {
    const answer = await api.patch(guild, { beta: true }, { headers: { 'if-match': tag } });
    expect(answer.status).toBe(412);
    expect(await answer.json()).toMatchObject({ type: '/problems/revision-mismatch', current: RECORD });
    expect(await reading(api)).toEqual(RECORD);
  });

  test('412 has the ETag of the record in it, with which the change can be sent again', async ({ api }) => {
    await api.patch(guild, { prefix: '?' });
    const missed = await api.patch(guild, { beta: true }, { headers: { 'if-match': '"0"' } });
    expect([missed.status, revisionTagIn(missed)]).toEqual([412, '"1"']);
    for (const method of ['GET', 'HEAD']) {
      const read = await api.get(guild, { method, headers: { 'if-match': '"0"' } });
      expect([read.status, revisionTagIn(read)]).toEqual([412, '"1"']);
    }
    const headers = { 'if-match': '"0"' };
    for (const answer of [
      await api.call('guilds.get', { guild }, { headers }),
      await api.call('guilds.update', { guild, beta: true }, { headers }),
    ]) {
      expect([answer.status, revisionTagIn(answer)]).toEqual([412, '"1"']);
    }
    const again = await api.patch(guild, { beta: true }, { headers: { 'if-match': missed.headers.get('etag') ?? '' } });
    expect(again.status).toBe(200);
  });

  test.each(['0', '"0', 'x"0"', '"0" "1"', ''])(
    'a malformed If-Match (%s) is 400 and says what was expected',
    async (tag) => {
      const answer = await api.patch(guild, { beta: true }, { headers: { 'if-match': tag } });
      expect(answer.status).toBe(400);
      expect((await problemIn(answer)).detail).toContain('If-Match');
    },
  );

  test('a query over tRPC honours If-None-Match when sent unbatched', async () => {
    const read = await api.call('guilds.get', { guild }, { headers: { 'if-none-match': '"0"' } });
    expect([read.status, revisionTagIn(read), await read.text()]).toEqual([304, '"0"', '']);
  });

  test('a batch of several calls cannot be conditional, and says so instead of ignoring it', async () => {
    const answer = await api.send('/trpc/guilds.update,guilds.update?batch=1', {
      method: 'POST',
      token: api.tokens.manager,
      body: { 0: { guild, beta: true }, 1: { guild: IDS.otherGuild, beta: true } },
      headers: { 'if-match': '"0"' },
    });
    expect(answer.status).toBe(400);
    expect(readChanges(api)).toEqual([]);
  });
});

describe('X-Audit-Log-Reason', () => {
  test.each(['просили в чате 👍', 'ü'.repeat(512)])('is URL-decoded and stored with the change: %s', async (reason) => {
    const api = changing();
    const headers = { 'x-audit-log-reason': encodeURIComponent(reason) };
    await api.patch(guild, { prefix: reason.slice(0, 3) }, { headers });
    expect(readChanges(api).at(-1)).toMatchObject({ reason });
  });

  test.each([
    ['empty', ''],
    ['longer than 512 characters after decoding', encodeURIComponent('ü'.repeat(513))],
    ['not URL-encoded', '%E0%A4%A'],
    ['of raw bytes', 'caf\u00e9'],
    ['of control characters', 'a%00b'],
  ])('that is %s is 400', async (_name, reason) => {
    const answer = await api.patch(guild, { beta: true }, { headers: { 'x-audit-log-reason': reason } });
    expect(answer.status).toBe(400);
    expect(readChanges(api)).toEqual([]);
  });
});

describe('the body', () => {
  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'Application/JSON; charset=utf8',
    'application/merge-patch+json',
  ])('may be %s', async (type) => {
    const api = changing();
    await api.patch(guild, { prefix: '!' });
    const answer = await api.patch(guild, '{"prefix":"ü"}', { headers: { 'content-type': type } });
    expect(await answer.json()).toMatchObject({ prefix: 'ü' });
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json; charset=latin1',
    'application/json-patch+json',
    'multipart/form-data; boundary=x',
    'nonsense',
  ])('of type %s is 415 with Accept-Patch', async (type) => {
    const answer = await api.patch(guild, '{"prefix":"?"}', { headers: { 'content-type': type } });
    expect(answer.status).toBe(415);
    expect(answer.headers.get('accept-patch')).toBe('application/json, application/merge-patch+json');
    expect(await reading(api)).toEqual(RECORD);
  });

  test('with a content coding is 415', async () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    expect((await api.patch(guild, 'x', { headers })).status).toBe(415);
    // A refused body is not read: bytes that are not text.
    expect((await api.patch(guild, gzipSync('{"prefix":"?"}'), { headers })).status).toBe(415);
    const call = await api.call('guilds.update', { guild, prefix: '?' }, { headers: { 'content-encoding': 'gzip' } });
    expect(call.status).toBe(415);
  });

  test.each(['[]', 'null', '"text"', '5', 'true', '', '{', '{"prefix":}', '\u0000', '{"a":1}x'])(
    'that is not a JSON object is 400: %j',
    async (body) => {
      const answer = await api.patch(guild, body, { headers: { 'content-type': 'application/json' } });
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ type: '/problems/invalid-body' });
    },
  );

  test('that is missing altogether is 400', async () => {
    expect((await api.patch(guild, undefined)).status).toBe(400);
  });

  test('that is not UTF-8 is 400', async () => {
    const body = Buffer.from([...Buffer.from('{"prefix":"'), 0xff, ...Buffer.from('"}')]);
    expect((await api.patch(guild, body, { headers: { 'content-type': 'application/json' } })).status).toBe(400);
  });

  test('over 16 KiB is 413, announced or not, and up to 16 KiB is read', async ({ api }) => {
    const bodyOf = (bytes: number) => `{"name":"${'x'.repeat(bytes - '{"name":""}'.length)}"}`;
    const headers = { 'content-type': 'application/json' };
    expect((await api.patch(guild, bodyOf(16_384), { headers })).status).toBe(200);
    expect((await api.patch(guild, bodyOf(16_385), { headers })).status).toBe(413);
    const head = `PATCH /guilds/${guild} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${api.tokens.manager}\r\n`;
    const chunks = `400\r\n${'x'.repeat(0x400)}\r\n`.repeat(40);
    const type = 'Content-Type: application/json\r\n';
    const request = `${head}${type}Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`;
    expect((await exchange(api.url, request)).status).toBe(413);
  });
});

describe('methods', () => {
  test.each(['POST', 'PUT', 'PROPFIND', 'PURGE', 'TRACE'])('%s on a known path is 405 with Allow', async (method) => {
    const request = `${method} /guilds/${guild} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
    const { status, headers } = await exchange(api.url, request);
    expect([status, headers.get('allow')]).toEqual([405, 'DELETE, GET, HEAD, OPTIONS, PATCH']);
  });
});

describe('every answer', () => {
  test.each([
    ['a record', 'GET', `/guilds/${guild}`],
    ['a refusal', 'PATCH', `/guilds/${guild}`],
    ['an unknown path', 'GET', '/nowhere'],
    ['a wrong method', 'PUT', `/guilds/${guild}`],
    ['an unreadable path', 'GET', '/guilds/%zz'],
    ['a tRPC answer', 'GET', '/trpc/guilds.get'],
    ['a page', 'GET', '/docs'],
    ['a page about a problem', 'GET', '/problems/internal'],
  ])(
    'says Cache-Control, Vary and X-Request-Id, may not be framed, and may be read by no page unless origins are listed: %s',
    async (_name, method, path) => {
      const sent = { 'x-request-id': 'mine-1', origin: 'https://dash.example' };
      const { headers } = await api.send(path, { method, headers: sent });
      expect(headers.get('access-control-allow-origin')).toBeNull();
      expect(headers.get('cache-control')).toBe('private, no-cache');
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      expect(headers.get('vary')).toMatch(/^Authorization/);
      expect(headers.get('x-request-id')).toBe('mine-1');
    },
  );

  test('has a request id of its own where the caller sent none that is usable', async () => {
    const { headers } = await api.send('/healthz', { headers: { 'x-request-id': 'x'.repeat(200) } });
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });
});
