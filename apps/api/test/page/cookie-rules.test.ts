import { sharedApi, startApi } from '@guild-settings/testing/api';
import { Browser, loggedIn, PAGE_ENV, type Visit } from '@guild-settings/testing/page-visitor';
import { IDS, PAGE_ORIGIN } from '@guild-settings/testing/people';
import { beforeAll, describe, expect, test } from 'vitest';
import { OPERATIONS_BY_PATH } from '../../src/operations/handlers.ts';

const { guild } = IDS;
const INPUT = `input=${encodeURIComponent(JSON.stringify({ guild }))}`;
const OTHER_ORIGIN = 'https://dash.example';

const here = sharedApi({ ...PAGE_ENV, CORS_ORIGINS: OTHER_ORIGIN });
let browser: Browser;
beforeAll(async () => {
  browser = await loggedIn(here());
  await here().patch(guild, { prefix: 'mine' });
});

type Request = readonly [path: string, visit: Visit];

const CHANGES: readonly Request[] = [
  ['/trpc/guilds.update', { method: 'POST', body: { guild, prefix: 'evil' } }],
  ['/logout', { method: 'POST', body: {} }],
  ['/sessions', { method: 'DELETE' }],
  ['/sessions/x', { method: 'DELETE' }],
];
const READS: readonly Request[] = [`/trpc/guilds.get?${INPUT}`, `/trpc/guilds.follow?${INPUT}`, '/sessions'].map(
  (path) => [path, {}],
);
const REQUESTS = [...READS, ...CHANGES];

/**
 * Sends a request with additional headers, and expects that it is refused without reading, changing or ending anything.
 */
async function expectRefused(
  [path, visit]: Request,
  headers: NonNullable<Visit['headers']>,
  status = 400,
): Promise<void> {
  const response = await browser.visit(path, { ...visit, headers });
  const [, type] = /"type":"\/problems\/([\w-]+)"/.exec(await response.text()) ?? [];
  const problem = status === 400 ? 'invalid-request' : 'not-authenticated';
  expect([path, headers, response.status, type]).toStrictEqual([path, headers, status, problem]);
}

async function expectUnchanged(): Promise<void> {
  expect(await (await browser.call('guilds.get')).text()).toContain('"prefix":"mine"');
}

const none = { 'sec-fetch-site': undefined };
const FORMS = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'];

describe('a request of another origin has no session', () => {
  test.each<[string, NonNullable<Visit['headers']>]>([
    ['Sec-Fetch-Site: cross-site', { 'sec-fetch-site': 'cross-site' }],
    ['Sec-Fetch-Site: same-site', { 'sec-fetch-site': 'same-site' }],
    ['Sec-Fetch-Site: none', { 'sec-fetch-site': 'none' }],
    ['two values of Sec-Fetch-Site', { 'sec-fetch-site': 'same-origin, cross-site' }],
    ['the Origin of another site', { ...none, origin: 'https://evil.example' }],
    ['the Origin of another site beside same-origin', { origin: 'https://evil.example' }],
    ['an Origin that begins with the own one', { ...none, origin: `${PAGE_ORIGIN}.evil.example` }],
    ['the own host under http', { ...none, origin: PAGE_ORIGIN.replace('https', 'http') }],
    ['the own host at another port', { ...none, origin: `${PAGE_ORIGIN}:8443` }],
    ['the Origin null', { ...none, origin: 'null' }],
    ['the Referer of another site', { ...none, referer: `https://evil.example/${PAGE_ORIGIN}/` }],
    ['none of these headers', none],
  ])('%s: neither read nor changed, whatever the content type', async (_, headers) => {
    for (const request of REQUESTS) {
      for (const type of ['application/json', ...FORMS])
        await expectRefused(request, { ...headers, ...(request[1].body !== undefined && { 'content-type': type }) });
    }
    await expectUnchanged();
  });

  test('the own one is known by Sec-Fetch-Site, else by Origin, and for reads by Referer', async () => {
    for (const headers of [
      { origin: PAGE_ORIGIN },
      { ...none, origin: PAGE_ORIGIN },
      { ...none, referer: `${PAGE_ORIGIN}/x` },
    ])
      expect((await browser.call('guilds.get', { guild }, { headers })).status).toBe(200);
    const own = { headers: { ...none, origin: PAGE_ORIGIN } };
    expect((await browser.call('guilds.update', { guild, prefix: 'mine' }, own)).status).toBe(200);
    for (const request of CHANGES) await expectRefused(request, { ...none, referer: `${PAGE_ORIGIN}/` });
  });
});

