import { once } from 'node:events';
import { waitUntil } from '@guild-settings/testing';
import { problemIn, revisionTagIn, startApi, test } from '@guild-settings/testing/api';
import { IDS } from '@guild-settings/testing/people';
import { connectTo, exchange, halfClosedExchange, rawExchange } from '@guild-settings/testing/raw-http';
import { readChanges } from '@guild-settings/testing/stores';
import { afterAll, describe, expect } from 'vitest';

const { guild } = IDS;
const ORIGIN = 'https://dash.example';
const ORIGINS = `https://other.example,${ORIGIN}`;
const PATCH = `PATCH /guilds/${guild} HTTP/1.1\r\nHost: x\r\n`;
const JSON_TYPE = 'Content-Type: application/json\r\n';
const QUERY = `/trpc/guilds.get?input=${encodeURIComponent(JSON.stringify({ guild }))}`;
const METHODS = ['GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT', 'DELETE'];
const LONG = `X-Long: ${'x'.repeat(20_000)}`;
const HURRIED = { timeouts: { headers: 300, request: 400 } };

const bearer = (token: string) => `Authorization: Bearer ${token}\r\n`;

/** For cases that change nothing. */
const api = await startApi({ CORS_ORIGINS: ORIGINS });
const hurried = await startApi({ CORS_ORIGINS: ORIGINS }, HURRIED);
const ofOneOrigin = await startApi({ CORS_ORIGINS: ORIGIN }, HURRIED);
const all = [api, hurried, ofOneOrigin];
afterAll(() => Promise.all(all.map((each) => each[Symbol.asyncDispose]())));
afterAll(() => expect(all.flatMap(readChanges)).toEqual([]));

/** Expects that a page of the origin can read the response: status, headers and body. */
function expectReadable({ headers }: Response): void {
  expect(headers.get('access-control-allow-origin')).toBe(ORIGIN);
  expect(headers.get('access-control-allow-credentials')).toBe('true');
  expect(headers.get('access-control-expose-headers')).toMatch(/ETag.*X-Request-Id/);
  expect(headers.get('vary')).toContain('Origin');
}

