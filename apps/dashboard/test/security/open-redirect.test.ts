import { expect, test } from 'vitest';
import { Browser } from '../../src/testing/browser.ts';
import { sharedDashboard } from '../../src/testing/shared-dashboard.ts';

const here = sharedDashboard();
const locationOf = (response: Response) => response.headers.get('location');

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
  expect(locationOf(await here.dashboard.login(new Browser(), { to }))).toBe('/');
});

test('two addresses to return to are none', async () => {
  const browser = new Browser();
  const begun = await here.dashboard.visit(browser, '/login?to=/a&to=//evil.example');
  expect(begun.status).toBe(302);
  expect(locationOf(begun)).toContain(`${here.world.discord.authorizeUrl}?`);
});
