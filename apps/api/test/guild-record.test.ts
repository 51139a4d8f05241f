import { afterAll, describe, expect, test } from 'vitest';
import { problemIn, sharedApi, startApi, type TestApi } from '../src/testing/api-resource.ts';
import { readChanges } from '../src/testing/change-log.ts';
import { IDS } from '../src/testing/people.ts';
import { exchange } from '../src/testing/raw-http.ts';

const { guild } = IDS;
const RECORD = {
  id: guild,
  name: 'Discord Testers',
  icon: 'f64c482b807da4f539cff778d174971c',
  prefix: '!',
  announcement_channel: '',
  beta: false,
  language: 'en-US',
  enabledFeatures: [],
};

/** For the cases of tables that change nothing. */
const unchanged = sharedApi();
afterAll(() => expect(readChanges(unchanged())).toEqual([]));

/** For the cases of tables that check the response to their own change only. */
const changing = sharedApi();

async function reading(api: TestApi): Promise<unknown> {
  return (await api.get(guild)).json();
}

describe('the record', () => {
  test('has exactly the eight fields, all present, in the order of the specification', async () => {
    const api = unchanged();
    expect(await (await api.get(guild)).text()).toBe(JSON.stringify(RECORD));
  });

  test('can be sent back as it was read', async () => {
    const api = unchanged();
    const { status } = await api.patch(guild, await reading(api));
    expect(status).toBe(200);
    expect(await reading(api)).toEqual(RECORD);
  });

  test('takes an id that is equal to the path, and refuses another', async () => {
    await using api = await startApi();
    expect((await api.patch(guild, { id: guild })).status).toBe(200);
    expect((await api.patch(guild, { id: IDS.otherGuild })).status).toBe(400);
  });

  test('takes name and icon and ignores them: Discord owns them', async () => {
    await using api = await startApi();
    const changed = await api.patch(guild, { name: 'Mine now', icon: null, beta: true });
    expect(await changed.json()).toEqual({ ...RECORD, beta: true });
  });

  test("shows the name and icon of the bot's report, else of the caller's own guild list", async () => {
    await using api = await startApi();
    expect(await reading(api)).toMatchObject({ name: 'Discord Testers' });
    await report(api, { type: 'present', guild: { id: guild, name: 'As the bot sees it', icon: null } });
    expect(await reading(api)).toMatchObject({ name: 'As the bot sees it', icon: null });
  });

  test('is read with 19-digit ids to the last digit', async () => {
    const api = unchanged();
    expect(await (await api.get(IDS.bigGuild)).json()).toMatchObject({ id: IDS.bigGuild });
  });
});

describe('prefix', () => {
  test.each([
    ['empty, which switches prefix commands off', ''],
    ['of 20 characters', '👍'.repeat(20)],
    ['with a space inside', 'hey bot'],
  ])('may be %s', async (_name, prefix) => {
    const api = changing();
    expect(await (await api.patch(guild, { prefix })).json()).toMatchObject({ prefix });
  });

  test.each([
    ['longer than 20 characters', 'x'.repeat(21)],
    ['with control characters', 'a\u0007b'],
    ['with white space at the start', ' !'],
    ['that is no well-formed Unicode', '\ud800'],
    ['null', null],
    ['a number', 5],
  ])('cannot be %s', async (_name, prefix) => {
    const api = unchanged();
    expect((await api.patch(guild, { prefix })).status).toBe(400);
  });
});

describe('announcement_channel', () => {
  test.each([
    ['none', ''],
    ['a snowflake', '381870553235193857'],
    ['anything else of up to 100 characters', 'ü'.repeat(100)],
  ])('may be %s', async (_name, channel) => {
    const api = changing();
    const changed = await api.patch(guild, { announcement_channel: channel });
    expect(await changed.json()).toMatchObject({ announcement_channel: channel });
  });

  test.each([
    ['101 characters', 'x'.repeat(101)],
    ['control characters', 'a\nb'],
    ['null', null],
  ])('cannot be %s', async (_name, channel) => {
    const api = unchanged();
    expect((await api.patch(guild, { announcement_channel: channel })).status).toBe(400);
  });
});

describe('beta', () => {
  test.each(['no', 'true', '', 0, 1, null, []])('is a JSON boolean, and %j is not coerced to one', async (beta) => {
    const api = unchanged();
    expect((await api.patch(guild, { beta })).status).toBe(400);
    expect(await reading(api)).toEqual(RECORD);
  });
});

