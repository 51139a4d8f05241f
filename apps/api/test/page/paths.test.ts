import { readFileSync } from 'node:fs';
import { sharedApi, startApi, type TestApi } from '@guild-settings/testing/api';
import { Browser, loggedIn, PAGE_ENV } from '@guild-settings/testing/page-visitor';
import { IDS, PAGE_ORIGIN } from '@guild-settings/testing/people';
import { rawExchange } from '@guild-settings/testing/raw-http';
import { describe, expect, test } from 'vitest';

const { guild } = IDS;
const CALL = `/trpc/guilds.get?input=${encodeURIComponent(JSON.stringify({ guild }))}`;

/** The Accept header of a browser that opens a URL. */
const HTML = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';

type Way = readonly [name: string, accept: string, hasToken: boolean];
const OPENED: Way = ['a browser', HTML, false];
const OPENS: readonly Way[] = [OPENED, ['text/html alone', 'text/html', false]];
const WAYS: readonly Way[] = [
  ...OPENS,
  ['anything', '*/*', false],
  ['JSON', 'application/json', false],
  ['JSON rather than HTML', 'application/json, text/html;q=0.9', false],
  ['a browser with a token', HTML, true],
  ['JSON with a token', 'application/json', true],
];

const { paths } = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as {
  paths: Record<string, Record<string, object>>;
};
const EXAMPLES: Readonly<Record<string, string>> = { guild, feature: 'tea', revision: '1', slug: 'forbidden' };

/** The paths of the OpenAPI document with GET, except for the stream, which does not end. */
const ADDRESSES = Object.keys(paths)
  .filter((path) => paths[path]?.get !== undefined && !path.endsWith('/events'))
  .map((path) => path.replaceAll(/\{(\w+)\}/g, (_, name: string) => EXAMPLES[name] ?? ''));

/** Paths that the page and REST share, and paths for browsers only. */
const SHARED = ['/', '/sessions', '/none', `/guilds/${guild}`, `/guilds/${guild}/history`];

const on = sharedApi(PAGE_ENV);
const off = sharedApi();

/** Sends a request, and returns how it is answered: with the page, a redirect target, or a status. */
async function responseOf(api: TestApi, path: string, [, accept, hasToken]: Way, method = 'GET') {
  const headers = { accept, ...(hasToken && { authorization: `Bearer ${api.tokens.manager}` }) };
  const response = await fetch(`${api.url}${path}`, { method, headers, redirect: 'manual' });
  const isPage = (await response.text()).includes('id="root"');
  const owner = isPage ? 'page' : (response.headers.get('location') ?? String(response.status));
  return { owner, type: response.headers.get('content-type'), headers: response.headers };
}
const ownerOf = async (...request: Parameters<typeof responseOf>) => (await responseOf(...request)).owner;

