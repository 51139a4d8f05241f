import { beforeAll, describe, expect, test } from 'vitest';
import { OPERATIONS_BY_PATH } from '../../src/operations/operations.ts';
import { sharedApi, startApi } from '../../src/testing/api-resource.ts';
import { Browser, loggedIn, PAGE_ENV, type Visit } from '../../src/testing/browser.ts';
import { IDS, PAGE_ORIGIN } from '../../src/testing/people.ts';

const { guild } = IDS;
const INPUT = `input=${encodeURIComponent(JSON.stringify({ guild }))}`;

const here = sharedApi(PAGE_ENV);
let browser: Browser;
beforeAll(async () => {
  browser = await loggedIn(here());
  await here().patch(guild, { prefix: 'mine' });
});

/** Returns the type of the problem in a response, as a document or in tRPC's envelope. */
async function typeOf(response: Response): Promise<string | undefined> {
  const text = await response.text();
  const [, type] = /"type":"(\/problems\/[\w-]+)"/.exec(text) ?? [];
  return type ?? text.slice(0, 200);
}

/** Expects that the session has neither read, changed nor ended anything by what was sent. */
async function expectUnchanged(): Promise<void> {
  const response = await browser.call('guilds.get');
  expect([response.status, await response.json()]).toMatchObject([200, { result: { data: { prefix: 'mine' } } }]);
}

/** Requests that change something, or end a session. */
const CHANGES: readonly (readonly [path: string, visit: Visit])[] = [
  ['/trpc/guilds.update', { method: 'POST', body: { guild, prefix: 'evil' } }],
  ['/logout', { method: 'POST', body: {} }],
  ['/sessions', { method: 'DELETE' }],
  ['/sessions/x', { method: 'DELETE' }],
];
/** Every kind of request that has a session. */
const REQUESTS: typeof CHANGES = [
  [`/trpc/guilds.get?${INPUT}`, {}],
  [`/trpc/guilds.follow?${INPUT}`, {}],
  ['/sessions', {}],
  ...CHANGES,
];

const FOREIGN: readonly (readonly [name: string, headers: Visit['headers']])[] = [
  ['Sec-Fetch-Site: cross-site', { 'sec-fetch-site': 'cross-site' }],
  ['Sec-Fetch-Site: same-site', { 'sec-fetch-site': 'same-site' }],
  ['Sec-Fetch-Site: none', { 'sec-fetch-site': 'none' }],
  ['two values of Sec-Fetch-Site', { 'sec-fetch-site': 'same-origin, cross-site' }],
  ['the Origin of another site', { 'sec-fetch-site': undefined, origin: 'https://evil.example' }],
  ['the Origin of another site beside same-origin', { origin: 'https://evil.example' }],
  ['an Origin that begins with the own one', { 'sec-fetch-site': undefined, origin: `${PAGE_ORIGIN}.evil.example` }],
  ['the own host under http', { 'sec-fetch-site': undefined, origin: PAGE_ORIGIN.replace('https', 'http') }],
  ['the own host at another port', { 'sec-fetch-site': undefined, origin: `${PAGE_ORIGIN}:8443` }],
  ['the Origin null', { 'sec-fetch-site': undefined, origin: 'null' }],
  ['the Referer of another site', { 'sec-fetch-site': undefined, referer: `https://evil.example/${PAGE_ORIGIN}/` }],
  ['none of these headers', { 'sec-fetch-site': undefined }],
];

const TYPES = [
  'application/json',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
] as const;