describe('a change', () => {
  test.each([undefined, '', 'evil', 'Dashboard'])('with X-Requested-By: %s is refused', async (value) => {
    for (const type of [undefined, ...FORMS]) {
      const headers = { 'x-requested-by': value, ...(type && { 'content-type': type }) };
      for (const request of CHANGES) await expectRefused(request, headers);
    }
    await expectUnchanged();
  });

  test('whose person is named in the address alone is refused', async () => {
    for (const [path, visit] of CHANGES)
      await expectRefused([`${path}?requested-for=${IDS.manager}`, visit], { 'x-requested-for': undefined });
    await expectUnchanged();
  });
});

describe('the person whom the page shows', () => {
  test('has to be named, once', async () => {
    for (const request of REQUESTS) await expectRefused(request, { 'x-requested-for': undefined });
    for (const [path, visit] of READS) {
      const address = `${path}${path.includes('?') ? '&' : '?'}requested-for=${IDS.manager}`;
      await expectRefused([`${address}&requested-for=${IDS.owner}`, visit], { 'x-requested-for': undefined });
      await expectRefused([address, visit], { 'x-requested-for': IDS.owner });
    }
    await expectUnchanged();
  });

  test('has to be that of the session', async () => {
    const headers = { 'x-requested-for': IDS.owner };
    for (const request of REQUESTS) if (request[0] !== '/logout') await expectRefused(request, headers, 401);
    const address = `/trpc/guilds.get?${INPUT}&requested-for=`;
    for (const other of [IDS.owner, ''])
      await expectRefused([`${address}${other}`, {}], { 'x-requested-for': undefined }, 401);
    const logout = await browser.visit('/logout', { method: 'POST', body: {}, headers });
    expect([logout.status, logout.headers.getSetCookie()]).toStrictEqual([204, []]);
    await expectUnchanged();
  });

  test('is named in the header, or for reads in the parameter, which REST and tokens do not know, and no log has', async () => {
    const address = `/trpc/guilds.get?${INPUT}&requested-for=${IDS.manager}`;
    expect((await browser.visit(address, { headers: { 'x-requested-for': undefined } })).status).toBe(200);
    for (const path of [`${address}0`, `/guilds/${guild}?requested-for=${IDS.owner}`])
      expect((await here().send(path, { token: here().tokens.manager })).status).toBe(200);
    expect(here().log()).not.toContain('requested-for');
  });
});

test('a bearer token beside the cookie counts in its place, also a bad one, and needs nothing of the page', async () => {
  const { owner, unknown, expired } = here().tokens;
  const call = async (authorization: string) => {
    const headers = { authorization, cookie: browser.cookie, 'sec-fetch-site': 'cross-site' };
    const response = await fetch(`${here().url}/trpc/users.me`, { headers });
    return [response.status, await response.json()];
  };
  expect(await call(`Bearer ${owner}`)).toMatchObject([200, { result: { data: { id: IDS.owner } } }]);
  for (const bad of ['', 'Bearer', 'Basic eDp5', `Bearer ${unknown}`, `Bearer ${expired}`])
    expect([bad, ...(await call(bad))]).toMatchObject([bad, 401, { error: {} }]);
});

test.each([
  ...['', '/history', '/events', '/access'].map((path) => `GET /guilds/${guild}${path}`),
  ...[`PATCH /guilds/${guild}`, `PUT /guilds/${guild}/access`, `DELETE /guilds/${guild}`],
  ...['GET /users/@me', 'GET /users/@me/guilds', 'DELETE /users/@me/history'],
])('REST ignores the cookie: %s', async (line) => {
  const [method = '', path = ''] = line.split(' ');
  const body = method.startsWith('P') ? { body: { prefix: 'evil' } } : {};
  expect((await browser.visit(path, { method, ...body })).status).toBe(401);
  await expectUnchanged();
});