describe('language', () => {
  test('is one of the five', async () => {
    const api = changing();
    for (const language of ['en-US', 'hi', 'ru', 'ja', 'es-ES']) {
      expect(await (await api.patch(guild, { language })).json()).toMatchObject({ language });
    }
    for (const language of ['en', 'de', 'EN-us', '', null]) {
      expect((await api.patch(guild, { language })).status).toBe(400);
    }
  });
});

describe('enabledFeatures', () => {
  test('drops duplicates, keeps the order, and keeps names it does not know', async () => {
    const api = changing();
    const changed = await api.patch(guild, { enabledFeatures: ['zebra', 'reminders', 'zebra', 'reminders'] });
    expect(await changed.json()).toMatchObject({ enabledFeatures: ['zebra', 'reminders'] });
  });

  test('takes at most 64 names of 1 to 64 characters without control characters', async () => {
    const api = changing();
    const names = Array.from({ length: 65 }, (_, index) => `${index}`.padEnd(64, 'x'));
    expect((await api.patch(guild, { enabledFeatures: names.slice(0, 64) })).status).toBe(200);
    for (const bad of [names, [''], ['x'.repeat(65)], ['a\tb'], 'reminders', [1], null]) {
      expect((await api.patch(guild, { enabledFeatures: bad })).status, JSON.stringify(bad)).toBe(400);
    }
  });

  test('is replaced whole', async () => {
    const api = changing();
    await api.patch(guild, { enabledFeatures: ['a', 'b'] });
    expect(await (await api.patch(guild, { enabledFeatures: ['c'] })).json()).toMatchObject({ enabledFeatures: ['c'] });
  });
});

describe('the guild in the path', () => {
  test.each([
    ['16 digits', '1970384394833100'],
    ['20 digits', '19703843948331008600'],
    ['a letter', '19703843948331008x'],
    ['digits that are not ASCII', encodeURIComponent('١٩٧٠٣٨٤٣٩٤٨٣٣١٠٠٨٦')],
    ['a trailing line break', `${guild}%0A`],
    ['hundreds of digits', '1'.repeat(500)],
  ])('must match the pattern: %s does not', async (_name, id) => {
    const api = unchanged();
    expect((await api.get(id)).status).toBe(400);
    expect((await api.patch(id, {})).status).toBe(400);
  });

  test('is decoded before it is matched', async () => {
    const api = unchanged();
    expect((await api.get(`%31${guild.slice(1)}`)).status).toBe(200);
  });
});

describe('PATCH', () => {
  test('merges: the fields it omits stay, byte for byte', async () => {
    await using api = await startApi();
    const settings = {
      prefix: '¿',
      announcement_channel: 'c',
      beta: true,
      language: 'ja',
      enabledFeatures: ['b', 'a'],
    };
    await api.patch(guild, settings);
    const before = await (await api.get(guild)).text();
    const after = await (await api.patch(guild, { prefix: '?' })).text();
    expect(after).toBe(before.replace('"prefix":"¿"', '"prefix":"?"'));
  });

  test('of {} is valid and changes nothing: no revision, no change', async () => {
    const api = unchanged();
    const answer = await api.patch(guild, {});
    expect(answer.status).toBe(200);
    expect(answer.headers.get('etag')).toBe('"0"');
    expect(readChanges(api)).toEqual([]);
  });

  test('takes null for the icon alone', async () => {
    await using api = await startApi();
    expect((await api.patch(guild, { icon: null })).status).toBe(200);
    for (const field of Object.keys(RECORD).filter((name) => name !== 'icon')) {
      expect((await api.patch(guild, { [field]: null })).status, field).toBe(400);
    }
  });

  test('names every unknown key', async () => {
    const api = unchanged();
    const body = '{"colour":1,"guild":"x","beta":"no","__proto__":{},"constructor":2}';
    const answer = await api.patch(guild, body, { headers: { 'content-type': 'application/json' } });
    expect(answer.status).toBe(400);
    const { issues = [] } = await problemIn(answer);
    const pointers = issues.map((issue) => issue.pointer).sort();
    expect(pointers).toEqual(['/__proto__', '/beta', '/colour', '/constructor', '/guild']);
  });

  test('that sets what is there already is a success without a new revision', async () => {
    await using api = await startApi();
    await api.patch(guild, { prefix: '?', enabledFeatures: ['a'] });
    const again = await api.patch(guild, { prefix: '?', enabledFeatures: ['a', 'a'] });
    expect([again.status, again.headers.get('etag')]).toEqual([200, '"1"']);
    expect(readChanges(api)).toHaveLength(1);
  });

  test('answers 200 with the full record after the change', async () => {
    await using api = await startApi();
    const answer = await api.patch(guild, { language: 'hi' });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ ...RECORD, language: 'hi' });
  });

  test('writes the guild and its change together, changed fields only', async () => {
    await using api = await startApi();
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
        target: null,
        undone_by: null,
      },
    ]);
  });
});

