import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sharedApi, startApi, type TestApi } from '../../src/testing/api-resource.ts';
import { Browser, loggedIn, PAGE_ENV } from '../../src/testing/browser.ts';
import { IDS, PAGE_ORIGIN } from '../../src/testing/people.ts';
import { rawExchange } from '../../src/testing/raw-http.ts';

const { guild } = IDS;

/** The Accept header of a browser that opens an address. */
const HTML = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';

/** The ways to send a request: its `Accept`, and whether it has a token. */
type Way = readonly [name: string, accept: string, hasToken: boolean];
const WAYS: readonly [Way, ...Way[]] = [
  ['a browser', HTML, false],
  ['text/html alone', 'text/html', false],
  ['anything', '*/*', false],
  ['JSON', 'application/json', false],
  ['JSON rather than HTML', 'application/json, text/html;q=0.9', false],
  ['a browser with a token', HTML, true],
  ['JSON with a token', 'application/json', true],
];

/** The ways of a browser that opens an address. */
const OPENS = WAYS.slice(0, 2).map(([name]) => name);

const { paths } = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as {
  paths: Record<string, Record<string, object>>;
};

/** The addresses of the OpenAPI document that have GET, without the stream, which has no end. */
const ADDRESSES = Object.keys(paths)
  .filter((path) => paths[path]?.get !== undefined && !path.endsWith('/events'))
  .map((path) =>
    path
      .replace('{guild}', guild)
      .replace('{feature}', 'tea')
      .replace('{revision}', '1')
      .replace('{slug}', 'forbidden'),
  );

const on = sharedApi(PAGE_ENV);
const off = sharedApi();

/** Sends a request, and returns who responds: the page, an address to which it leads, or a status with its media type. */
async function ownerOf(api: TestApi, path: string, way: Way, method = 'GET') {
  const [, accept, hasToken] = way;
  const headers = { accept, ...(hasToken && { authorization: `Bearer ${api.tokens.manager}` }) };
  const response = await fetch(`${api.url}${path}`, { method, headers, redirect: 'manual' });
  const text = await response.text();
  const type = response.headers.get('content-type')?.split(';')[0];
  const owner = text.includes('id="root"')
    ? 'page'
    : (response.headers.get('location') ?? `${response.status} ${type ?? ''}`.trim());
  return { owner, response };
}

describe('each address has one owner', () => {
  test.each(WAYS)('%s: REST has what it has without the page, except that browsers open guilds', async (...way) => {
    for (const path of ADDRESSES) {
      const [withPage, without] = [await ownerOf(on(), path, way), await ownerOf(off(), path, way)];
      let expected = without.owner;
      if (path.startsWith('/guilds/') && OPENS.includes(way[0])) expected = 'page';
      if (path === '/') expected = OPENS.includes(way[0]) ? 'page' : '/openapi.json';
      if (path.startsWith('/docs')) expected = '404 application/problem+json';
      expect([path, withPage.owner]).toStrictEqual([path, expected]);
    }
  });

  const PROBLEM = '404 application/problem+json';
  test.each([
    ['/sessions', 'page', '400 application/problem+json'],
    ['/session', '204', '204'],
    ['/callback', '/?login=expired', '/?login=expired'],
    ['/guilds', 'page', PROBLEM],
    [`/guilds/${guild}/`, 'page', '401 application/problem+json'],
    [`/guilds/${guild}/transfer`, 'page', PROBLEM],
    [`/guilds/${guild}/danger/more`, 'page', PROBLEM],
    ['/none', 'page', PROBLEM],
    ['/a/b/c?d=e', 'page', PROBLEM],
    ['/none.js', 'page', PROBLEM],
    ['/logout', '405 application/problem+json', '405 application/problem+json'],
    ['/trpc', 'page', PROBLEM],
  ])('%s: opened by a browser %s, else %s', async (path, opened, else_) => {
    for (const way of WAYS) {
      const { owner } = await ownerOf(on(), path, way);
      const withToken = path.endsWith('/') && way[2] ? '200 application/json' : else_;
      expect([way[0], owner]).toStrictEqual([way[0], OPENS.includes(way[0]) ? opened : withToken]);
    }
  });

  test('the page is sent by GET and HEAD alone: every other method is REST', async () => {
    const [browser] = WAYS;
    for (const path of ['/', '/sessions', '/none', `/guilds/${guild}`, `/guilds/${guild}/history`]) {
      const head = await ownerOf(on(), path, browser, 'HEAD');
      const get = await ownerOf(on(), path, browser);
      expect([path, head.owner, head.response.headers.get('etag')]).toStrictEqual([
        path,
        '200 text/html',
        get.response.headers.get('etag'),
      ]);
      if (path === '/sessions') continue;
      for (const method of ['POST', 'PATCH', 'PUT', 'DELETE']) {
        const [withPage, without] = [
          await ownerOf(on(), path, browser, method),
          await ownerOf(off(), path, browser, method),
        ];
        expect([method, path, withPage.owner]).toStrictEqual([method, path, without.owner]);
      }
    }
  });

  test('a cache is told what the owner depends on', async () => {
    for (const path of ['/', '/sessions', '/none', `/guilds/${guild}`, `/guilds/${guild}/history`]) {
      for (const way of WAYS) {
        const vary = (await ownerOf(on(), path, way)).response.headers.get('vary')?.toLowerCase().split(', ');
        expect(vary).toEqual(expect.arrayContaining(['authorization', 'accept']));
        expect(new Set(vary).size).toBe(vary?.length);
      }
    }
  });

  test('with the page off, there is none, and no response depends on Accept but that of /', async () => {
    for (const way of WAYS) {
      for (const path of ['/sessions', '/session', '/login', '/callback', '/guilds', '/none', '/assets/none.js']) {
        const { owner } = await ownerOf(off(), path, way);
        expect([way[0], path, owner]).toStrictEqual([way[0], path, '404 application/problem+json']);
      }
      const { owner, response } = await ownerOf(off(), `/guilds/${guild}`, way);
      expect(owner).toBe(way[2] ? '200 application/json' : '401 application/problem+json');
      expect(response.headers.get('vary')?.split(', ')).not.toContain('Accept');
    }
    expect((await ownerOf(off(), '/', WAYS[0])).owner).toBe('/docs');
  });
});