describe('a request of another origin has no session', () => {
  test.each(FOREIGN)('%s: neither read nor changed, whatever the content type', async (_, headers) => {
    for (const [path, visit] of REQUESTS) {
      for (const type of TYPES) {
        const content = visit.body === undefined ? {} : { 'content-type': type };
        const response = await browser.visit(path, { ...visit, headers: { ...headers, ...content } });
        expect([path, type, response.status, await typeOf(response)]).toStrictEqual([
          path,
          type,
          400,
          '/problems/invalid-request',
        ]);
      }
    }
    await expectUnchanged();
  });

  test('the own one is known by Sec-Fetch-Site, else by Origin, and for reads by Referer', async () => {
    const none = { 'sec-fetch-site': undefined };
    for (const headers of [
      { origin: PAGE_ORIGIN },
      { ...none, origin: PAGE_ORIGIN },
      { ...none, referer: `${PAGE_ORIGIN}/guilds` },
    ])
      expect((await browser.call('guilds.get', { guild }, { headers })).status).toBe(200);
    const change = (headers: Visit['headers']) =>
      browser.call('guilds.update', { guild, prefix: 'mine' }, { headers: { ...none, ...headers } });
    expect([
      (await change({ origin: PAGE_ORIGIN })).status,
      (await change({ referer: `${PAGE_ORIGIN}/` })).status,
    ]).toStrictEqual([200, 400]);
  });
});

describe('a change', () => {
  test.each([undefined, '', 'evil', 'Dashboard'])('with X-Requested-By: %s is refused', async (value) => {
    for (const [path, visit] of CHANGES) {
      const response = await browser.visit(path, { ...visit, headers: { 'x-requested-by': value } });
      expect([path, response.status, await typeOf(response)]).toStrictEqual([path, 400, '/problems/invalid-request']);
    }
    await expectUnchanged();
  });

  test.each(TYPES.slice(1))('with a content type that forms can send is refused: %s', async (type) => {
    const headers = { 'content-type': type, 'x-requested-by': undefined };
    const body = JSON.stringify({ guild, prefix: 'evil' });
    const statuses = [
      (await browser.visit('/trpc/guilds.update', { method: 'POST', body, headers })).status,
      (await browser.visit('/trpc/guilds.update', { method: 'POST', body, headers: { 'content-type': type } })).status,
    ];
    expect(statuses).toStrictEqual([400, 415]);
    await expectUnchanged();
  });

  test('whose person is named in the address alone is refused', async () => {
    for (const [path, visit] of CHANGES) {
      const headers = { 'x-requested-for': undefined };
      const response = await browser.visit(`${path}?requested-for=${IDS.manager}`, { ...visit, headers });
      expect([path, response.status, await typeOf(response)]).toStrictEqual([path, 400, '/problems/invalid-request']);
    }
    await expectUnchanged();
  });
});

describe('the person whom the page shows', () => {
  test.each(REQUESTS)('has to be named: %s', async (path, visit) => {
    const response = await browser.visit(path, { ...visit, headers: { 'x-requested-for': undefined } });
    expect([response.status, await typeOf(response)]).toStrictEqual([400, '/problems/invalid-request']);
    await expectUnchanged();
  });

  test('is named in the header, or for reads in the parameter, which is for the service alone', async () => {
    const headers = { 'x-requested-for': undefined };
    const address = `/trpc/guilds.get?${INPUT}&requested-for=${IDS.manager}`;
    expect((await browser.visit(address, { headers })).status).toBe(200);
    const token = here().tokens.manager;
    expect((await here().send(`${address}0`, { token })).status).toBe(200);
    expect(here().log()).not.toContain('requested-for');
  });

  test.each(REQUESTS.filter(([path]) => path !== '/logout'))(
    'has to be that of the session, alone: %s',
    async (path, visit) => {
      const more = path.includes('?') ? '&' : '?';
      const ways: [string, string | undefined][] = [[path, IDS.owner]];
      if (visit.method === undefined) {
        ways.push([`${path}${more}requested-for=`, undefined]);
        ways.push([`${path}${more}requested-for=${IDS.owner}`, undefined]);
        ways.push([`${path}${more}requested-for=${IDS.owner}`, IDS.manager]);
        ways.push([`${path}${more}requested-for=${IDS.manager}&requested-for=${IDS.owner}`, undefined]);
      }
      for (const [address, person] of ways) {
        const response = await browser.visit(address, { ...visit, headers: { 'x-requested-for': person } });
        expect([address, response.status < 402 && response.status >= 400]).toStrictEqual([address, true]);
        expect(await typeOf(response)).toMatch(/^\/problems\/(?:not-authenticated|invalid-request)$/);
      }
      await expectUnchanged();
    },
  );

  test('is another one: their logout leaves the session, and its cookies, as they are', async () => {
    const other = browser.copy();
    other.person = IDS.owner;
    const response = await other.logout();
    expect([response.status, response.headers.getSetCookie()]).toStrictEqual([204, []]);
    await expectUnchanged();
  });
});