describe('conditional requests', () => {
  test('GET and PATCH carry the revision as a strong ETag', async () => {
    await using api = await startApi();
    expect((await api.get(guild)).headers.get('etag')).toBe('"0"');
    expect((await api.patch(guild, { beta: true })).headers.get('etag')).toBe('"1"');
    expect((await api.get(guild)).headers.get('etag')).toBe('"1"');
  });

  test.each(['"0"', 'W/"0"', '"7", "0"', '*'])(
    'If-None-Match: %s is answered with 304 without a body',
    async (tags) => {
      const api = unchanged();
      const answer = await api.get(guild, { headers: { 'if-none-match': tags } });
      expect([answer.status, await answer.text(), answer.headers.get('etag')]).toEqual([304, '', '"0"']);
    },
  );

  test('HEAD is answered with 304, too, and says no other length than GET would', async () => {
    const api = unchanged();
    const { headers } = await api.get(guild);
    const head = await api.get(guild, { method: 'HEAD', headers: { 'if-none-match': '"0"' } });
    expect([head.status, head.headers.get('content-length')]).toEqual([304, headers.get('content-length')]);
  });

  test('If-None-Match of another revision is answered with the record', async () => {
    const api = unchanged();
    expect((await api.get(guild, { headers: { 'if-none-match': '"7"' } })).status).toBe(200);
  });

  test('If-Match of this revision, or *, lets a change through', async () => {
    await using api = await startApi();
    expect((await api.patch(guild, { beta: true }, { headers: { 'if-match': '"0"' } })).status).toBe(200);
    expect((await api.patch(guild, { beta: false }, { headers: { 'if-match': '"9", "1"' } })).status).toBe(200);
    expect((await api.patch(guild, { beta: true }, { headers: { 'if-match': '*' } })).status).toBe(200);
  });

  test.each(['"7"', 'W/"0"', '""'])('If-Match: %s misses: 412, and the problem carries the record now', async (tag) => {
    const api = unchanged();
    const answer = await api.patch(guild, { beta: true }, { headers: { 'if-match': tag } });
    expect(answer.status).toBe(412);
    expect(await answer.json()).toMatchObject({ type: '/problems/revision-mismatch', current: RECORD });
    expect(await reading(api)).toEqual(RECORD);
  });

  test('412 has the ETag of the record in it, with which the change can be sent again', async () => {
    await using api = await startApi();
    await api.patch(guild, { prefix: '?' });
    const missed = await api.patch(guild, { beta: true }, { headers: { 'if-match': '"0"' } });
    expect([missed.status, missed.headers.get('etag')]).toEqual([412, '"1"']);
    for (const method of ['GET', 'HEAD']) {
      const read = await api.get(guild, { method, headers: { 'if-match': '"0"' } });
      expect([read.status, read.headers.get('etag')]).toEqual([412, '"1"']);
    }
    const input = encodeURIComponent(JSON.stringify({ guild }));
    const overTrpc = { token: api.tokens.manager, headers: { 'if-match': '"0"' } };
    const query = await api.send(`/trpc/guilds.get?input=${input}`, overTrpc);
    const mutation = await api.send('/trpc/guilds.update', {
      ...overTrpc,
      method: 'POST',
      body: { guild, beta: true },
    });
    expect([query, mutation].map(({ status, headers }) => [status, headers.get('etag')])).toEqual([
      [412, '"1"'],
      [412, '"1"'],
    ]);
    const again = await api.patch(guild, { beta: true }, { headers: { 'if-match': missed.headers.get('etag') ?? '' } });
    expect(again.status).toBe(200);
  });

  test('If-None-Match: * keeps a change from happening, since there always is a record', async () => {
    await using api = await startApi();
    expect((await api.patch(guild, { beta: true }, { headers: { 'if-none-match': '*' } })).status).toBe(412);
  });

  test.each(['0', '"0', 'x"0"', '"0" "1"', ''])(
    'a malformed If-Match (%s) is 400 and says what was expected',
    async (tag) => {
      const api = unchanged();
      const answer = await api.patch(guild, { beta: true }, { headers: { 'if-match': tag } });
      expect(answer.status).toBe(400);
      expect((await problemIn(answer)).detail).toContain('If-Match');
    },
  );

  test('tRPC calls honour the same headers when sent unbatched', async () => {
    await using api = await startApi();
    const input = encodeURIComponent(JSON.stringify({ guild }));
    const token = api.tokens.manager;
    const read = await api.send(`/trpc/guilds.get?input=${input}`, { token, headers: { 'if-none-match': '"0"' } });
    expect([read.status, read.headers.get('etag'), await read.text()]).toEqual([304, '"0"', '']);
    const changed = await api.send('/trpc/guilds.update', {
      method: 'POST',
      token,
      body: { guild, beta: true },
      headers: { 'if-match': '"7"' },
    });
    expect(changed.status).toBe(412);
    expect(await changed.json()).toMatchObject({ error: { data: { problem: { current: RECORD } } } });
  });

  test('a batch of several calls cannot be conditional, and says so instead of ignoring it', async () => {
    await using api = await startApi();
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
  test('is URL-decoded and stored with the change', async () => {
    await using api = await startApi();
    const reason = 'просили в чате 👍';
    await api.patch(guild, { beta: true }, { headers: { 'x-audit-log-reason': encodeURIComponent(reason) } });
    expect(readChanges(api)[0]).toMatchObject({ reason });
  });

  test.each([
    ['empty', ''],
    ['longer than 512 characters after decoding', encodeURIComponent('ü'.repeat(513))],
    ['not URL-encoded', '%E0%A4%A'],
    ['of raw bytes', 'caf\u00e9'],
    ['of control characters', 'a%00b'],
  ])('that is %s is 400', async (_name, reason) => {
    const api = unchanged();
    const answer = await api.patch(guild, { beta: true }, { headers: { 'x-audit-log-reason': reason } });
    expect(answer.status).toBe(400);
    expect(readChanges(api)).toEqual([]);
  });

  test('of 512 characters is stored whole', async () => {
    await using api = await startApi();
    const reason = 'ü'.repeat(512);
    await api.patch(guild, { beta: true }, { headers: { 'x-audit-log-reason': encodeURIComponent(reason) } });
    expect(readChanges(api)[0]).toMatchObject({ reason });
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
    const api = unchanged();
    const answer = await api.patch(guild, '{"prefix":"?"}', { headers: { 'content-type': type } });
    expect(answer.status).toBe(415);
    expect(answer.headers.get('accept-patch')).toBe('application/json, application/merge-patch+json');
    expect(await reading(api)).toEqual(RECORD);
  });

  test('with a content coding is 415', async () => {
    const api = unchanged();
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    expect((await api.patch(guild, 'x', { headers })).status).toBe(415);
  });

  test.each(['[]', 'null', '"text"', '5', 'true', '', '{', '{"prefix":}', '\u0000', '{"a":1}x'])(
    'that is not a JSON object is 400: %j',
    async (body) => {
      const api = unchanged();
      const answer = await api.patch(guild, body, { headers: { 'content-type': 'application/json' } });
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ type: '/problems/invalid-body' });
    },
  );

  test('that is missing altogether is 400', async () => {
    const api = unchanged();
    expect((await api.patch(guild, undefined)).status).toBe(400);
  });

  test('that is not UTF-8 is 400', async () => {
    const api = unchanged();
    const body = Buffer.from([...Buffer.from('{"prefix":"'), 0xff, ...Buffer.from('"}')]);
    expect((await api.patch(guild, body, { headers: { 'content-type': 'application/json' } })).status).toBe(400);
  });

  test('over 16 KiB is 413, announced or not, and up to 16 KiB is read', async () => {
    await using api = await startApi();
    const bodyOf = (bytes: number) => `{"name":"${'x'.repeat(bytes - '{"name":""}'.length)}"}`;
    const headers = { 'content-type': 'application/json' };
    expect((await api.patch(guild, bodyOf(16_384), { headers })).status).toBe(200);
    expect((await api.patch(guild, bodyOf(16_385), { headers })).status).toBe(413);
    const head = `PATCH /guilds/${guild} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${api.tokens.manager}\r\n`;
    const chunks = `400\r\n${'x'.repeat(0x400)}\r\n`.repeat(40);
    const request = `${head}Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`;
    expect((await exchange(api.url, request)).status).toBe(413);
  });
});