describe('where tokens are public, /docs is beside the page', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startApi(PAGE_ENV, { publicToken: 'for-everybody' });
  });
  afterAll(() => api?.[Symbol.asyncDispose]());

  test.each(['/docs', '/docs/js/scalar.js'])('at another host than that of the page alone: %s', async (path) => {
    const statusAt = async (host: string) =>
      (await fetch(`${api.url}${path}`, { headers: { 'x-forwarded-host': host } })).status;
    const { host } = new URL(PAGE_ORIGIN);
    expect([await statusAt('localhost:3000'), await statusAt(host)]).toStrictEqual([200, 404]);
  });
});

describe('every response at the origin of the page', () => {
  /** Returns the sources of scripts that a policy allows. */
  const scriptsOf = (policy: string) =>
    (/script-src ([^;]*)/.exec(policy) ?? /default-src ([^;]*)/.exec(policy))?.[1]?.split(' ') ?? ['none at all'];

  const OTHERS = ['/login', '/callback', '/session', '/sessions', '/none', '/%zz', `/sessions/${'x'.repeat(2_500)}`];

  test('has a policy under which no script within it runs, and cannot be framed or sniffed', async () => {
    const browser = await loggedIn(on());
    const html = await (await browser.open('/')).text();
    const files = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, file = '']) => file);
    const call = `/trpc/guilds.get?input=${encodeURIComponent(JSON.stringify({ guild }))}`;
    for (const path of [...ADDRESSES, ...OTHERS, ...files, call, '/trpc/none']) {
      for (const accept of [HTML, '*/*']) {
        const { headers } = await browser.visit(path, { headers: { accept } });
        const policy = headers.get('content-security-policy') ?? '';
        for (const source of scriptsOf(policy))
          expect([path, source]).toStrictEqual([path, expect.stringMatching(/^'(?:none|self)'$/)]);
        expect([path, policy]).toStrictEqual([path, expect.stringContaining("frame-ancestors 'none'")]);
        expect(policy).not.toMatch(/unsafe-(?:inline|eval)|\*|https?:(?!\/\/cdn\.discordapp\.com)/);
        expect([path, headers.get('x-content-type-options')]).toStrictEqual([path, 'nosniff']);
        expect([headers.get('x-powered-by'), headers.get('server')]).toStrictEqual([null, null]);
        expect([path, headers.get('access-control-allow-origin')]).toStrictEqual([path, null]);
      }
    }
  });

  test('of the page itself has a policy of its own files alone, trusted types, and HSTS under https', async () => {
    const browser = await loggedIn(on());
    for (const path of ['/', '/session', '/sessions', '/login', '/guilds/1']) {
      const { headers } = await browser.open(path);
      expect(headers.get('content-security-policy')).toBe(
        "default-src 'none';script-src 'self';style-src 'self';img-src 'self' https://cdn.discordapp.com;connect-src 'self';" +
          "font-src 'self';manifest-src 'self';base-uri 'none';form-action 'self';frame-ancestors 'none';" +
          "require-trusted-types-for 'script';trusted-types 'none'",
      );
      for (const [name, value] of [
        ['cross-origin-opener-policy', 'same-origin'],
        ['cross-origin-resource-policy', 'same-origin'],
        ['referrer-policy', 'same-origin'],
        ['x-frame-options', 'DENY'],
        ['strict-transport-security', 'max-age=31536000'],
      ] as const)
        expect([path, name, headers.get(name)]).toStrictEqual([path, name, value]);
    }
  });

  test('that depends on the session is stored nowhere', async () => {
    const call = `/trpc/guilds.get?input=${encodeURIComponent(JSON.stringify({ guild }))}`;
    for (const browser of [await loggedIn(on()), new Browser(on())]) {
      for (const path of ['/session', '/sessions', '/login', '/callback', call, '/trpc/none']) {
        const stored = (await browser.visit(path)).headers.get('cache-control') ?? '';
        expect([path, stored]).toStrictEqual([path, expect.stringMatching(/no-store|private, no-cache/)]);
      }
      expect((await browser.logout()).headers.get('cache-control')).toBe('no-store');
    }
  });
});