/** Sends a request that closes the connection, and expects a complete response without a body. */
async function expectNoBody(request: string, status: number, { url } = api): Promise<void> {
  const answer = await rawExchange(url, request);
  expect(answer.head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(answer.head).toMatch(/\r\nx-request-id: /i);
  expect(answer.body).toBe('');
}

test.each([
  ['headers larger than 16 KiB', 431, ['/ HTTP/1.1', 'Host: x', LONG]],
  ['a malformed header', 400, ['/ HTTP/1.1', 'Host: x', 'broken header']],
  ['two different lengths', 400, ['/ HTTP/1.1', 'Host: x', 'Content-Length: 1', 'Content-Length: 2']],
  ['a length and chunks', 400, ['/ HTTP/1.1', 'Host: x', 'Content-Length: 1', 'Transfer-Encoding: chunked']],
  ['a missing Host', 400, ['/healthz HTTP/1.1', 'Connection: close']],
  ['another protocol', 400, ['/healthz HTTP/9.9']],
] as const)(
  '%s: a problem document, which an allowed page can read, and no body for HEAD',
  async (_name, status, [line, ...lines]) => {
    const of = (method: string, ...more: string[]) => [`${method} ${line}`, ...more, ...lines, '', ''].join('\r\n');
    const refused = await exchange(api.url, of('PATCH', `Origin: ${ORIGIN}`));
    expect(refused.status).toBe(status);
    expect(refused.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(refused.headers.get('content-security-policy')).toBe("frame-ancestors 'none'");
    if (!line.endsWith('9.9')) expectReadable(refused);
    expect(await problemIn(refused)).toMatchObject({ status });
    await expectNoBody(of('HEAD'), status);
  },
);

describe('the refusal of a request that could not be read', () => {
  test.each([
    ['does not end: 408', 408, 'Content-Length: 50', '{"prefix":"?"'],
    ['has a malformed chunk: 400', 400, 'Transfer-Encoding: chunked', 'zz\r\n'],
  ])('of a body that %s can be read by the page, and nothing is changed', async (_name, status, length, body) => {
    const credentials = bearer(hurried.tokens.manager) + JSON_TYPE;
    const answer = await exchange(hurried.url, `${PATCH}Origin: ${ORIGIN}\r\n${credentials}${length}\r\n\r\n${body}`);
    expect(answer.status).toBe(status);
    expectReadable(answer);
  });

  test("has the client's own request id", async () => {
    const request = 'GET / HTTP/1.1\r\nHost: x\r\nX-Request-Id: mine-1\r\nbroken header\r\n\r\n';
    expect((await exchange(api.url, request)).headers.get('x-request-id')).toBe('mine-1');
  });

  test('can be read where its origin is unknown and only one is allowed, but not by another origin', async () => {
    const slow = await exchange(ofOneOrigin.url, `GET / HTTP/1.1\r\nHost: x\r\nOrigin: ${ORIGIN}\r\n`);
    expect(slow.status).toBe(408);
    expectReadable(slow);
    const request = 'GET / HTTP/1.1\r\nHost: x\r\nOrigin: https://evil.example\r\nbroken header\r\n\r\n';
    for (const { url } of [api, ofOneOrigin]) {
      const { headers } = await exchange(url, request);
      expect(headers.get('access-control-allow-origin')).not.toBe('https://evil.example');
    }
  });

  test('of HEAD has no body, also where the request line arrived long before, or never ends', async () => {
    await expectNoBody('HEAD /healthz HTTP/1.1\r\nHost: x\r\n', 408, hurried);
    const request = `HEAD /healthz HTTP/1.1\r\nHost: x\r\n${LONG}\r\n\r\n`;
    const socket = await connectTo(api.url);
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk) => {
      text += chunk;
    });
    socket.setNoDelay(true).write(request.slice(0, 9_000));
    // A complete exchange on another connection: the service has read the first part before it.
    await fetch(`${api.url}/healthz`);
    socket.write(request.slice(9_000));
    await once(socket, 'close');
    expect(text).toMatch(/^HTTP\/1\.1 431 [\s\S]*\r\n\r\n$/);
  });

  test('ends the connection after the response to the request before it', async () => {
    const { head, body } = await rawExchange(
      api.url,
      'GET /readyz HTTP/1.1\r\nHost: x\r\n\r\nHEAD / HTTP/1.1\r\nHost: x\r\nbroken header\r\n\r\n',
    );
    expect(head).toMatch(/^HTTP\/1\.1 200 [\s\S]*\r\nconnection: close/i);
    expect(JSON.parse(body)).toMatchObject({ status: 'ok' });
  });

  test('behind a watch ends its stream, and no response is written into it', async () => {
    const socket = await connectTo(api.url);
    let text = '';
    socket.setEncoding('utf8').on('data', (data) => {
      text += data;
    });
    socket.write(`GET /trpc/guilds.watch HTTP/1.1\r\nHost: x\r\n${bearer(api.tokens.application)}\r\n`);
    await waitUntil(() => text.includes('"type":"live"'));
    socket.write('NONSENSE\r\n\r\n');
    await once(socket, 'close');
    expect(text.match(/HTTP\/1\.1/g)).toHaveLength(1);
  });
});

