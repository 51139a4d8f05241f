import { afterEach, describe, expect, test } from 'vitest';
import { sharedApi } from '../../src/testing/api-resource.ts';
import { Browser, loggedIn, PAGE_ENV } from '../../src/testing/browser.ts';
import { IDS } from '../../src/testing/people.ts';
import { rawExchange } from '../../src/testing/raw-http.ts';

const here = sharedApi(PAGE_ENV);
afterEach(() => here().discord.faults.clear());

const locationOf = (response: Response) => response.headers.get('location');
const sessionStatus = async (browser: Browser) => (await browser.visit('/session')).status;
const exchanges = () => here().discord.calls.count({ method: 'POST', path: '/oauth2/token' });

test('a person logs in on Discord’s page, returns to where they were, and has a session', async () => {
  const browser = new Browser(here());
  const to = `/guilds/${IDS.guild}?tab=history`;
  const response = await browser.login({ to });
  expect([response.status, locationOf(response)]).toStrictEqual([302, to]);
  const session = await browser.visit('/session');
  const now = here().clock.now;
  expect([session.status, await session.json()]).toStrictEqual([
    200,
    {
      user: { id: IDS.manager, name: 'Mika', avatar: null },
      locale: 'en-US',
      startedAt: new Date(now).toISOString(),
      idleUntil: new Date(now + 86_400_000).toISOString(),
      until: new Date(now + 14 * 86_400_000).toISOString(),
    },
  ]);
});

test('settings are read and changed with the session, with entity tags, as the person', async () => {
  const browser = await loggedIn(here());
  const read = await browser.call('guilds.get');
  expect(await read.json()).toMatchObject({ result: { data: { id: IDS.guild } } });
  const change = (prefix: string) =>
    browser.call(
      'guilds.update',
      { guild: IDS.guild, prefix },
      { headers: { 'if-match': read.headers.get('etag') ?? '' } },
    );
  const changed = await change('?');
  expect([changed.status, await changed.json()]).toMatchObject([200, { result: { data: { prefix: '?' } } }]);
  expect([(await change('%')).status, await (await change('%')).json()]).toMatchObject([
    412,
    { error: { data: { problem: { type: '/problems/revision-mismatch', current: { prefix: '?' } } } } },
  ]);
  expect(await (await browser.call('guilds.history')).json()).toMatchObject({
    result: { data: { entries: [{ actor: { kind: 'user', id: IDS.manager } }] } },
  });
});

test('a browser without a session has none, which is no failure; with another one it is 401', async () => {
  const response = await new Browser(here()).visit('/session');
  expect([response.status, await response.text()]).toStrictEqual([204, '']);
  const over = await new Browser(here(), new Map([['__Host-session', 'over']])).visit('/session');
  expect([over.status, await over.json()]).toMatchObject([401, { type: '/problems/not-authenticated' }]);
  const read = await new Browser(here()).call('guilds.get');
  expect([read.status, await read.json()]).toMatchObject([
    401,
    { error: { code: -32_001, data: { problem: { type: '/problems/not-authenticated' } } } },
  ]);
});

describe('a login that fails', () => {
  test('denied consent leads to the page with the reason and the path to return to', async () => {
    const response = await new Browser(here()).login({ isGranted: false, to: '/guilds/1' });
    expect(locationOf(response)).toBe('/?login=denied&to=%2Fguilds%2F1');
  });

  test.each([
    ['a code that has expired at Discord', 200_000],
    ['a login that takes more than ten minutes', 601_000],
  ])('%s', async (_, ms) => {
    const change = () => {
      here().clock.now += ms;
    };
    expect(locationOf(await new Browser(here()).login({ change }))).toBe('/?login=expired');
  });

  test.each(['/oauth2/token', '/users/@me'])('Discord does not respond as it should at %s', async (path) => {
    const browser = new Browser(here());
    for (const kind of ['html', 'close-socket'] as const) {
      here().discord.faults.set({ kind }, { path });
      expect(locationOf(await browser.login())).toBe('/?login=failed');
    }
    expect(await sessionStatus(browser)).toBe(204);
  });

  test('a cookie of a login that another key has sealed', async () => {
    const { url } = await here().startBeside({
      SESSION_KEY: '11'.repeat(32),
      DATABASE_URL: `file:${here().databasePath}-other`,
    });
    const browser = new Browser(here());
    await browser.at(url).open('/login');
    expect(browser.cookies.has('__Host-login')).toBe(true);
    expect(locationOf(await browser.open('/callback?code=x&state=y'))).toBe('/?login=expired');
  });
});