test.each([
  ['HEAD', '/session'],
  ['HEAD', '/login'],
  ['HEAD', '/callback?code=x&state=y'],
  ['POST', '/session'],
  ['PUT', '/sessions'],
  ['PATCH', '/sessions/x'],
  ['GET', '/sessions/x'],
  ['GET', '/logout'],
  ['HEAD', '/logout'],
  ['POST', '/'],
  ['POST', '/login'],
  ['TRACE', '/session'],
])('%s %s does not exist, and reflects nothing', async (method, path) => {
  const browser = await loggedIn(on());
  const lines = [`${method} ${path} HTTP/1.1`, 'Host: x', `Cookie: ${browser.cookie}`, 'X-Secret: reflected'];
  const { head, body } = await rawExchange(on().url, [...lines, 'Connection: close', '', ''].join('\r\n'));
  expect(head).toMatch(/^HTTP\/1\.1 40[45] /);
  expect(head + body).not.toMatch(/reflected|set-cookie/i);
  expect(await browser.status()).toBe(200);
});

test('an address or a header cannot write lines into the log, which has no query and no cookie', async () => {
  const browser = await loggedIn(on());
  const forged = '{"level":50,"msg":"forged"}';
  const encoded = encodeURIComponent(`\n${forged}\n`);
  for (const path of [
    `/${encoded}`,
    `/login?to=${encoded}`,
    `/callback?state=${encoded}`,
    `/sessions/${encoded}`,
    '/%zz',
  ]) {
    const lines = [`GET ${path} HTTP/1.1`, 'Host: x', `User-Agent: ${forged}\t\x1b[31m`, `X-Forwarded-For: ${forged}`];
    const more = [
      `X-Request-Id: ${forged}`,
      `Referer: ${forged}`,
      `Cookie: ${browser.cookie}`,
      'Connection: close',
      '',
      '',
    ];
    await rawExchange(on().url, [...lines, ...more].join('\r\n'));
  }
  const log = on().log();
  expect(log).not.toMatch(/"msg":"forged|\\u001b|state=|to=%/);
  expect(log).not.toContain(browser.session);
  for (const line of log.trim().split('\n')) expect(JSON.parse(line)).toMatchObject({ level: expect.any(Number) });
});

test('/metrics counts requests by the pattern of their route, logins and renewals', async () => {
  await using api = await startApi(PAGE_ENV);
  const browser = await loggedIn(api);
  await new Browser(api).login({ isGranted: false });
  await browser.visit('/sessions/some-id-of-a-session', { method: 'DELETE' });
  await browser.open(`/guilds/${guild}/danger`);
  const metrics = await (await api.send('/metrics', { token: api.tokens.application })).text();
  for (const line of [
    'http_request_duration_seconds_count{method="DELETE",route="/sessions/:id",status="204"} 1',
    'dashboard_logins_total{outcome="completed"} 1',
    'dashboard_logins_total{outcome="denied"} 1',
    'dashboard_token_renewals_total{outcome="refused"} 0',
  ])
    expect(metrics.split('\n')).toContain(line);
  expect(metrics).not.toMatch(/some-id-of|session=|danger/);
});