describe('HEAD', () => {
  test.each<[number, string, string?]>([
    ...[`/guilds/${guild}`, QUERY].map((path): [number, string] => [401, path]),
    ...['/nowhere', '/guilds/', '/problems/nothing', '/trpc/nothing'].map((path): [number, string] => [404, path]),
    ...['/healthz', '/metrics', '/openapi.json', '/docs/js/scalar.js', '/problems/internal', '/trpc/guilds.watch'].map(
      (path): [number, string] => [200, path],
    ),
    [400, '/guilds/%zz'],
    [302, '/'],
    [405, '/trpc/guilds.update'],
    [200, `/guilds/${guild}`, bearer(api.tokens.manager)],
    [200, QUERY, bearer(api.tokens.manager)],
    [304, `/guilds/${guild}`, `${bearer(api.tokens.manager)}If-None-Match: "0"\r\n`],
    [412, `/guilds/${guild}`, `${bearer(api.tokens.manager)}If-Match: "7"\r\n`],
    [403, `/guilds/${guild}`, bearer(api.tokens.stranger)],
  ])('has a response without a body: %i %s', async (status, path, headers = '') => {
    await expectNoBody(`HEAD ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n`, status);
  });

  test('has the length of the response to GET', async () => {
    for (const path of [`/guilds/${guild}`, '/healthz', '/openapi.json', '/docs', '/problems/internal']) {
      const get = await api.send(path, { token: api.tokens.manager });
      const head = await api.send(path, { token: api.tokens.manager, method: 'HEAD' });
      expect(head.headers.get('content-length'), path).toBe(get.headers.get('content-length'));
    }
  });
});

describe('OPTIONS', () => {
  const paths = [`/guilds/${guild}`, '/nowhere/at/all', '/guilds/', '/trpc/nothing', '/trpc/', '/guilds/%zz', '/docs'];

  test.each(paths)('from an allowed origin is 204 and allows every method: %s', async (path) => {
    for (const method of ['GET', 'PATCH', 'DELETE', 'PROPFIND']) {
      const asked = { 'access-control-request-method': method, 'access-control-request-headers': 'x-anything' };
      const answer = await api.send(path, { method: 'OPTIONS', headers: { origin: ORIGIN, ...asked } });
      expect(answer.status).toBe(204);
      expectReadable(answer);
      expect(answer.headers.get('access-control-allow-methods')?.split(', ')).toContain(method);
      expect(answer.headers.get('access-control-allow-headers')).toBe('x-anything');
    }
  });

  test.each(['https://evil.example', undefined])(
    'from %s is refused on an unknown path, and lists the methods of a known one alone',
    async (origin) => {
      const options = (path: string, more: object = {}) =>
        api.send(path, { method: 'OPTIONS', headers: { ...(origin && { origin }), ...more } });
      for (const path of ['/nowhere', '/guilds/', '/trpc/nothing']) {
        const answer = await options(path, { 'access-control-request-method': 'GET' });
        expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([404, null]);
      }
      const listed = await options(`/guilds/${guild}`);
      expect([listed.status, listed.headers.get('access-control-allow-origin')]).toEqual([204, null]);
      expect(listed.headers.get('allow')).toBe('DELETE, GET, HEAD, OPTIONS, PATCH');
    },
  );
});

test.each([
  ['GET', '/nowhere', 404],
  ['PUT', `/guilds/${guild}`, 405],
  ['GET', '/guilds/%zz', 400],
  ['PATCH', `/guilds/${guild}`, 401],
  ['GET', '/application', 200],
])('a page of an allowed origin can read the response: %s %s %i', async (method, path, status) => {
  const answer = await api.send(path, { method, headers: { origin: ORIGIN } });
  expect(answer.status).toBe(status);
  expectReadable(answer);
});

/**
 * Response headers that pages may read anyway or do not need, because they are for proxies and for the browser.
 * @see https://fetch.spec.whatwg.org/#cors-safelisted-response-header-name
 */
const NOT_EXPOSED = ['Cache-Control', 'Location', 'Vary', 'X-Accel-Buffering'];