describe('each address has one owner', () => {
  test.each(WAYS)('%s: REST has what it has without the page, except that browsers open guilds', async (...way) => {
    const isOpened = OPENS.some(([name]) => name === way[0]);
    for (const path of ADDRESSES) {
      const [withPage, without] = [await responseOf(on(), path, way), await responseOf(off(), path, way)];
      if (isOpened && (path.startsWith('/guilds/') || path === '/'))
        expect([path, withPage.owner]).toStrictEqual([path, 'page']);
      else if (path === '/') expect(withPage.owner).toBe('/openapi.json');
      else if (path.startsWith('/docs')) expect([path, withPage.owner]).toStrictEqual([path, '404']);
      else expect([path, withPage.owner, withPage.type]).toStrictEqual([path, without.owner, without.type]);
    }
  });

  test.each<[path: string, opened: string, other: string, withToken: string]>([
    ['/sessions', 'page', '400', '400'],
    ['/session', '204', '204', '204'],
    ['/callback', '/?login=expired', '/?login=expired', '/?login=expired'],
    ['/logout', '405', '405', '405'],
    [`/guilds/${guild}/`, 'page', '401', '200'],
    [`/guilds/${guild}/danger/more`, 'page', '404', '404'],
    ...['/guilds', `/guilds/${guild}/transfer`, '/none', '/a/b/c?d=e', '/none.js', '/trpc'].map(
      (path): [string, string, string, string] => [path, 'page', '404', '404'],
    ),
  ])('%s: opened by a browser %s, else %s, with a token %s', async (path, opened, other, withToken) => {
    for (const way of WAYS) {
      const expected = way[2] ? withToken : OPENS.includes(way) ? opened : other;
      expect([way[0], await ownerOf(on(), path, way)]).toStrictEqual([way[0], expected]);
    }
  });

  test('the page is sent by GET and HEAD alone, and a cache is told what the owner depends on', async () => {
    for (const path of SHARED) {
      const [head, get] = [await responseOf(on(), path, OPENED, 'HEAD'), await responseOf(on(), path, OPENED)];
      expect([path, head.owner, head.headers.get('etag')]).toStrictEqual([path, '200', get.headers.get('etag')]);
      for (const method of path === '/sessions' ? [] : ['POST', 'PATCH', 'PUT', 'DELETE']) {
        const [withPage, without] = [
          await ownerOf(on(), path, OPENED, method),
          await ownerOf(off(), path, OPENED, method),
        ];
        expect([method, path, withPage]).toStrictEqual([method, path, without]);
      }
      for (const way of WAYS) {
        const vary = (await responseOf(on(), path, way)).headers.get('vary')?.toLowerCase().split(', ');
        expect(vary).toEqual(expect.arrayContaining(['authorization', 'accept']));
        expect(new Set(vary).size).toBe(vary?.length);
      }
    }
  });

  test('with the page off, there is none, and no response depends on Accept but that of /', async () => {
    for (const way of WAYS) {
      for (const path of ['/sessions', '/session', '/login', '/callback', '/guilds', '/none', '/assets/none.js'])
        expect([way[0], path, await ownerOf(off(), path, way)]).toStrictEqual([way[0], path, '404']);
      const { owner, headers } = await responseOf(off(), `/guilds/${guild}`, way);
      expect([owner, headers.get('vary')?.includes('Accept')]).toStrictEqual([way[2] ? '200' : '401', false]);
    }
    expect(await ownerOf(off(), '/', OPENED)).toBe('/docs');
  });

  test('where tokens are public, /docs is beside the page, at another host', async () => {
    await using api = await startApi(PAGE_ENV, { publicToken: 'for-everybody' });
    for (const path of ['/docs', '/docs/js/scalar.js']) {
      const statusAt = async (host: string) =>
        (await fetch(`${api.url}${path}`, { headers: { 'x-forwarded-host': host } })).status;
      expect([await statusAt('localhost:3000'), await statusAt(new URL(PAGE_ORIGIN).host)]).toStrictEqual([200, 404]);
    }
  });
});

describe('every response at the origin of the page', () => {
  test('has a policy under which no script within it runs, and cannot be framed or sniffed', async () => {
    const browser = await loggedIn(on());
    const html = await (await browser.open('/')).text();
    const files = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, file = '']) => file);
    const others = [
      '/login',
      '/callback',
      '/session',
      '/sessions',
      '/none',
      '/%zz',
      `/sessions/${'x'.repeat(2_500)}`,
      CALL,
    ];
    for (const path of [...ADDRESSES, ...others, ...files, '/trpc/none']) {
      for (const accept of [HTML, '*/*']) {
        const { headers } = await browser.visit(path, { headers: { accept } });
        const policy = headers.get('content-security-policy') ?? '';
        const [, scripts] = /script-src ([^;]*)/.exec(policy) ?? /default-src ([^;]*)/.exec(policy) ?? [];
        expect([path, scripts]).toStrictEqual([path, expect.stringMatching(/^'(?:none|self)'$/)]);
        expect([path, policy]).toStrictEqual([path, expect.stringContaining("frame-ancestors 'none'")]);
        expect(policy).not.toMatch(/unsafe-(?:inline|eval)|\*|https?:(?!\/\/cdn\.discordapp\.com)/);
        const names = ['x-content-type-options', 'x-powered-by', 'server', 'access-control-allow-origin'];
        expect([path, ...names.map((name) => headers.get(name))]).toStrictEqual([path, 'nosniff', null, null, null]);
      }
    }
  });

  test('of the page itself has a policy of its own files alone, trusted types, and HSTS under https', async () => {
    for (const path of ['/', '/session', '/sessions', '/login', '/guilds/1']) {
      const { headers } = await new Browser(on()).open(path);
      expect(headers.get('content-security-policy')).toBe(
        "default-src 'none';script-src 'self';style-src 'self';img-src 'self' https://cdn.discordapp.com;connect-src 'self';" +
          "font-src 'self';manifest-src 'self';base-uri 'none';form-action 'self';frame-ancestors 'none';" +
          "require-trusted-types-for 'script';trusted-types 'none'",
      );
      for (const name of ['cross-origin-opener-policy', 'cross-origin-resource-policy', 'referrer-policy'])
        expect([path, name, headers.get(name)]).toStrictEqual([path, name, 'same-origin']);
      expect([headers.get('x-frame-options'), headers.get('strict-transport-security')]).toStrictEqual([
        'DENY',
        'max-age=31536000',
      ]);
    }
  });

  test('that depends on the session is stored nowhere', async () => {
    for (const browser of [await loggedIn(on()), new Browser(on())]) {
      for (const path of ['/session', '/sessions', '/login', '/callback', CALL, '/trpc/none']) {
        const caching = (await browser.visit(path)).headers.get('cache-control');
        expect([path, caching]).toStrictEqual([path, expect.stringMatching(/no-store|private, no-cache/)]);
      }
      expect((await browser.logout()).headers.get('cache-control')).toBe('no-store');
    }
  });
});