describe('a response of Discord', () => {
  /** Begins a login, and takes the response of Discord away. Returns its address. */
  async function stolen(browser: Browser, person?: string): Promise<URL> {
    let address = new URL('http://none');
    const change = (callback: URL) => {
      address = new URL(callback);
      callback.search = '';
    };
    await browser.login({ change, ...(person && { person }) });
    return address;
  }

  test('to a login that another browser began starts no session', async () => {
    const { pathname, search } = await stolen(new Browser(here()));
    const victim = new Browser(here());
    expect(locationOf(await victim.open(`${pathname}${search}`))).toBe('/?login=expired');
    await victim.open('/login');
    expect(locationOf(await victim.open(`${pathname}${search}`))).toBe('/?login=expired');
    expect(await sessionStatus(victim)).toBe(204);
  });

  test('with another state, and one with the code of another login (PKCE), start no session', async () => {
    const code = (await stolen(new Browser(here()), IDS.owner)).searchParams.get('code') ?? '';
    for (const [name, value] of [
      ['state', 'x'.repeat(43)],
      ['code', code],
    ] as const) {
      const browser = new Browser(here());
      const change = (callback: URL) => callback.searchParams.set(name, value);
      expect(locationOf(await browser.login({ change }))).toBe('/?login=expired');
      expect(await sessionStatus(browser)).toBe(204);
    }
  });

  test('is accepted once, and so is the cookie, also of a client that sends it again', async () => {
    const browser = new Browser(here());
    let again = '';
    let cookie = '';
    const change = (callback: URL) => {
      again = `${callback.pathname}${callback.search}`;
      cookie = browser.cookies.get('__Host-login') ?? '';
    };
    await browser.login({ change });
    expect([...browser.cookies.keys()]).toStrictEqual(['__Host-session', '__Host-logged-in']);
    const before = exchanges();
    expect(locationOf(await browser.open(again))).toBe('/?login=expired');
    browser.cookies.set('__Host-login', cookie);
    expect(locationOf(await browser.open(again))).toBe('/?login=expired');
    expect(exchanges()).toBe(before);
  });

  test('that was wrong uses the cookie up', async () => {
    const browser = new Browser(here());
    const change = async () => {
      const cookie = browser.cookies.get('__Host-login') ?? '';
      expect(locationOf(await browser.open('/callback?code=guessed&state=wrong'))).toBe('/?login=expired');
      expect(browser.cookies.has('__Host-login')).toBe(false);
      browser.cookies.set('__Host-login', cookie);
    };
    expect(locationOf(await browser.login({ change }))).toBe('/?login=expired');
  });
});

