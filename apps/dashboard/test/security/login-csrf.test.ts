import { expect, test } from 'vitest';
import { Browser } from '../../src/testing/browser.ts';
import { IDS } from '../../src/testing/dashboard-world.ts';
import { sharedDashboard } from '../../src/testing/shared-dashboard.ts';

const here = sharedDashboard();
const statusOf = async (browser: Browser) => (await here.dashboard.visit(browser, '/session')).status;
const locationOf = (response: Response) => response.headers.get('location');

test('a response of Discord to a login that another browser began starts no session', async () => {
  const attacker = new Browser();
  const victim = new Browser();
  let stolen = '';
  await here.dashboard.login(attacker, {
    change: (callback) => {
      stolen = `${callback.pathname}${callback.search}`;
      callback.search = '';
    },
  });
  const response = await here.dashboard.visit(victim, stolen);
  expect(locationOf(response)).toBe('/?login=expired');
  expect(await statusOf(victim)).toBe(204);
});

test('a response with the state of another login of the same browser starts no session', async () => {
  const browser = new Browser();
  const change = (callback: URL) => callback.searchParams.set('state', 'x'.repeat(43));
  expect(locationOf(await here.dashboard.login(browser, { change }))).toBe('/?login=expired');
  expect(await statusOf(browser)).toBe(204);
});

test('a code of another login of this application fails its proof (PKCE)', async () => {
  let code = '';
  await here.dashboard.login(new Browser(), {
    personId: IDS.owner,
    change: (callback) => {
      code = callback.searchParams.get('code') ?? '';
      callback.search = '';
    },
  });
  const browser = new Browser();
  const response = await here.dashboard.login(browser, {
    change: (callback) => callback.searchParams.set('code', code),
  });
  expect(locationOf(response)).toBe('/?login=expired');
  expect(await statusOf(browser)).toBe(204);
});

test('a response is accepted once: its cookie is deleted, and its code is used', async () => {
  const browser = new Browser();
  let again = '';
  await here.dashboard.login(browser, {
    change: (callback) => {
      again = `${callback.pathname}${callback.search}`;
    },
  });
  expect([...browser.cookies.keys()]).toStrictEqual(['session', 'logged-in']);
  expect(locationOf(await here.dashboard.visit(browser, again))).toBe('/?login=expired');
});

test('a cookie is used once, also by a client that sends it again', async () => {
  const browser = new Browser();
  const change = async (callback: URL) => {
    const cookie = browser.cookies.get('login') ?? '';
    const wrong = await here.dashboard.visit(browser, '/callback?code=guessed&state=wrong');
    expect([locationOf(wrong), browser.cookies.has('login')]).toStrictEqual(['/?login=expired', false]);
    browser.cookies.set('login', cookie);
    expect(callback.searchParams.has('code')).toBe(true);
  };
  expect(locationOf(await here.dashboard.login(browser, { change }))).toBe('/?login=expired');
  expect(await statusOf(browser)).toBe(204);
});

test('a login lasts ten minutes', async () => {
  const change = () => {
    here.world.clock.now += 601_000;
  };
  expect(locationOf(await here.dashboard.login(new Browser(), { change }))).toBe('/?login=expired');
});

test.each([
  ['a page of another site', 'cross-site', 'consent'],
  ['the page of the dashboard', 'same-origin', 'none'],
  ['the address bar', 'none', 'none'],
  ['a browser that does not send Sec-Fetch-Site', undefined, 'none'],
])('a login that is begun from %s: Sec-Fetch-Site %s, prompt %s', async (_, site, prompt) => {
  const response = await here.dashboard.visit(new Browser(), '/login', { headers: { 'sec-fetch-site': site } });
  expect(new URL(locationOf(response) ?? '').searchParams.get('prompt')).toBe(prompt);
});