describe('a bearer token beside the cookie', () => {
  test('counts in its place, and needs nothing of the page', async () => {
    const { owner, unknown } = here().tokens;
    const me = async (token: string) => {
      const response = await fetch(`${here().url}/trpc/users.me`, {
        headers: { authorization: `Bearer ${token}`, cookie: browser.cookie, 'sec-fetch-site': 'cross-site' },
      });
      return [response.status, await response.json()];
    };
    expect(await me(owner)).toMatchObject([200, { result: { data: { id: IDS.owner } } }]);
    expect(await me(unknown)).toMatchObject([401, { error: {} }]);
    for (const authorization of ['', 'Bearer', 'Basic eDp5', `Bearer ${here().tokens.expired}`]) {
      const response = await browser.call('guilds.get', { guild }, { headers: { authorization } });
      expect([authorization, response.status]).toStrictEqual([authorization, 401]);
    }
  });
});

test.each([
  ['GET', `/guilds/${guild}`],
  ['GET', `/guilds/${guild}/history`],
  ['GET', `/guilds/${guild}/events`],
  ['PATCH', `/guilds/${guild}`],
  ['PUT', `/guilds/${guild}/access`],
  ['DELETE', `/guilds/${guild}`],
  ['GET', '/users/@me'],
  ['GET', '/users/@me/guilds'],
  ['DELETE', '/users/@me/history'],
  ['GET', '/metrics'],
])('REST ignores the cookie: %s %s', async (method, path) => {
  const body = method === 'GET' || method === 'DELETE' ? {} : { body: { prefix: 'evil' } };
  const response = await browser.visit(path, { method, ...body });
  const without = await new Browser(here()).visit(path, { method, ...body });
  expect([response.status, path === '/metrics' || response.status === 401]).toStrictEqual([without.status, true]);
  await expectUnchanged();
});

describe('the procedures of the page', () => {
  test('are those that it uses', () => {
    const names = [...OPERATIONS_BY_PATH].filter(([, { page }]) => page).map(([name]) => name);
    expect(names.sort()).toStrictEqual([
      'application.get',
      'features.list',
      'guilds.access',
      'guilds.arrival',
      'guilds.change',
      'guilds.channels',
      'guilds.disableFeature',
      'guilds.enableFeature',
      'guilds.erase',
      'guilds.export',
      'guilds.follow',
      'guilds.get',
      'guilds.history',
      'guilds.import',
      'guilds.members',
      'guilds.restore',
      'guilds.roles',
      'guilds.setAccess',
      'guilds.undo',
      'guilds.update',
      'settings.get',
      'users.guild',
      'users.guilds',
      'users.me',
    ]);
  });

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
    'guilds.get,',
    ',guilds.get',
    'guilds%252Eget',
    'guilds.get%252Cguilds.update',
    'guilds.get%2F..%2Fpresence.report',
    '%2e%2e%2fhealthz',
    '/guilds.get',
    'guilds.get%3Fbatch=1',
    'guilds.get%23',
    'guilds.get%20',
    'GUILDS.GET',
    'guilds.follow,guilds.get',
    'guilds.watch',
  ])('are no others, whatever the method: %s', async (name) => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD']) {
      const body = method === 'GET' || method === 'HEAD' ? {} : { body: { guild, prefix: 'evil' } };
      const response = await browser.visit(`/trpc/${name}?${INPUT}`, { method, ...body });
      const text = await response.text();
      // Another method than that of a procedure is 405, whoever sends it, and OPTIONS names the one that it has.
      const refused = name === 'guilds.watch' || !['GET', 'POST'].includes(method) ? /^(?:40[45]|204)$/ : /^404$/;
      expect([method, String(response.status)]).toStrictEqual([method, expect.stringMatching(refused)]);
      expect(text).not.toContain('"result"');
    }
    await expectUnchanged();
  });

  test('have one method each, and no method of a form or a link changes anything', async () => {
    const headers = { 'content-type': 'application/json' };
    const responses = [
      await browser.visit(`/trpc/guilds.get?${INPUT}`, { method: 'POST', body: { guild } }),
      await browser.visit(`/trpc/guilds.update?input=${encodeURIComponent(JSON.stringify({ guild, prefix: 'evil' }))}`),
      await browser.visit('/trpc/guilds.update', { method: 'PUT', body: { guild, prefix: 'evil' }, headers }),
    ];
    expect(responses.map(({ status }) => status)).toStrictEqual([405, 405, 405]);
    for (const path of [`/trpc/guilds.follow?${INPUT}`, `/trpc/guilds.get?${INPUT}`]) {
      const response = await browser.visit(path, { method: 'HEAD' });
      expect([path, response.body, response.headers.get('set-cookie')]).toStrictEqual([path, null, null]);
    }
    await expectUnchanged();
  });

  test('whose results are the same for everybody need no session', async () => {
    for (const name of ['settings.get', 'features.list', 'application.get'])
      expect([name, (await new Browser(here()).visit(`/trpc/${name}`)).status]).toStrictEqual([name, 200]);
  });
});