test('HEAD of /login and of /callback does nothing', async () => {
  const browser = new Browser(here());
  const before = exchanges();
  const change = async ({ search }: URL) => {
    for (const path of ['/login', `/callback${search}`]) {
      const response = await browser.visit(path, { method: 'HEAD' });
      expect([response.headers.getSetCookie(), exchanges()]).toStrictEqual([[], before]);
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

describe('a session', () => {
  test('has a new id after each login, whatever the browser brings', async () => {
    const planted = 'A'.repeat(43);
    const browser = new Browser(here(), new Map([['__Host-session', planted]]));
    await browser.login();
    expect([browser.session, await sessionStatus(browser)]).toStrictEqual([expect.not.stringMatching(planted), 200]);
    const other = new Browser(here(), new Map([['__Host-session', planted]]));
    expect(await sessionStatus(other)).toBe(401);
  });

  test('ends with the next login of its browser', async () => {
    const browser = await loggedIn(here());
    const before = browser.copy();
    expect(await sessionStatus(before)).toBe(200);
    await browser.login();
    expect([await sessionStatus(before), await sessionStatus(browser)]).toStrictEqual([401, 200]);
  });
});

describe('the address to return to', () => {
  test.each([
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/a\\..\\b',
    'javascript:alert(1)',
    'guilds/1',
    '/\r\nset-cookie: session=x',
    `/${'x'.repeat(1_000)}`,
    '',
  ])('%j is none of this origin: the login returns to the start', async (to) => {
    expect(locationOf(await new Browser(here()).login({ to }))).toBe('/');
  });

  test('is none where there are two', async () => {
    const begun = await new Browser(here()).open('/login?to=/a&to=//evil.example');
    expect([begun.status, locationOf(begun)]).toStrictEqual([
      302,
      expect.stringContaining(`${here().discord.authorizeUrl}?`),
    ]);
  });

  test.each([
    '%0d%0aset-cookie:%20session=x',
    '%0aset-cookie:%20session=x',
    '/%0d%0a%0d%0a<script>',
    '%E5%98%8D%E5%98%8Aset-cookie:x',
  ])('adds no header: %s', async (to) => {
    const { head } = await rawExchange(
      here().url,
      `GET /login?to=/${to} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    );
    expect(head).toMatch(/^HTTP\/1\.1 302 /);
    expect(head.match(/^set-cookie:.*/gim)).toStrictEqual([expect.stringMatching(/^set-cookie: __Host-login=/i)]);
  });
});

describe('cookies', () => {
  test('under https have the prefix __Host- and Secure, are HttpOnly, and Strict for the session', async () => {
    const browser = await loggedIn(here());
    const [login, cleared, session, loggedInCookie] = browser.setCookies;
    expect(login).toMatch(/^__Host-login=[^;]+; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    expect(cleared).toMatch(/^__Host-login=; .*Path=\/; .*HttpOnly; Secure; SameSite=Lax$/);
    expect(session).toMatch(/^__Host-session=[\w-]{43}; Max-Age=1209600; Path=\/; HttpOnly; Secure; SameSite=Strict$/);
    expect(loggedInCookie).toMatch(
      new RegExp(`^__Host-logged-in=${IDS.manager}; Max-Age=1209600; Path=/; HttpOnly; Secure; SameSite=Lax$`),
    );
    await browser.logout();
    expect([...browser.cookies.keys()]).toStrictEqual([]);
  });

  test('over http on this machine are the same without prefix and Secure; a login begins at the address of the page', async () => {
    const { url } = await here().startBeside({
      DASHBOARD_URL: 'http://127.0.0.1:3000',
      DATABASE_URL: `file:${here().databasePath}-http`,
    });
    const browser = new Browser(here()).at(url);
    const elsewhere = await browser.open('/login?to=/a');
    expect([locationOf(elsewhere), browser.setCookies]).toStrictEqual(['http://127.0.0.1:3000/login?to=/a', []]);
    await browser.login({ headers: { 'x-forwarded-host': '127.0.0.1:3000' } });
    const [login, , session, loggedInCookie] = browser.setCookies;
    expect(login).toMatch(/^login=[^;]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(session).toMatch(/^session=[\w-]{43}; Max-Age=1209600; Path=\/; HttpOnly; SameSite=Strict$/);
    expect(loggedInCookie).toMatch(
      new RegExp(`^logged-in=${IDS.manager}; Max-Age=1209600; Path=/; HttpOnly; SameSite=Lax$`),
    );
  });

  test('that another host of the site has set are no session and no login', async () => {
    const browser = await loggedIn(here());
    // Bytes that a browser keeps in a name, and that a server might trim or decode.
    for (const [name, status] of [
      ['__Host-session', 200],
      ['session', 204],
      ['__host-session', 204],
      ['\xa0__Host-session', 204],
      ['__Host-session\xa0', 204],
      ['%5F_Host-session', 204],
      ['\x0b__Host-session', 400],
    ] as const) {
      const request = `GET /session HTTP/1.1\r\nHost: x\r\nCookie: ${name}=${browser.session}\r\nConnection: close\r\n\r\n`;
      const { head } = await rawExchange(here().url, request);
      expect([name, head.slice(9, 12)]).toStrictEqual([name, String(status)]);
    }
    await browser.open('/login');
    const planted = new Browser(here(), new Map([['login', browser.cookies.get('__Host-login') ?? '']]));
    expect(locationOf(await planted.open('/callback?code=x&state=y'))).toBe('/?login=expired');
  });

  test('are read once: of two with one name, the first one counts', async () => {
    const { session } = await loggedIn(here());
    const statusWith = async (cookie: string) =>
      (await new Browser(here()).visit('/session', { headers: { cookie } })).status;
    const [own, other] = [`__Host-session=${session}`, `__Host-session=${'A'.repeat(43)}`];
    expect([await statusWith(`${own}; ${other}`), await statusWith(`${other}; ${own}`)]).toStrictEqual([200, 401]);
  });

  test('that hold no id of a session are 401, and no error', async () => {
    const values = ["' OR 1=1 --", '%00', '{}', 'A'.repeat(8_000), '%', '__proto__', 'A'.repeat(43)];
    for (const value of values) {
      for (const path of ['/session', `/trpc/guilds.get?input=%7B%22guild%22%3A%22${IDS.guild}%22%7D`]) {
        const response = await new Browser(here()).visit(path, { headers: { cookie: `__Host-session=${value}` } });
        expect([path, value, response.status]).toStrictEqual([path, value, 401]);
      }
    }
  });
});