test.each([
  ...[
    'HEAD /session',
    'HEAD /login',
    'HEAD /callback?code=x&state=y',
    'HEAD /logout',
    'GET /logout',
    'GET /sessions/x',
  ],
  ...['POST /session', 'POST /', 'POST /login', 'PUT /sessions', 'PATCH /sessions/x', 'TRACE /session'],
])('%s does not exist, and reflects nothing', async (line) => {
  const browser = await loggedIn(on());
  const lines = [
    `${line} HTTP/1.1`,
    'Host: x',
    `Cookie: ${browser.cookie}`,
    'X-Secret: reflected',
    'Connection: close',
  ];
  const { head, body } = await rawExchange(on().url, [...lines, '', ''].join('\r\n'));
  expect(head).toMatch(/^HTTP\/1\.1 40[45] /);
  expect(head + body).not.toMatch(/reflected|set-cookie/i);
  expect(await browser.status()).toBe(200);
});

test('an address or a header cannot write lines into the log, which has no query and no cookie', async () => {
  const { cookie, session } = await loggedIn(on());
  const forged = '{"level":50,"msg":"forged"}';
  const encoded = encodeURIComponent(`\n${forged}\n`);
  const headers = ['X-Forwarded-For', 'X-Request-Id', 'Referer', 'User-Agent'].map(
    (name) => `${name}: ${forged}\t\x1b[31m`,
  );
  for (const path of [
    `/${encoded}`,
    `/login?to=${encoded}`,
    `/callback?state=${encoded}`,
    `/sessions/${encoded}`,
    '/%zz',
  ]) {
    const lines = [`GET ${path} HTTP/1.1`, 'Host: x', ...headers, `Cookie: ${cookie}`, 'Connection: close', '', ''];
    await rawExchange(on().url, lines.join('\r\n'));
  }
  expect(on().log()).not.toMatch(/"msg":"forged|\\u001b|state=|to=%/);
  expect(on().log()).not.toContain(session);
  for (const line of on().log().trim().split('\n'))
    expect(JSON.parse(line)).toMatchObject({ level: expect.any(Number) });
});

test('/metrics counts requests by the pattern of their route, logins and renewals', async () => {
  await using api = await startApi(PAGE_ENV);
  const browser = await loggedIn(api);
  await new Browser(api).login({ isGranted: false });
  await browser.visit('/sessions/some-id-of-a-session', { method: 'DELETE' });
  const metrics = await (await api.send('/metrics', { token: api.tokens.application })).text();
  expect(metrics.split('\n')).toEqual(
    expect.arrayContaining([
      'http_request_duration_seconds_count{method="DELETE",route="/sessions/:id",status="204"} 1',
      'dashboard_logins_total{outcome="completed"} 1',
      'dashboard_logins_total{outcome="denied"} 1',
      'dashboard_token_renewals_total{outcome="refused"} 0',
    ]),
  );
  expect(metrics).not.toMatch(/some-id-of|session=/);
});