describe('methods', () => {
  test('HEAD is answered wherever GET is, without a body', async () => {
    const api = unchanged();
    for (const path of [`/guilds/${guild}`, '/healthz', '/openapi.json', '/docs/', '/problems/internal', '/metrics']) {
      const get = await api.send(path, { token: api.tokens.manager });
      const head = await api.send(path, { token: api.tokens.manager, method: 'HEAD' });
      expect([head.status, await head.text()], path).toEqual([get.status, '']);
      if (path !== '/metrics') expect(head.headers.get('content-length'), path).toBe(get.headers.get('content-length'));
    }
  });

  test.each(['POST', 'PUT', 'PROPFIND', 'PURGE', 'TRACE'])('%s on a known path is 405 with Allow', async (method) => {
    const api = unchanged();
    const request = `${method} /guilds/${guild} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
    const { status, headers } = await exchange(api.url, request);
    expect([status, headers.get('allow')]).toEqual([405, 'DELETE, GET, HEAD, OPTIONS, PATCH']);
  });

  test('OPTIONS is answered with 204 and Allow', async () => {
    const api = unchanged();
    const answer = await api.send(`/guilds/${guild}`, { method: 'OPTIONS' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([204, 'DELETE, GET, HEAD, OPTIONS, PATCH']);
  });

  test('an unknown path is 404', async () => {
    const api = unchanged();
    for (const path of ['/guild', `/guilds/${guild}/`, `//guilds/${guild}`, '/guilds']) {
      expect((await api.send(path)).status, path).toBe(404);
    }
  });
});

