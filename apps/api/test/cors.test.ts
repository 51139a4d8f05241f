import { startApi } from '@guild-settings/testing/api';
import { IDS } from '@guild-settings/testing/people';
import { exchange } from '@guild-settings/testing/raw-http';
import { afterAll, describe, expect, test } from 'vitest';

const { guild } = IDS;
const ORIGIN = 'https://dash.example';
const ORIGINS = `https://other.example,${ORIGIN}`;
const FROM_PAGE = `Origin: ${ORIGIN}\r\n`;
const HURRIED = { timeouts: { headers: 300, request: 400 } };

const api = await startApi({ CORS_ORIGINS: ORIGINS });
/** Closes slow connections soon. */
const hurried = await startApi({ CORS_ORIGINS: ORIGINS }, HURRIED);
const ofOneOrigin = await startApi({ CORS_ORIGINS: ORIGIN }, HURRIED);
afterAll(() => Promise.all([api, hurried, ofOneOrigin].map((each) => each[Symbol.asyncDispose]())));

/** Expects that a page of the origin can read the response: status, headers and body. */
function expectReadable({ headers }: Response): void {
  expect(headers.get('access-control-allow-origin')).toBe(ORIGIN);
  expect(headers.get('access-control-allow-credentials')).toBe('true');
  expect(headers.get('access-control-expose-headers')).toMatch(/ETag.*X-Request-Id/);
  expect(headers.get('vary')).toContain('Origin');
}

describe('OPTIONS from an allowed origin', () => {
  test.each([
    ['a record', `/guilds/${guild}`],
    ['an unknown path', '/nowhere/at/all'],
    ['an empty parameter', '/guilds/'],
    ['an unknown procedure', '/trpc/nothing'],
    ['no procedure', '/trpc/'],
    ['no problem', '/problems/'],
    ['an address that cannot be decoded', '/guilds/%zz'],
    ['a page', '/docs'],
  ])('is 204 and allows every method: %s (%s)', async (_name, path) => {
    for (const method of ['GET', 'PATCH', 'PUT', 'DELETE', 'PROPFIND']) {
      const headers = {
        origin: ORIGIN,
        'access-control-request-method': method,
        'access-control-request-headers': 'authorization,x-anything',
      };
      const answer = await api.send(path, { method: 'OPTIONS', headers });
      expect(answer.status).toBe(204);
      expectReadable(answer);
      expect(answer.headers.get('access-control-allow-methods')?.split(', ')).toContain(method);
      expect(answer.headers.get('access-control-allow-headers')).toBe('authorization,x-anything');
    }
  });

  test.each(['https://evil.example', undefined])(
    'is refused on an unknown path, and lists the methods of a known one alone, for %s',
    async (origin) => {
      for (const path of ['/nowhere', '/guilds/', '/trpc/nothing']) {
        const headers = { ...(origin && { origin }), 'access-control-request-method': 'GET' };
        const answer = await api.send(path, { method: 'OPTIONS', headers });
        expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([404, null]);
      }
      const listed = await api.send(`/guilds/${guild}`, { method: 'OPTIONS', headers: { ...(origin && { origin }) } });
      expect([listed.status, listed.headers.get('access-control-allow-origin')]).toEqual([204, null]);
      expect(listed.headers.get('allow')).toBe('DELETE, GET, HEAD, OPTIONS, PATCH');
    },
  );

  test('and what follows can be read by the page: 404, 405, 400, 401, 200', async () => {
    for (const [method, path, status] of [
      ['GET', '/nowhere', 404],
      ['GET', '/guilds/', 404],
      ['PUT', `/guilds/${guild}`, 405],
      ['GET', '/guilds/%zz', 400],
      ['PATCH', `/guilds/${guild}`, 401],
      ['GET', '/application', 200],
    ] as const) {
      const answer = await api.send(path, { method, headers: { origin: ORIGIN } });
      expect(answer.status).toBe(status);
      expectReadable(answer);
    }
  });
});

/**
 * Response headers that pages may read anyway, or do not need: those are for proxies and for the browser itself.
 * @see https://fetch.spec.whatwg.org/#cors-safelisted-response-header-name
 */
const NOT_EXPOSED = ['Cache-Control', 'Location', 'Vary', 'X-Accel-Buffering'];

test('a page can read each response header that the document describes', async () => {
  const answer = await api.send('/openapi.json', { headers: { origin: ORIGIN } });
  const described = (await answer.text()).matchAll(/"([\w-]+)":\s*\{\s*"\$ref":\s*"#\/components\/headers\//g);
  const exposed = answer.headers.get('access-control-expose-headers')?.split(', ');
  expect(exposed).toEqual(expect.arrayContaining(['ETag', 'Preference-Applied']));
  expect([...(exposed ?? []), ...NOT_EXPOSED]).toEqual(
    expect.arrayContaining([...new Set([...described].map(([, name]) => name))]),
  );
});

describe('a page can read the refusal of a request that could not be read', () => {
  test.each([
    [
      'headers larger than 16 KiB',
      431,
      `GET / HTTP/1.1\r\nHost: x\r\n${FROM_PAGE}X-Long: ${'x'.repeat(20_000)}\r\n\r\n`,
    ],
    ['a malformed header', 400, `GET / HTTP/1.1\r\nHost: x\r\n${FROM_PAGE}broken header\r\n\r\n`],
    ['a missing Host', 400, `GET / HTTP/1.1\r\n${FROM_PAGE}Connection: close\r\n\r\n`],
  ])('%s: %i', async (_name, status, request) => {
    const answer = await exchange(api.url, request);
    expect(answer.status).toBe(status);
    expectReadable(answer);
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  test.each([
    ['does not end: 408', 408, 'Content-Length: 50', '{"a"'],
    ['has a malformed chunk: 400', 400, 'Transfer-Encoding: chunked', 'zz\r\n'],
  ])('a body that %s', async (_name, status, length, body) => {
    const credentials = `Authorization: Bearer ${hurried.tokens.manager}\r\nContent-Type: application/json\r\n`;
    const lines = `PATCH /guilds/${guild} HTTP/1.1\r\nHost: x\r\n${FROM_PAGE}${credentials}${length}\r\n\r\n`;
    const answer = await exchange(hurried.url, lines + body);
    expect(answer.status).toBe(status);
    expectReadable(answer);
  });

  test("with the client's own request id", async () => {
    const request = `GET / HTTP/1.1\r\nHost: x\r\nX-Request-Id: mine-1\r\nbroken header\r\n\r\n`;
    expect((await exchange(api.url, request)).headers.get('x-request-id')).toBe('mine-1');
  });

  test('where its origin is unknown and only one is allowed', async () => {
    const answer = await exchange(ofOneOrigin.url, `GET / HTTP/1.1\r\nHost: x\r\n${FROM_PAGE}`);
    expect(answer.status).toBe(408);
    expectReadable(answer);
  });

  test('but a page of another origin cannot', async () => {
    const request = `GET / HTTP/1.1\r\nHost: x\r\nOrigin: https://evil.example\r\nbroken header\r\n\r\n`;
    for (const { url } of [api, ofOneOrigin]) {
      expect((await exchange(url, request)).headers.get('access-control-allow-origin')).not.toBe(
        'https://evil.example',
      );
    }
  });
});
