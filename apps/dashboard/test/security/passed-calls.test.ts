import type { ServerResponse } from 'node:http';
import { MAX_PATCH_BODY_BYTES } from '@guild-settings/contract';
import { describe, expect, test } from 'vitest';
import { IDS } from '../../src/testing/dashboard-world.ts';
import { connectTo, sendLines } from '../../src/testing/raw-connection.ts';
import { sharedDashboard } from '../../src/testing/shared-dashboard.ts';
import { READ, sendJson, stubService } from '../../src/testing/stub-service.ts';

const here = sharedDashboard();
const stub = stubService(here);

/** The head of a mutation, as a browser sends it. */
const head = () => [
  'POST /trpc/guilds.update HTTP/1.1',
  'sec-fetch-site: same-origin',
  'content-type: application/json',
  `cookie: session=${stub.browser.cookies.get('session')}`,
];

describe('the address', () => {
  test.each([
    'presence.report',
    'users.forget',
    'guilds.acknowledge',
    'guilds.importMany',
    'guilds',
    'constructor',
    '__proto__',
    'guilds.get%00',
    'guilds.get%2Cguilds.update',
    'guilds.get,guilds.get',
    'guilds%252Eget',
    'guilds.get%252Cguilds.update',
    'guilds.get%2F..%2Fpresence.report',
    '%2e%2e%2fhealthz',
    '/guilds.get',
    'guilds.get/',
    'guilds.get%3Fbatch=1',
    'guilds.get%23',
    'guilds.get%20',
    'GUILDS.GET',
    'guilds.follow,guilds.get',
    'guilds.watch',
  ])('%s is not found, and the service receives nothing', async (name) => {
    for (const method of ['GET', 'POST']) {
      const body = method === 'POST' ? { body: {} } : {};
      const response = await stub.dashboard.visit(stub.browser, `/trpc/${name}`, { method, ...body });
      expect([method, response.status]).toStrictEqual([method, 404]);
    }
    expect(stub.lines()).toStrictEqual([]);
  });

  test('a listed name in an encoded form is sent by its name', async () => {
    const response = await stub.dashboard.visit(stub.browser, READ.replace('guilds.get', 'guilds%2Eget'));
    expect([response.status, stub.lines()]).toStrictEqual([200, [`GET ${READ}`]]);
  });

  test('of the query the input alone is passed on: no batch, and no position of a stream', async () => {
    for (const more of [
      'batch=1',
      'lastEventId=7',
      'connectionParams=1',
      'a=%26batch%3D1',
      `requested-for=${IDS.manager}`,
    ])
      expect((await stub.dashboard.visit(stub.browser, `${READ}&${more}`)).status).toBe(200);
    expect(new Set(stub.lines())).toStrictEqual(new Set([`GET ${READ}`]));
    const injected = encodeURIComponent('{}&batch=1#');
    await stub.dashboard.visit(stub.browser, `/trpc/guilds.get?input=${injected}`);
    expect(stub.lines().at(-1)).toBe(`GET /trpc/guilds.get?input=${injected}`);
    const batch = { method: 'POST', body: { 0: { guild: IDS.guild } } };
    await stub.dashboard.visit(stub.browser, '/trpc/guilds.update?batch=1&input=x', batch);
    expect(stub.lines().at(-1)).toBe('POST /trpc/guilds.update');
  });

  test('several inputs, GET of a mutation and POST of a query are refused, and the service receives nothing', async () => {
    const responses = [
      await stub.dashboard.visit(stub.browser, `${READ}&input=x`),
      await stub.dashboard.visit(stub.browser, READ, { method: 'POST', body: {} }),
      await stub.dashboard.visit(stub.browser, READ.replace('guilds.get', 'guilds.update')),
    ];
    expect(responses.map(({ status }) => status)).toStrictEqual([400, 405, 405]);
    expect(stub.lines()).toStrictEqual([]);
  });
});

