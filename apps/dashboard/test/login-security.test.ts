import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Browser } from '../src/testing/browser.ts';
import { type DashboardWorld, IDS, startDashboardWorld, type TestDashboard } from '../src/testing/dashboard-world.ts';

let world: DashboardWorld;
let dashboard: TestDashboard;
beforeAll(async () => {
  world = await startDashboardWorld();
  dashboard = await world.start();
});
afterAll(() => world?.[Symbol.asyncDispose]());
afterEach(() => world.discord.faults.clear());

const statusOf = async (browser: Browser) => (await dashboard.visit(browser, '/session')).status;
const locationOf = (response: Response) => response.headers.get('location');

describe('login CSRF', () => {
  test('a response of Discord that another browser began logs nobody in', async () => {
    const attacker = new Browser();
    const victim = new Browser();
    let stolen = '';
    await dashboard.login(attacker, {
      change: (callback) => {
        stolen = `${callback.pathname}${callback.search}`;
        callback.search = '';
      },
    });
    const response = await dashboard.visit(victim, stolen);
    expect(locationOf(response)).toBe('/?login=expired');
    expect(await statusOf(victim)).toBe(204);
  });

  test('a response with the state of another login of the same browser logs nobody in', async () => {
    const browser = new Browser();
    const change = (callback: URL) => callback.searchParams.set('state', 'x'.repeat(43));
    expect(locationOf(await dashboard.login(browser, { change }))).toBe('/?login=expired');
    expect(await statusOf(browser)).toBe(204);
  });

  test('a code of another login of this application fails its proof (PKCE)', async () => {
    let code = '';
    await dashboard.login(new Browser(), {
      personId: IDS.owner,
      change: (callback) => {
        code = callback.searchParams.get('code') ?? '';
        callback.search = '';
      },
    });
    const browser = new Browser();
    const response = await dashboard.login(browser, { change: (callback) => callback.searchParams.set('code', code) });
    expect(locationOf(response)).toBe('/?login=expired');
    expect(await statusOf(browser)).toBe(204);
  });

  test('a response is used once: its cookie is gone, and so is its code', async () => {
    const browser = new Browser();
    let again = '';
    await dashboard.login(browser, {
      change: (callback) => {
        again = `${callback.pathname}${callback.search}`;
      },
    });
    expect([...browser.cookies.keys()]).toStrictEqual(['session']);
    expect(locationOf(await dashboard.visit(browser, again))).toBe('/?login=expired');
  });

  test('a login lasts ten minutes', async () => {
    const change = () => {
      world.clock.now += 601_000;
    };
    expect(locationOf(await dashboard.login(new Browser(), { change }))).toBe('/?login=expired');
  });
});

describe('session fixation', () => {
  test('an id that the browser brings is not taken: each login has a new one', async () => {
    const browser = new Browser();
    const planted = 'A'.repeat(43);
    browser.cookies.set('session', planted);
    await dashboard.login(browser);
    expect(browser.cookies.get('session')).not.toBe(planted);
    const other = new Browser();
    other.cookies.set('session', planted);
    expect(await statusOf(other)).toBe(401);
  });

  test('the session that the browser had ends with the next login', async () => {
    const browser = new Browser();
    await dashboard.login(browser);
    const before = new Browser();
    before.cookies.set('session', browser.cookies.get('session') ?? '');
    expect(await statusOf(before)).toBe(200);
    await dashboard.login(browser);
    expect([await statusOf(before), await statusOf(browser)]).toStrictEqual([401, 200]);
  });
});

describe('open redirect', () => {
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
  ])('a login with to=%j returns to the start', async (to) => {
    expect(locationOf(await dashboard.login(new Browser(), { to }))).toBe('/');
  });

  test('two addresses to return to are none', async () => {
    const browser = new Browser();
    const begun = await dashboard.visit(browser, '/login?to=/a&to=//evil.example');
    expect(begun.status).toBe(302);
    expect(locationOf(begun)).toContain(`${world.discord.authorizeUrl}?`);
  });
});

describe('cookie flags', () => {
  test('over http on this machine: HttpOnly, Strict for the session and Lax for the login', async () => {
    const browser = new Browser();
    await dashboard.login(browser);
    const [login, , session] = browser.setCookies;
    expect(login).toMatch(/^login=[^;]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(session).toMatch(/^session=[\w-]{43}; Max-Age=1209600; Path=\/; HttpOnly; SameSite=Strict$/);
  });

  test('over https: __Host-, Secure, no Domain', async () => {
    const secure = await world.start({ DASHBOARD_URL: 'https://dashboard.example', PORT: '0' });
    const browser = new Browser();
    await secure.login(browser, {
      change: (callback) => {
        callback.host = new URL(secure.url).host;
      },
    });
    const [login, cleared, session] = browser.setCookies;
    expect(login).toMatch(/^__Host-login=[^;]+; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    expect(cleared).toMatch(/^__Host-login=; .*Path=\/; .*HttpOnly; Secure; SameSite=Lax$/);
    expect(session).toMatch(/^__Host-session=[\w-]{43}; Max-Age=1209600; Path=\/; HttpOnly; Secure; SameSite=Strict$/);
    const response = await secure.visit(browser, '/session');
    expect(response.headers.get('strict-transport-security')).toBe('max-age=31536000');
  });
});

describe('a login that fails', () => {
  test('denied consent leads back with the reason, and where to go on', async () => {
    const response = await dashboard.login(new Browser(), { isGranted: false, to: '/guilds/1' });
    expect(locationOf(response)).toBe('/?login=denied&to=%2Fguilds%2F1');
  });

  test('a code that has expired at Discord', async () => {
    const change = () => {
      world.clock.now += 200_000;
    };
    expect(locationOf(await dashboard.login(new Browser(), { change }))).toBe('/?login=expired');
  });

  test.each(['/oauth2/token', '/users/@me'])('Discord does not respond as it should at %s', async (path) => {
    const browser = new Browser();
    world.discord.faults.set({ kind: 'html' }, { path });
    expect(locationOf(await dashboard.login(browser))).toBe('/?login=failed');
    world.discord.faults.set({ kind: 'close-socket' }, { path });
    expect(locationOf(await dashboard.login(browser))).toBe('/?login=failed');
    expect(await statusOf(browser)).toBe(204);
  });

  test('a cookie of a login that another key has encrypted', async () => {
    const browser = new Browser();
    const other = await world.start({ SESSION_KEY: '11'.repeat(32), PORT: '0' });
    await other.visit(browser, '/login');
    const response = await dashboard.visit(browser, '/callback?code=x&state=y');
    expect(locationOf(response)).toBe('/?login=expired');
  });
});
