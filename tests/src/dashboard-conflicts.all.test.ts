import { HAS_BROWSER } from '@guild-settings/discord-sim/testing/browser';
import { waitUntil } from '@guild-settings/testing';
import { describe, expect } from 'vitest';
import { type DashboardWorld, test } from './testing/dashboard-world.ts';
import { violationsOf } from './testing/looks.ts';
import { SettingsPage } from './testing/settings-page.ts';

describe.skipIf(!HAS_BROWSER).concurrent('the settings page, while others change the same guild', () => {
  let world: DashboardWorld;
  test.beforeAll(({ world: shared }) => {
    world = shared;
  });

  test('two managers change the same setting: both values, who and when are shown, and one is chosen', async () => {
    const guild = await world.addGuild('Conflict');
    await using mine = await SettingsPage.open(world, guild, guild.manager);
    await using theirs = await SettingsPage.open(world, guild, guild.owner);
    await mine.prefix.fill('$');
    await theirs.prefix.fill('?');
    await theirs.saved();
    const whoAndWhen = new RegExp(`${guild.owner.name} set this to “\\?” at .+, while you set “\\$”.`);
    await mine.shows(whoAndWhen);
    expect(await mine.prefix.inputValue()).toBe('$');
    // No event says it to a page that is opened the day after.
    await mine.page.clock.setFixedTime(Date.now() + 24 * 60 * 60_000);
    mine.page.once('dialog', (dialog) => void dialog.accept());
    await mine.page.reload();
    await mine.shows(whoAndWhen);
    await mine.shows(/at [A-Z][a-z]+ \d+, \d{4}, \d+:\d+:\d+ [AP]M, while/);
    await mine.live();
    await mine.save.click();
    await mine.shows('Someone else changed this too');
    expect(await guild.record()).toMatchObject({ prefix: '?' });
    await mine.page.getByRole('button', { name: 'Keep “$”' }).click();
    await mine.saved();
    expect(await guild.record()).toMatchObject({ prefix: '$' });
  });

  test('a feature that a colleague switches back before the answer arrives: who and when are shown, and one is chosen', async () => {
    const guild = await world.addGuild('Features at once');
    await using settings = await SettingsPage.open(world, guild, guild.manager);
    const { page } = settings;
    const reminders = settings.feature('Reminders');
    const isOn = () => reminders.isChecked();
    const whoAndWhen = new RegExp(`${guild.owner.name} set this to off at .+, while you set on\\.`);
    for (const choice of ['Take off', 'Keep on']) {
      await page.route('**/trpc/guilds.update*', async (route) => {
        await route.fetch();
        await guild.change(guild.owner, { enabledFeatures: [] });
        await settings.shows(whoAndWhen);
        // The answer is lost.
        await route.abort().catch(() => {});
      });
      const lost = page.waitForEvent('requestfailed', (request) => request.url().includes('/trpc/guilds.update'));
      await reminders.click();
      await settings.save.click();
      await lost;
      await settings.shows(whoAndWhen);
      expect(await isOn()).toBe(true);
      await page.unroute('**/trpc/guilds.update*');
      await settings.save.click();
      await settings.shows('Someone else changed this too');
      const conflict = page.getByRole('group', { name: 'Conflict: Reminders' });
      expect(await conflict.evaluate('document.activeElement.hasAttribute("data-conflict")')).toBe(true);
      expect(await guild.record()).toMatchObject({ enabledFeatures: [] });
      await conflict.getByRole('button', { name: choice }).click();
      await conflict.waitFor({ state: 'detached' });
      expect(await isOn()).toBe(choice === 'Keep on');
    }
    expect(await violationsOf(page)).toEqual([]);
    await settings.saved();
    expect(await guild.record()).toMatchObject({ enabledFeatures: ['reminders'] });
  });

  test('a page has one stream of events, ends it when it is hidden for a while, and shows what has changed when it is seen again', async () => {
    const guild = await world.addGuild('Behind another tab');
    await using settings = await SettingsPage.open(world, guild, guild.manager);
    const { page } = settings;
    await page.clock.install();
    const streams: string[] = [];
    const ended: string[] = [];
    const isStream = (url: string) => url.includes('/trpc/guilds.follow');
    page.on('request', (request) => isStream(request.url()) && streams.push(request.url()));
    page.on('requestfailed', (request) => isStream(request.url()) && ended.push(request.url()));
    await page.reload();
    await settings.live();
    expect([streams.length, ended.length]).toEqual([1, 1]);
    await settings.prefix.fill('?');
    await page.evaluate(become('hidden'));
    await page.clock.fastForward(11_000);
    await waitUntil(() => ended.length === 2, { message: 'the end of the stream' });
    await guild.change(guild.owner, { language: 'hi' });
    expect(await settings.language.inputValue()).toBe('en-US');
    expect(streams).toHaveLength(1);
    await page.evaluate(become('visible'));
    await settings.shows(`${guild.owner.name} changed this at`);
    expect([await settings.language.inputValue(), await settings.prefix.inputValue()]).toEqual(['hi', '?']);
    expect(streams).toHaveLength(2);
  });

  test('two tabs of one person have drafts of their own, and a change of the other tab is no change of a stranger', async () => {
    const guild = await world.addGuild('Two tabs');
    await using first = await SettingsPage.open(world, guild, guild.manager);
    const second = await first.anotherTab();
    await first.prefix.fill('$');
    await second.prefix.fill('?');
    await second.language.selectOption('ja');
    await second.saved();
    await first.shows(/You, elsewhere, set this to “\?” at .+, while you set “\$”\./);
    expect([await first.prefix.inputValue(), await first.language.inputValue()]).toEqual(['$', 'ja']);
    await first.page.getByRole('button', { name: 'Keep “$”' }).click();
    await first.saved();
    await waitUntil(async () => (await second.prefix.inputValue()) === '$', { message: 'the change of the first tab' });
    expect(await guild.record()).toMatchObject({ prefix: '$', language: 'ja' });
  });

  test('a change that no event has announced is merged when saving, and a conflict is shown with who and when', async () => {
    const guild = await world.addGuild('Unannounced');
    await using settings = await SettingsPage.open(world, guild, guild.manager);
    await settings.page.route('**/trpc/guilds.follow*', () => {});
    await settings.page.reload();
    await settings.prefix.fill('$');
    await guild.change(guild.owner, { language: 'hi' });
    await settings.saved();
    expect(await guild.record()).toMatchObject({ prefix: '$', language: 'hi' });
    await settings.prefix.fill('%');
    await guild.change(guild.owner, { prefix: '?' });
    await settings.save.click();
    await settings.shows(new RegExp(`${guild.owner.name} set this to “\\?” at .+, while you set “%”.`));
    await settings.page.getByRole('button', { name: 'Take “?”' }).click();
    expect(await settings.prefix.inputValue()).toBe('?');
    expect(await settings.bar.getByRole('button', { name: 'Save' }).count()).toBe(0);
  });
});

/** Returns a script for the browser that hides or shows the page, as another tab in front of it does. */
const become = (state: 'hidden' | 'visible') => `
  Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => '${state}' });
  document.dispatchEvent(new Event('visibilitychange'));
`;
