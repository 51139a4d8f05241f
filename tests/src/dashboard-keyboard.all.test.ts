import { HAS_BROWSER } from '@guild-settings/discord-sim/testing/browser';
import { describe, expect } from 'vitest';
import { type DashboardWorld, test } from './testing/dashboard-world.ts';
import { focusAt, press, reach } from './testing/keyboard.ts';
import { addPerson } from './testing/own-guild.ts';
import { SettingsPage, SMALL } from './testing/settings-page.ts';

describe.skipIf(!HAS_BROWSER)('with the keyboard alone', () => {
  let world: DashboardWorld;
  test.beforeAll(({ world: shared }) => {
    world = shared;
  });

  test('a person logs in, opens a guild, changes all settings, undoes that here and in the history, and logs out', async () => {
    // Found by the first letters among the people of all tests.
    const rosa = addPerson(world.discord, 'Xenia of the keyboard');
    const guild = await world.addGuild('Keyboard', { owner: rosa });
    await using page = await world.visit('/', SMALL);
    const settings = new SettingsPage(page);
    const { keyboard } = page;
    await page.getByRole('link', { name: 'Continue with Discord' }).waitFor();
    await press(page, 'Continue with Discord');

    // On Discord's page.
    await page.locator('#grant:enabled').waitFor();
    await reach(page, 'You are');
    await keyboard.type(rosa.name);
    await press(page, 'Authorize');

    await page.getByRole('link', { name: guild.name, exact: true }).waitFor();
    await press(page, guild.name);
    await settings.live();

    await reach(page, 'Prefix');
    await keyboard.press('ControlOrMeta+a');
    await keyboard.type('?');
    await reach(page, 'Language');
    await keyboard.press('ArrowDown');
    await reach(page, 'Channel for announcements');
    await page.getByRole('option').first().waitFor();
    await keyboard.press('ControlOrMeta+a');
    await keyboard.type('announ');
    await page.getByRole('option', { name: '#announcements' }).waitFor();
    // The first of the two is "No announcements".
    await keyboard.press('ArrowDown');
    await keyboard.press('ArrowDown');
    await keyboard.press('Enter');
    await reach(page, 'Beta features');
    await keyboard.press('Space');
    await reach(page, 'Reminders');
    await keyboard.press('Space');
    await settings.shows('5 unsaved changes');
    await press(page, 'Save');
    await settings.shows(/^Saved\. Live on this server after/);
    expect(await guild.record()).toMatchObject({
      prefix: '?',
      language: 'hi',
      announcement_channel: guild.channels.announcements,
      beta: true,
      enabledFeatures: ['reminders'],
    });
    await press(page, 'Undo');
    await settings.shows('Undone.');
    await page.locator(':focus[aria-label=Close]').waitFor();
    expect(await guild.record()).toMatchObject({ prefix: '!', language: 'en-US', beta: false, enabledFeatures: [] });

    const [undone] = await guild.entries();
    await press(page, 'History');
    await focusAt(page, 'History');
    await page.locator(`[data-revision="${undone?.revision}"]`).waitFor();
    await press(page, `Undo change #${undone?.revision}`);
    await page.getByRole('dialog').getByRole('table').waitFor();
    await press(page, 'Undo the change');
    await page.getByText(`Change #${undone?.revision} was undone.`).first().waitFor();
    await page.locator(`:focus[aria-label="More for change #${undone?.revision}"]`).waitFor();
    expect(await guild.record()).toMatchObject({ prefix: '?', language: 'hi', beta: true });

    await press(page, 'Your account');
    await press(page, 'Log out');
    await page.getByRole('link', { name: 'Continue with Discord' }).waitFor();
  });
});
