import { sharedApi } from '@guild-settings/testing/api';
import { Browser, loggedIn, PAGE_ENV } from '@guild-settings/testing/page-visitor';
import { IDS } from '@guild-settings/testing/people';
import { rawExchange } from '@guild-settings/testing/raw-http';
import { afterEach, describe, expect, test } from 'vitest';

const here = sharedApi(PAGE_ENV);
afterEach(() => here().discord.faults.clear());

const EXPIRED = '/?login=expired';
const locationOf = (response: Response) => response.headers.get('location');
const sessionStatus = async (browser: Browser) => (await browser.visit('/session')).status;
const exchanges = () => here().discord.calls.count({ method: 'POST', path: '/oauth2/token' });
const withCookie = (name: string, value: string) => new Browser(here(), new Map([[name, value]]));

test('a person logs in on Discord’s page, returns to where they were, and has a session', async () => {
  const browser = new Browser(here());
  const to = `/guilds/${IDS.guild}?tab=history`;
  const response = await browser.login({ to });
  expect([response.status, locationOf(response)]).toStrictEqual([302, to]);
  const { now } = here().clock;
  const timeAfter = (ms: number) => new Date(now + ms).toISOString();
  expect(await (await browser.visit('/session')).json()).toStrictEqual({
    user: { id: IDS.manager, name: 'Mika', avatar: null },
    locale: 'en-US',
    startedAt: timeAfter(0),
    idleUntil: timeAfter(86_400_000),
    until: timeAfter(14 * 86_400_000),
  });
  await browser.call('guilds.update', { guild: IDS.guild, prefix: '?' });
  const author = { actor: { kind: 'user', id: IDS.manager } };
  expect(await (await browser.call('guilds.history')).json()).toMatchObject({
    result: { data: { entries: [author] } },
  });
});

test('a browser without a session has none, which is no failure; with another one it is 401', async () => {
  expect(await sessionStatus(new Browser(here()))).toBe(204);
  const type = '/problems/not-authenticated';
  const over = await withCookie('__Host-session', 'over').visit('/session');
  expect([over.status, await over.json()]).toMatchObject([401, { type }]);
  const read = await new Browser(here()).call('guilds.get');
  expect([read.status, await read.json()]).toMatchObject([
    401,
    { error: { code: -32_001, data: { problem: { type } } } },
  ]);
});

describe('a login that fails', () => {
  test('denied consent leads to the page with the reason and the path to return to', async () => {
    const response = await new Browser(here()).login({ isGranted: false, to: '/guilds/1' });
    expect(locationOf(response)).toBe('/?login=denied&to=%2Fguilds%2F1');
  });

  test('a code that has expired at Discord, and a login that takes more than ten minutes', async () => {
    for (const ms of [200_000, 601_000]) {
      const change = () => {
        here().clock.now += ms;
      };
      expect(locationOf(await new Browser(here()).login({ change }))).toBe(EXPIRED);
    }
  });

  test.each(['/oauth2/token', '/users/@me'])('Discord does not respond as expected at %s', async (path) => {
    const browser = new Browser(here());
    for (const kind of ['html', 'close-socket'] as const) {
      here().discord.faults.set({ kind }, { path });
      expect(locationOf(await browser.login())).toBe('/?login=failed');
    }
    expect(await sessionStatus(browser)).toBe(204);
  });

  test('a cookie of a login that another key has sealed', async () => {
    const DATABASE_URL = `file:${here().databasePath}-other`;
    const { url } = await here().startBeside({ SESSION_KEY: '11'.repeat(32), DATABASE_URL });
    const browser = new Browser(here());
    await browser.at(url).open('/login');
    expect(browser.cookies.has('__Host-login')).toBe(true);
    expect(locationOf(await browser.open('/callback?code=x&state=y'))).toBe(EXPIRED);
  });
});