describe('pages of other origins', () => {
  const preflight = {
    method: 'OPTIONS',
    headers: { origin: 'https://dash.example', 'access-control-request-method': 'PATCH' },
  };

  test('may call the service when their origin is listed, with credentials', async () => {
    await using api = await startApi({ CORS_ORIGINS: 'https://other.example, https://dash.example' });
    const asked = await api.send(`/guilds/${guild}`, preflight);
    expect(asked.status).toBe(204);
    expect(asked.headers.get('allow')).toBe('DELETE, GET, HEAD, OPTIONS, PATCH');
    expect(asked.headers.get('access-control-allow-origin')).toBe('https://dash.example');
    expect(asked.headers.get('access-control-allow-credentials')).toBe('true');
    expect(asked.headers.get('access-control-allow-methods')).toContain('PATCH');
    const read = await api.get(guild, { headers: { origin: 'https://dash.example' } });
    expect(read.headers.get('access-control-allow-origin')).toBe('https://dash.example');
    expect(read.headers.get('access-control-expose-headers')).toContain('ETag');
    expect(read.headers.get('vary')).toMatch(/Authorization.*Origin/i);
  });

  test('may not when it is not', async () => {
    await using api = await startApi({ CORS_ORIGINS: 'https://other.example' });
    const asked = await api.send(`/guilds/${guild}`, preflight);
    expect(asked.headers.get('access-control-allow-origin')).toBeNull();
  });

  test('may not by default', async () => {
    const api = unchanged();
    const read = await api.get(guild, { headers: { origin: 'https://dash.example' } });
    expect(read.headers.get('access-control-allow-origin')).toBeNull();
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
    ['a page', 'GET', '/docs/'],
  ])('says Cache-Control, Vary and X-Request-Id: %s', async (_name, method, path) => {
    const api = unchanged();
    const { headers } = await api.send(path, { method, headers: { 'x-request-id': 'mine-1' } });
    expect(headers.get('cache-control')).toBe('private, no-cache');
    expect(headers.get('vary')).toMatch(/^Authorization/);
    expect(headers.get('x-request-id')).toBe('mine-1');
  });

  test('has a request id of its own where the caller sent none that is usable', async () => {
    const api = unchanged();
    const { headers } = await api.send('/healthz', { headers: { 'x-request-id': 'x'.repeat(200) } });
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('ignores cookies, and logs none', async () => {
    await using api = await startApi();
    const cookie = `token=${api.tokens.manager}`;
    expect((await api.send(`/guilds/${guild}`, { headers: { cookie } })).status).toBe(401);
    expect(api.log()).not.toContain(api.tokens.manager);
  });
});

async function report(api: TestApi, body: object): Promise<void> {
  const { status } = await api.send('/trpc/presence.report', { method: 'POST', token: api.tokens.application, body });
  expect(status).toBe(200);
}