test('the service receives the listed headers, the token of the session and the address of the client, and no others', async () => {
  const passed = { 'if-match': '"7"', prefer: 'wait=1', 'x-audit-log-reason': 'a%20b', 'cache-control': 'no-cache' };
  const others = {
    'x-on-behalf-of': IDS.owner,
    authorization: 'Bearer stolen',
    'x-forwarded-for': '203.0.113.5',
    'x-forwarded-proto': 'https',
    forwarded: 'for=203.0.113.6',
    'x-requested-for': IDS.manager,
    'trpc-accept': 'application/jsonl',
    'if-none-match': '*',
    origin: 'null',
    'accept-encoding': 'br',
  };
  for (const call of [stub.read, stub.update]) await call({ headers: { ...passed, ...others } });
  for (const { line, headers, body } of stub.received) {
    const { authorization, host, connection, 'content-length': length, ...rest } = headers;
    const isPost = line.startsWith('POST');
    expect(rest).toStrictEqual({
      ...passed,
      'x-forwarded-for': '203.0.113.5',
      'accept-encoding': 'identity',
      ...(isPost && { 'content-type': 'application/json' }),
    });
    expect(authorization).toMatch(/^Bearer (?!stolen)\S+$/);
    expect(body).toBe(isPost ? JSON.stringify({ guild: IDS.guild }) : '');
  }
  expect(stub.received).toHaveLength(2);
});

test('the page receives the status, the bytes and the listed headers of a response, and no others', async () => {
  const passed = {
    etag: '"8"',
    arrival: 'live; latency=5',
    link: '<x>; rel="next"',
    'retry-after': '7',
    ratelimit: 'r',
  };
  const others = {
    'set-cookie': 'session=stolen',
    'access-control-allow-origin': '*',
    'www-authenticate': 'Bearer',
    location: '/evil',
    'content-security-policy': 'none',
    'x-request-id': 'theirs',
    'cache-control': 'public',
    'content-type': 'application/json; charset=latin1',
    server: 'theirs',
  };
  const body = '{ "error" :{"message":"ж",  "data":{}} }';
  stub.answer = (response) => sendJson(response, 412, { ...passed, ...others }, body);
  const response = await stub.update();
  expect([response.status, await response.text()]).toStrictEqual([412, body]);
  for (const [name, value] of Object.entries(passed)) expect(response.headers.get(name)).toBe(value);
  for (const name of ['set-cookie', 'access-control-allow-origin', 'www-authenticate', 'location', 'server'])
    expect([name, response.headers.get(name)]).toStrictEqual([name, null]);
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('content-security-policy')).toMatch(/frame-ancestors 'none'/);
});

describe('the body', () => {
  test.each(['content-length', 'chunks'])(
    'one that is too long by its %s is refused, and the service receives nothing',
    async (kind) => {
      const text = JSON.stringify({ guild: 'x'.repeat(MAX_PATCH_BODY_BYTES + 1_000) });
      const [header, body] =
        kind === 'chunks'
          ? ['transfer-encoding: chunked', `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`]
          : [`content-length: ${text.length}`, text];
      expect(await sendLines(stub.dashboard.url, [...head(), header], body)).toMatch(/^HTTP\/1\.1 413 /);
      expect(stub.lines()).toStrictEqual([]);
    },
  );

  test('one that is cut off does not reach the service', async () => {
    await using connection = await connectTo(stub.dashboard.url);
    connection.write([...head(), 'host: x', 'content-length: 20', '', '{"guild":'].join('\r\n'));
    connection.socket.end();
    await connection.closed;
    expect(stub.lines()).toStrictEqual([]);
  });
});

describe('the token', () => {
  const refuse = (response: ServerResponse, error = 'invalid_token') =>
    sendJson(response, 401, { 'www-authenticate': `Bearer error="${error}"` });
  const renewals = () => here.world.discord.calls.count({ method: 'POST', path: '/oauth2/token' });

  test.each([
    ['once', 1, 200],
    ['always', Number.POSITIVE_INFINITY, 401],
  ])('one that the service refuses %s is renewed once, and the call is repeated once', async (_, times, status) => {
    for (const call of [stub.read, stub.update]) {
      here.world.discord.calls.reset();
      const before = stub.received.length;
      stub.answer = (response) => (stub.received.length > before + times ? sendJson(response, 200) : refuse(response));
      expect((await call()).status).toBe(status);
      const [first, second, ...more] = stub.received.slice(before);
      expect(more).toStrictEqual([]);
      expect(second).toMatchObject({ line: first?.line, body: first?.body });
      expect(second?.headers.authorization).not.toBe(first?.headers.authorization);
      expect(renewals()).toBe(1);
    }
  });

  test('another refusal with 401 is passed on, without a renewal or a repetition', async () => {
    here.world.discord.calls.reset();
    stub.answer = (response) => refuse(response, 'insufficient_scope');
    expect([(await stub.update()).status, stub.lines().length, renewals()]).toStrictEqual([401, 1, 0]);
  });
});
