import { HAS_BROWSER } from '@guild-settings/discord-sim/testing/browser';
import { GUILDS, PEOPLE, type Role, tokenOf } from '@guild-settings/discord-sim/testing/world';
import { waitUntil } from '@guild-settings/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DashboardWorld, startDashboardWorld } from './testing/dashboard-world.ts';
import { expectPictures } from './testing/picture.ts';
import { SettingsPage } from './testing/settings-page.ts';

const [TESTERS] = GUILDS;
const PATH = `/guilds/${TESTERS.id}`;
const TWO_HOURS_MS = 7_200_000;

/** A time zone in which it is between noon and one o'clock: the changes of a test, and two hours later, are of one day. */
function zoneOfNoon(): string {
  const hours = new Date().getUTCHours() - 12;
  return `Etc/GMT${hours < 0 ? hours : `+${hours}`}`;
}

// Run one after another: the changes of one picture are the history of the next.
describe.skipIf(!HAS_BROWSER)('the pictures of the documentation are those of the dashboard', () => {
  let world: DashboardWorld;
  let settings: SettingsPage;
  beforeAll(async () => {
    world = await startDashboardWorld();
    // The bot comes first in the history.
    await waitUntil(async () => (await read('/history')).includes('"kind":"platform"'));
    await change('owner', { enabledFeatures: ['reminders'] }, 'requested by the team');
    settings = new SettingsPage(await world.open(PEOPLE.manager, PATH, { timezoneId: zoneOfNoon() }));
    await settings.live();
  });
  afterAll(() => world?.[Symbol.asyncDispose]());

  const headers = (role: Role) => ({ authorization: `Bearer ${tokenOf(role)}` });

  /** Reads a path of the guild over REST. */
  const read = async (path: string) =>
    (await fetch(`${world.url}${PATH}${path}`, { headers: headers('owner') })).text();

  /** Changes settings over REST. */
  async function change(role: Role, patch: object, reason?: string): Promise<void> {
    const response = await fetch(`${world.url}${PATH}`, {
      method: 'PATCH',
      headers: {
        ...headers(role),
        'content-type': 'application/json',
        ...(reason !== undefined && { 'x-audit-log-reason': encodeURIComponent(reason) }),
      },
      body: JSON.stringify(patch),
    });
    expect(response.status).toBe(200);
  }

  test('the list of channels says where the bot cannot write', async () => {
    await settings.openChannels();
    await expectPictures(settings.page, 'channels', ['light', 'phone']);
    await settings.page.getByRole('option', { name: '#announcements' }).click();
  });

  test('a change is live, and can be undone', async () => {
    const { page } = settings;
    await settings.prefix.fill('?');
    // The bar stays as long as time does.
    await page.clock.install();
    await settings.saved();
    await page.clock.pauseAt(Date.now() + 1_000);
    await page.mouse.move(0, 0);
    await expectPictures(page, 'settings', ['light', 'dark', 'phone']).finally(() => page.clock.resume());
    await page.getByRole('button', { name: 'Close' }).click();
  });

  test('two managers change the same setting', async () => {
    await settings.prefix.fill('$');
    await change('owner', { prefix: '%' });
    await settings.shows('Ольга set this to “%”');
    await expectPictures(settings.page, 'conflict', ['light', 'phone']);
    await settings.page.getByRole('button', { name: 'Take' }).click();
  });

  test('the history has sentences, and an undo shows what it would change', async () => {
    const { page } = settings;
    await change('manager', { beta: true, language: 'ja' }, 'for the beta test');
    await page.clock.setFixedTime(Date.now() + TWO_HOURS_MS);
    await page.goto(`${world.url}${PATH}/history`);
    await page.getByText('Updates live').waitFor();
    await page.getByText('Ольга changed the prefix').waitFor();
    await page.getByText('Ольга enabled Reminders').waitFor();
    await expectPictures(page, 'history', ['light', 'phone']);
    await page.getByRole('button', { name: 'More for change' }).first().click();
    await page
      .getByRole('button', { name: /^Undo change/ })
      .first()
      .click();
    await page.getByRole('dialog').getByRole('table').waitFor();
    await expectPictures(page, 'undo', ['light', 'phone']);
  });
});
