import { expect, test } from 'vitest';
import { Browser } from '../../src/testing/browser.ts';
import { sharedDashboard } from '../../src/testing/shared-dashboard.ts';

const here = sharedDashboard();
const statusOf = async (browser: Browser) => (await here.dashboard.visit(browser, '/session')).status;

test('an id that the browser brings is not taken: each login has a new one', async () => {
  const browser = new Browser();
  const planted = 'A'.repeat(43);
  browser.cookies.set('session', planted);
  await here.dashboard.login(browser);
  expect(browser.cookies.get('session')).not.toBe(planted);
  const other = new Browser();
  other.cookies.set('session', planted);
  expect(await statusOf(other)).toBe(401);
});

test('the session that the browser had ends with the next login', async () => {
  const browser = new Browser();
  await here.dashboard.login(browser);
  const before = new Browser();
  before.cookies.set('session', browser.cookies.get('session') ?? '');
  expect(await statusOf(before)).toBe(200);
  await here.dashboard.login(browser);
  expect([await statusOf(before), await statusOf(browser)]).toStrictEqual([401, 200]);
});