describe('a response of Discord', () => {
  /** Begins a login, and intercepts Discord's response. */
  async function stolen(person: string): Promise<URL> {
    let address = new URL('http://none');
    const change = (callback: URL) => {
      address = new URL(callback);
      callback.search = '';
    };
    await new Browser(here()).login({ change, person });
    return address;
  }

  test('to a login that another browser began starts no session', async () => {
    const { pathname, search } = await stolen(IDS.manager);
    const victim = new Browser(here());
    for (let attempt = 0; attempt < 2; attempt += 1) {
      expect(locationOf(await victim.open(`${pathname}${search}`))).toBe(EXPIRED);
      await victim.open('/login');
    }
    expect(await sessionStatus(victim)).toBe(204);
  });

  test('with another state, and one with the code of another login (PKCE), start no session', async () => {
    const code = (await stolen(IDS.owner)).searchParams.get('code') ?? '';
    for (const [name, value] of Object.entries({ state: 'x'.repeat(43), code })) {
      const browser = new Browser(here());
      const change = (callback: URL) => callback.searchParams.set(name, value);
      expect(locationOf(await browser.login({ change }))).toBe(EXPIRED);
      expect(await sessionStatus(browser)).toBe(204);
    }
  });

  test.each(['right', 'wrong'])('is accepted once, also with its cookie again: the first one was %s', async (kind) => {
    const browser = new Browser(here());
    let [again, cookie] = ['', ''];
    const change = (callback: URL) => {
      [again, cookie] = [`${callback.pathname}${callback.search}`, browser.cookies.get('__Host-login') ?? ''];
      if (kind === 'wrong') callback.search = '?code=guessed&state=wrong';
    };
    expect(locationOf(await browser.login({ change }))).toBe(kind === 'right' ? '/' : EXPIRED);
    expect(browser.cookies.has('__Host-login')).toBe(false);
    const before = exchanges();
    expect(locationOf(await browser.open(again))).toBe(EXPIRED);
    browser.cookies.set('__Host-login', cookie);
    expect([locationOf(await browser.open(again)), exchanges()]).toStrictEqual([EXPIRED, before]);
  });
});

test('HEAD of /login and of /callback does nothing', async () => {
  const browser = new Browser(here());
  const before = exchanges();
  const change = async ({ search }: URL) => {
    for (const path of ['/login', `/callback${search}`]) {
      const { headers } = await browser.visit(path, { method: 'HEAD' });
      expect([headers.getSetCookie(), exchanges()]).toStrictEqual([[], before]);
    }
  };
  expect(locationOf(await browser.login({ change }))).toBe('/');
});

test.each([
  ['a page of another site', 'cross-site', 'consent'],
  ['the page', 'same-origin', 'none'],
  ['the address bar', 'none', 'none'],
  ['a browser that does not send Sec-Fetch-Site', undefined, 'none'],
])('a login that is begun from %s: Sec-Fetch-Site %s, prompt %s', async (_, site, prompt) => {
  const response = await new Browser(here()).open('/login', { 'sec-fetch-site': site });
  expect(new URL(locationOf(response) ?? '').searchParams.get('prompt')).toBe(prompt);
});

test('a session has a new id after each login, whatever the browser brings, and the one before ends', async () => {
  const planted = 'A'.repeat(43);
  const browser = withCookie('__Host-session', planted);
  await browser.login();
  expect([browser.session === planted, await sessionStatus(browser)]).toStrictEqual([false, 200]);
  expect(await sessionStatus(withCookie('__Host-session', planted))).toBe(401);
  const before = browser.copy();
  await browser.login();
  expect([await sessionStatus(before), await sessionStatus(browser)]).toStrictEqual([401, 200]);
});

