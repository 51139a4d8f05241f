import { describe, expect, test } from 'vitest';
import { Browser } from '../../src/testing/browser.ts';
import { sharedDashboard } from '../../src/testing/shared-dashboard.ts';

const here = sharedDashboard();

describe('cookie flags', () => {
  test('over http on this machine: HttpOnly, Strict for the session and Lax for the login', async () => {
    const browser = new Browser();
    await here.dashboard.login(browser);
    const [login, , session] = browser.setCookies;
    expect(login).toMatch(/^login=[^;]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(session).toMatch(/^session=[\w-]{43}; Max-Age=1209600; Path=\/; HttpOnly; SameSite=Strict$/);
  });

  test('over https: __Host-, Secure, no Domain', async () => {
    const secure = await here.world.start({ DASHBOARD_URL: 'https://dashboard.example', PORT: '0' });
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