test('a page can read each response header that the document describes', async () => {
  const answer = await api.send('/openapi.json', { headers: { origin: ORIGIN } });
  const described = (await answer.text()).matchAll(/"([\w-]+)":\s*\{\s*"\$ref":\s*"#\/components\/headers\//g);
  const exposed = answer.headers.get('access-control-expose-headers')?.split(', ');
  expect(exposed).toEqual(expect.arrayContaining(['ETag', 'Link', 'Preference-Applied']));
  expect([...(exposed ?? []), ...NOT_EXPOSED]).toEqual(
    expect.arrayContaining([...new Set([...described].map(([, name]) => name))]),
  );
});

describe('paths', () => {
  test.each(['/guilds/', '/problems/', '/trpc/', '/trpc', '/guilds', '/problems', '/docs/', '/trpc/a/b'])(
    'that are not listed are 404, whatever the method and the credentials: %s',
    async (path) => {
      for (const method of METHODS) {
        for (const token of [undefined, api.tokens.manager]) {
          const answer = await api.send(path, { method, ...(token && { token }) });
          expect(answer.status, method).toBe(404);
          if (method !== 'HEAD') expect(await problemIn(answer)).toMatchObject({ type: '/problems/not-found' });
        }
      }
    },
  );

  test('of no procedure are 404 by every method, with GET and POST in the form that tRPC clients read', async () => {
    for (const path of ['/trpc/nothing', '/trpc/guilds', '/trpc/guilds.get.more', '/trpc/constructor']) {
      for (const method of METHODS) {
        const answer = await api.send(path, { method });
        expect(answer.status, `${method} ${path}`).toBe(404);
        expect(answer.headers.has('allow')).toBe(false);
        if (method !== 'GET' && method !== 'POST') continue;
        expect(await answer.json()).toMatchObject({ error: { data: { problem: { type: '/problems/not-found' } } } });
      }
    }
  });

  test.each([
    ['GET', '/trpc/guilds.update', 'OPTIONS, POST'],
    ['POST', '/trpc/guilds.get', 'GET, HEAD, OPTIONS'],
    ['POST', '/trpc/guilds.watch', 'GET, HEAD, OPTIONS'],
  ])('of a procedure are 405 by other methods, and Allow names its own: %s %s', async (method, path, allow) => {
    const answer = await api.send(path, { method, token: api.tokens.manager });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, allow]);
  });

  test.each([`/guilds/${guild}`, `/guilds/${guild}/history`, '/users/@me/guilds', '/features'])(
    'of REST are served with a slash at the end as without it, by the same methods: %s',
    async (path) => {
      const { manager: token } = api.tokens;
      const [without, slashed] = await Promise.all([api.send(path, { token }), api.send(`${path}/`, { token })]);
      expect([slashed.status, await slashed.json()]).toEqual([200, await without.json()]);
      const refused = await Promise.all([path, `${path}/`].map((each) => api.send(each, { token, method: 'PUT' })));
      expect(refused.map(({ status }) => status)).toEqual([405, 405]);
      expect(refused[1]?.headers.get('allow')).toBe(refused[0]?.headers.get('allow'));
    },
  );

  test('have a query and a stream behind a slash at the end, and metrics one route for both addresses', async () => {
    const { manager: token } = api.tokens;
    expect((await api.send(`/guilds/${guild}/history/?limit=x`, { token })).status).toBe(400);
    const stream = await api.send(`/guilds/${guild}/events/`, { token });
    expect([stream.status, stream.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    await stream.body?.cancel();
    for (const path of ['/guilds//', `/guilds/${guild}//`, '/metrics/', '/openapi.json/', '/trpc/guilds.get/'])
      expect((await api.send(path, { token })).status, path).toBe(404);
    expect(await (await api.send('/metrics')).text()).not.toMatch(/route="[^"]+\/"/);
  });
});

test('a preview of a change that has none is refused, and the change is not made', async ({ api }) => {
  const { manager: token, owner } = api.tokens;
  await api.patch(guild, { prefix: '?', enabledFeatures: ['one'] });
  const path = `/guilds/${guild}`;
  for (const [where, sent] of [
    [path, { method: 'PATCH', token, body: { prefix: '!' } }],
    [path, { method: 'DELETE', token: owner, headers: { 'if-match': '*' } }],
    [`${path}/features/two`, { method: 'PUT', token }],
    [`${path}/features/one`, { method: 'DELETE', token }],
  ] as const) {
    for (const value of ['true', '1', 'false', '']) {
      const response = await api.send(`${where}?dry_run=${value}`, sent);
      expect([where, response.status]).toEqual([where, 400]);
      const { detail } = await problemIn(response);
      expect(detail).toBe('Expected no dry_run: this change has no preview. Nothing was changed.');
    }
  }
  expect(revisionTagIn(await api.get(guild))).toBe('"1"');
  // Other unknown parameters are ignored, such as the cache-buster of a client; so is a trailing slash.
  expect((await api.send(`${path}/?_=1`, { method: 'PATCH', token, body: { prefix: '!' } })).status).toBe(200);
  expect(revisionTagIn(await api.get(guild))).toBe('"2"');
});

test('an unknown expectation does not refuse a request', async () => {
  const request = 'GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: wonders\r\nConnection: close\r\n\r\n';
  expect((await exchange(api.url, request)).status).toBe(200);
});

describe('a connection that is kept alive', () => {
  test('ends the streams that wait for others on it, when it is closed', async () => {
    const stream = (token: string) => `GET /guilds/${guild}/events HTTP/1.1\r\nHost: x\r\n${bearer(token)}\r\n`;
    const watchers = async () =>
      / (\d+)$/.exec(/^feed_watchers.*$/m.exec(await (await api.send('/metrics')).text())?.[0] ?? '')?.[1];
    const before = await watchers();
    const socket = await connectTo(api.url);
    // The first stream keeps its turn while it is open.
    socket.write(stream(api.tokens.manager) + stream(api.tokens.owner).repeat(3));
    await waitUntil(async () => (await watchers()) === String(Number(before) + 4));
    socket.destroy();
    await waitUntil(async () => (await watchers()) === before);
  });

  test('is ended behind an answer that did not wait for the whole body', async () => {
    const chunk = `1000\r\n${'x'.repeat(0x1000)}\r\n`;
    for (const [credentials, status] of [
      ['', 401],
      [bearer(api.tokens.plain), 403],
    ] as const) {
      const request = `${PATCH}Transfer-Encoding: chunked\r\n${credentials}\r\n${chunk.repeat(50)}`;
      const answer = await exchange(api.url, request);
      expect([answer.status, answer.headers.get('connection')]).toEqual([status, 'close']);
    }
  });

  test('goes on behind a refused body that came in whole', async () => {
    const { head, body } = await rawExchange(
      api.url,
      `${PATCH}Content-Length: 2\r\n\r\n{}GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    );
    expect(head + body).toMatch(/^HTTP\/1\.1 401 [\s\S]*HTTP\/1\.1 200 /);
  });
});

describe('a client that closes its half of the connection', () => {
  test('receives the response to a change', async ({ api }) => {
    const body = '{"prefix":"?"}';
    const request = `${PATCH}${bearer(api.tokens.manager)}${JSON_TYPE}Content-Length: ${body.length}\r\n\r\n${body}`;
    const response = await halfClosedExchange(api.url, request);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ prefix: '?' });
  });

  test('ends its stream at once', async () => {
    const socket = await connectTo(api.url);
    socket.write(`GET /trpc/guilds.watch HTTP/1.1\r\nHost: x\r\n${bearer(api.tokens.application)}\r\n`);
    await once(socket, 'data');
    socket.resume().end();
    await once(socket, 'close', { signal: AbortSignal.timeout(20_000) });
  });
});

test('a client that disconnects within its body changes nothing, and other requests are served', async () => {
  const socket = await connectTo(api.url);
  socket.write(`${PATCH}${bearer(api.tokens.manager)}${JSON_TYPE}Content-Length: 50\r\n\r\n{"prefix":"?"}`);
  await api.get(guild);
  socket.destroy();
  expect(revisionTagIn(await api.get(guild))).toBe('"0"');
  expect(api.log()).not.toContain('"level":50');
});