describe('the address to return to', () => {
  test('is the start where it is none of this origin, or there are two', async () => {
    const hosts = [
      'https://evil.example/',
      '//evil.example',
      '/\\evil.example',
      '\\\\evil.example',
      '/\t/evil.example',
    ];
    const paths = [
      '/a\\..\\b',
      'javascript:alert(1)',
      'guilds/1',
      '/\r\nset-cookie: session=x',
      `/${'x'.repeat(1_000)}`,
      '',
    ];
    for (const to of [...hosts, ...paths])
      expect([to, locationOf(await new Browser(here()).login({ to }))]).toStrictEqual([to, '/']);
    expect((await new Browser(here()).open('/login?to=/a&to=//evil.example')).status).toBe(302);
  });

  test.each(['%0d%0aset-cookie:%20session=x', '/%0d%0a%0d%0a<script>', '%E5%98%8D%E5%98%8Aset-cookie:x'])(
    'adds no header: %s',
    async (to) => {
      const request = `GET /login?to=/${to} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
      const { head } = await rawExchange(here().url, request);
      expect(head).toMatch(/^HTTP\/1\.1 302 /);
      expect(head.match(/^set-cookie:.*/gim)).toStrictEqual([expect.stringMatching(/^set-cookie: __Host-login=/i)]);
    },
  );
});

describe('cookies', () => {
  const flags = (secure: string, prefix = secure && '__Host-') => [
    expect.stringMatching(new RegExp(`^${prefix}login=[^;]+; Max-Age=600; Path=/; HttpOnly; ${secure}SameSite=Lax$`)),
    expect.stringMatching(new RegExp(`^${prefix}login=; Max-Age=0; Path=/; .*HttpOnly; ${secure}SameSite=Lax$`)),
    expect.stringMatching(
      new RegExp(`^${prefix}session=[\\w-]{43}; Max-Age=1209600; Path=/; HttpOnly; ${secure}SameSite=Strict$`),
    ),
    `${prefix}logged-in=${IDS.manager}; Max-Age=1209600; Path=/; HttpOnly; ${secure}SameSite=Lax`,
  ];

  test('under https have the prefix __Host- and Secure, are HttpOnly, and Strict for the session; a logout deletes them', async () => {
    const browser = await loggedIn(here());
    expect(browser.setCookies).toStrictEqual(flags('Secure; '));
    await browser.logout();
    expect([...browser.cookies.keys()]).toStrictEqual([]);
  });

  test('over http on this machine are the same without both; a login begins at the address of the page', async () => {
    const origin = 'http://127.0.0.1:3000';
    const DATABASE_URL = `file:${here().databasePath}-http`;
    const { url } = await here().startBeside({ DASHBOARD_URL: origin, DATABASE_URL });
    const browser = new Browser(here()).at(url);
    expect([locationOf(await browser.open('/login?to=/a')), browser.setCookies]).toStrictEqual([
      `${origin}/login?to=/a`,
      [],
    ]);
    await browser.login({ headers: { 'x-forwarded-host': '127.0.0.1:3000' } });
    expect(browser.setCookies).toStrictEqual(flags(''));
  });

  test('that another host of the site has set are no session and no login', async () => {
    const browser = await loggedIn(here());
    const name = '__Host-session';
    // Bytes that a browser keeps in a name, and that a server might trim or decode.
    const names = ['session', '__host-session', `\xa0${name}`, `${name}\xa0`, '%5F_Host-session', `\x0b${name}`, name];
    const statuses: string[] = [];
    for (const each of names) {
      const request = `GET /session HTTP/1.1\r\nHost: x\r\nCookie: ${each}=${browser.session}\r\nConnection: close\r\n\r\n`;
      statuses.push((await rawExchange(here().url, request)).head.slice(9, 12));
    }
    expect(statuses).toStrictEqual(['204', '204', '204', '204', '204', '400', '200']);
    await browser.open('/login');
    const planted = withCookie('login', browser.cookies.get('__Host-login') ?? '');
    expect(locationOf(await planted.open('/callback?code=x&state=y'))).toBe(EXPIRED);
  });

  test('are read once: of two with one name, the first one counts', async () => {
    const [own, other] = [(await loggedIn(here())).cookie, `__Host-session=${'A'.repeat(43)}`];
    const statusWith = async (cookie: string) =>
      (await new Browser(here()).visit('/session', { headers: { cookie } })).status;
    expect([await statusWith(`${own}; ${other}`), await statusWith(`${other}; ${own}`)]).toStrictEqual([200, 401]);
  });

  test('that hold no id of a session are 401, and no error', async () => {
    for (const value of ["' OR 1=1 --", '%00', '{}', 'A'.repeat(8_000), '%', '__proto__', 'A'.repeat(43)]) {
      const browser = withCookie('__Host-session', value);
      expect([value, await sessionStatus(browser), await browser.status()]).toStrictEqual([value, 401, 401]);
    }
  });
});
