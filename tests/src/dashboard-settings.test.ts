import { HAS_BROWSER } from '@guild-settings/discord-sim/testing/browser';
import { GUILDS, PEOPLE } from '@guild-settings/sandbox/world';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DashboardWorld, startDashboardWorld } from './testing/dashboard-world.ts';

const [TESTERS] = GUILDS;
const SETTINGS = `/guilds/${TESTERS.id}`;

describe.skipIf(!HAS_BROWSER)('the settings page', () => {
  let world: DashboardWorld;
  beforeAll(async () => {
    world = await startDashboardWorld();
  });
  afterAll(() => world?.[Symbol.asyncDispose]());

  test('a change is saved, is live, and can be undone', async () => {
    const page = await world.open(PEOPLE.manager, SETTINGS);
    page.on('console', (m) => console.log('CONSOLE', m.type(), m.text()));
    page.on('response', (r) => r.status() >= 400 && console.log('RESP', r.status(), r.url()));
    await page
      .getByText('Live: changes of colleagues appear here')
      .waitFor({ timeout: 15000 })
      .catch((e) => console.log(String(e)));
    await page.screenshot({ path: '/tmp/shot-settings-1.png', fullPage: true });
    await page.getByLabel('Prefix', { exact: true }).fill('?', { timeout: 5000 });
    await page.screenshot({ path: '/tmp/shot-settings-2.png', fullPage: false });
    await page.getByRole('button', { name: 'Save' }).click();
    await page
      .getByText(/Live on this server after \d+ ms/)
      .waitFor({ timeout: 15000 })
      .catch((e) => console.log(String(e)));
    await page.screenshot({ path: '/tmp/shot-settings-3.png', fullPage: false });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone.').waitFor();
    expect(await page.getByLabel('Prefix', { exact: true }).inputValue()).toBe('!');
  });
});