describe('with the page on, a page of another allowed origin', () => {
  const ORIGIN = 'https://dash.example';
  const api = sharedApi({ ...PAGE_ENV, CORS_ORIGINS: ORIGIN });

  test('may call with a token, and never with cookies', async () => {
    const own = await loggedIn(api());
    for (const [path, token, status] of [
      [`/guilds/${guild}`, api().tokens.manager, 200],
      [`/trpc/guilds.get?${INPUT}`, api().tokens.manager, 200],
      [`/trpc/guilds.get?${INPUT}`, undefined, 400],
      ['/sessions', undefined, 400],
      ['/session', undefined, 200],
    ] as const) {
      const headers = {
        origin: ORIGIN,
        cookie: own.cookie,
        'sec-fetch-site': 'cross-site',
        'x-requested-for': IDS.manager,
        ...(token && { authorization: `Bearer ${token}` }),
      };
      const response = await fetch(`${api().url}${path}`, { headers });
      expect([path, response.status]).toStrictEqual([path, status]);
      expect(response.headers.get('access-control-allow-credentials')).toBeNull();
    }
    const preflight = await fetch(`${api().url}/trpc/guilds.update`, {
      method: 'OPTIONS',
      headers: { origin: ORIGIN, 'access-control-request-method': 'POST' },
    });
    expect([preflight.status, preflight.headers.get('access-control-allow-credentials')]).toStrictEqual([204, null]);
  });
});

test('every process counts a person’s calls by token and by all of their sessions together', async () => {
  await using api = await startApi({ ...PAGE_ENV, RATE_LIMIT_PER_MINUTE: '6' });
  const [one, two] = [await loggedIn(api), await loggedIn(api)];
  const statuses = [
    await one.status(),
    await two.status(),
    (await one.visit('/session')).status,
    (await two.visit('/sessions')).status,
    (await api.get(guild)).status,
    (await api.get(guild)).status,
  ];
  expect(statuses).toStrictEqual([200, 200, 200, 200, 200, 200]);
  const refused = await two.call('guilds.get');
  expect([refused.status, await refused.json()]).toMatchObject([
    429,
    { error: { data: { problem: { type: '/problems/rate-limited' } } } },
  ]);
  expect([(await one.visit('/session')).status, (await api.get(guild)).status]).toStrictEqual([429, 429]);
  const other = await loggedIn(api, { person: IDS.owner });
  expect(await other.status()).toBe(200);
  // The end of a session is not refused by what the session has done.
  expect((await one.logout()).status).toBe(204);
});
