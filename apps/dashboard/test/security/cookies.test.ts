import { describe, expect, test } from 'vitest';
import { Browser } from '../../src/testing/browser.ts';
import { sendLines } from '../../src/testing/raw-connection.ts';
import { sharedDashboard } from '../../src/testing/shared-dashboard.ts';

const here = sharedDashboard();

describe('cookie flags', () => {
  test('over http on this machine: HttpOnly, Strict for the session and Lax for the login', async () => {
    const browser = new Browser();
    await here.dashboard.login(browser);
    const [login, , session, loggedIn] = browser.setCookies;
    expect(login).toMatch(/^login=[^;]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(session).toMatch(/^session=[\w-]{43}; Max-Age=1209600; Path=\/; HttpOnly; SameSite=Strict$/);
    expect(loggedIn).toMatch(/^logged-in=1; Max-Age=1209600; Path=\/; HttpOnly; SameSite=Lax$/);
  });

  test('over https: __Host-, Secure, no Domain', async () => {
    const secure = await here.world.start({ DASHBOARD_URL: 'https://dashboard.example', PORT: '0' });
    const browser = new Browser();
    await secure.login(browser, {
      change: (callback) => {
        callback.host = new URL(secure.url).host;
      },
    });
    const [login, cleared, session, loggedIn] = browser.setCookies;
    expect(login).toMatch(/^__Host-login=[^;]+; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    expect(cleared).toMatch(/^__Host-login=; .*Path=\/; .*HttpOnly; Secure; SameSite=Lax$/);
    expect(session).toMatch(/^__Host-session=[\w-]{43}; Max-Age=1209600; Path=\/; HttpOnly; Secure; SameSite=Strict$/);
    expect(loggedIn).toMatch(/^__Host-logged-in=1; Max-Age=1209600; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    const response = await secure.visit(browser, '/session');
    expect(response.headers.get('strict-transport-security')).toBe('max-age=31536000');
  });
});

test('a logout deletes both cookies of the session', async () => {
  const browser = new Browser();
  await here.dashboard.login(browser);
  expect([...browser.cookies.keys()]).toStrictEqual(['session', 'logged-in']);
  await here.dashboard.visit(browser, '/logout', { method: 'POST', body: {} });
  expect([...browser.cookies.keys()]).toStrictEqual([]);
});

describe('cookies that another host of the site has set', () => {
  test('a cookie without the prefix is no session and no login over https', async () => {
    const secure = await here.world.start({ DASHBOARD_URL: 'https://dashboard.example', PORT: '0' });
    const browser = new Browser();
    await secure.login(browser, {
      change: (callback) => {
        callback.host = new URL(secure.url).host;
      },
    });
    const id = browser.cookies.get('__Host-session') ?? '';
    expect(
      (await secure.visit(new Browser(), '/session', { headers: { cookie: `__Host-session=${id}` } })).status,
    ).toBe(200);
    // Bytes that a browser keeps in a name, and that a server might trim or decode.
    const names = [
      'session',
      '__host-session',
      '\xa0__Host-session',
      '__Host-session\xa0',
      '%5F_Host-session',
      '\x0b__Host-session',
    ];
    for (const name of names) {
      const response = await sendLines(secure.url, ['GET /session HTTP/1.1', `cookie: ${name}=${id}`]);
      expect([name, response.slice(9, 12)]).toStrictEqual([name, name === '\x0b__Host-session' ? '400' : '204']);
    }
    await secure.visit(browser, '/login');
    const login = browser.cookies.get('__Host-login') ?? '';
    const response = await secure.visit(new Browser(), '/callback?code=x&state=y', {
      headers: { cookie: `login=${login}` },
    });
    expect(response.headers.get('location')).toBe('/?login=expired');
  });

  test('a cookie is read once: of two with one name, the first one counts', async () => {
    const browser = new Browser();
    await here.dashboard.login(browser);
    const id = browser.cookies.get('session') ?? '';
    const statusWith = async (cookie: string) =>
      (await here.dashboard.visit(new Browser(), '/session', { headers: { cookie } })).status;
    expect(await statusWith(`session=${id}; session=${'A'.repeat(43)}`)).toBe(200);
    expect(await statusWith(`session=${'A'.repeat(43)}; session=${id}`)).toBe(401);
  });

  test('a cookie that does not have the form of an id is no session', async () => {
    for (const value of ["' OR 1=1 --", '%00', '{}', 'A'.repeat(8_000), '%', '__proto__']) {
      const headers = { cookie: `session=${value}` };
      expect((await here.dashboard.visit(new Browser(), '/session', { headers })).status).toBe(401);
    }
  });
});