describe('the procedures of the page', () => {
  test('are those that it uses, and need no session where their result is the same for everybody', async () => {
    const guilds =
      `access arrival change channels disableFeature emojis enableFeature erase export follow get history import members
      restore roles setAccess undo update`.split(/\s+/);
    const all = ['application.get', 'features.list', ...guilds.map((name) => `guilds.${name}`), 'settings.get'];
    const names = [...OPERATIONS_BY_PATH].filter(([, { page }]) => page).map(([name]) => name);
    expect(names.sort()).toStrictEqual([...all, 'users.guild', 'users.guilds', 'users.me']);
    for (const name of ['settings.get', 'features.list', 'application.get'])
      expect([name, (await new Browser(here()).visit(`/trpc/${name}`)).status]).toStrictEqual([name, 200]);
  });

  test.each([
    ...['presence.report', 'users.forget', 'guilds.acknowledge', 'guilds.importMany', 'guilds.watch', 'guilds'],
    ...['constructor', '__proto__', 'guilds.get%00', 'guilds.get%2Cguilds.update', 'guilds.get,guilds.get'],
    ...['guilds.get,', ',guilds.get', 'guilds%252Eget', 'guilds.get%252Cguilds.update', '%2e%2e%2fhealthz'],
    ...['guilds.get%2F..%2Fpresence.report', '/guilds.get', 'guilds.get%3Fbatch=1', 'guilds.get%23', 'guilds.get%20'],
    ...['GUILDS.GET', 'guilds.follow,guilds.get'],
  ])('are no others, whatever the method: %s', async (name) => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD']) {
      const body = method === 'GET' || method === 'HEAD' ? {} : { body: { guild, prefix: 'evil' } };
      const response = await browser.visit(`/trpc/${name}?${INPUT}`, { method, ...body });
      // A method other than the procedure's is 405 for every caller, and OPTIONS returns the supported one.
      const refused = name === 'guilds.watch' || !['GET', 'POST'].includes(method) ? /^(?:40[45]|204)$/ : /^404$/;
      expect([method, String(response.status)]).toStrictEqual([method, expect.stringMatching(refused)]);
      expect(await response.text()).not.toContain('"result"');
    }
    await expectUnchanged();
  });

  test('have one method each: no link changes anything', async () => {
    const evil = encodeURIComponent(JSON.stringify({ guild, prefix: 'evil' }));
    const get = await browser.visit(`/trpc/guilds.update?input=${evil}`);
    const post = await browser.visit(`/trpc/guilds.get?${INPUT}`, { method: 'POST', body: { guild } });
    expect([get.status, post.status]).toStrictEqual([405, 405]);
    await expectUnchanged();
  });
});

test('a page of another allowed origin may call with a token, and never with cookies', async () => {
  const { manager } = here().tokens;
  for (const [path, token, status] of [
    [`/guilds/${guild}`, manager, 200],
    [`/trpc/guilds.get?${INPUT}`, manager, 200],
    [`/trpc/guilds.get?${INPUT}`, undefined, 400],
    ['/sessions', undefined, 400],
    ['/session', undefined, 400],
  ] as const) {
    const headers = { origin: OTHER_ORIGIN, 'sec-fetch-site': 'cross-site', authorization: token && `Bearer ${token}` };
    const response = await browser.visit(path, { headers });
    const credentials = response.headers.get('access-control-allow-credentials');
    expect([path, response.status, credentials]).toStrictEqual([path, status, null]);
  }
  const headers = { origin: OTHER_ORIGIN, 'access-control-request-method': 'POST' };
  const preflight = await fetch(`${here().url}/trpc/guilds.update`, { method: 'OPTIONS', headers });
  expect([preflight.status, preflight.headers.get('access-control-allow-credentials')]).toStrictEqual([204, null]);
});

test('calls by token and by all sessions of a person are counted together; others, and the end of a session, are free', async () => {
  await using api = await startApi({ ...PAGE_ENV, RATE_LIMIT_PER_MINUTE: '5' });
  const [one, two] = [await loggedIn(api), await loggedIn(api)];
  const statuses = [await one.status(), await two.status(), (await one.visit('/session')).status];
  statuses.push((await two.visit('/sessions')).status, (await api.get(guild)).status);
  expect(statuses).toStrictEqual([200, 200, 200, 200, 200]);
  expect([await two.status(), (await one.visit('/session')).status, (await api.get(guild)).status]).toStrictEqual([
    429, 429, 429,
  ]);
  expect(await (await loggedIn(api, { person: IDS.owner })).status()).toBe(200);
  expect((await one.logout()).status).toBe(204);
});
