import { writeFileSync } from 'node:fs';
import { HAS_BROWSER } from '@guild-settings/discord-sim/testing/browser';
import { temporaryFolder } from '@guild-settings/testing';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorsOf, logIn } from './testing/dashboard-pages.ts';
import { type DashboardWorld, startDashboardWorld } from './testing/dashboard-world.ts';
import { focusAt, press, reach } from './testing/keyboard.ts';
import { expectNothingCutOff, violationsOf } from './testing/looks.ts';
import { MANY_SETTINGS } from './testing/many-settings.ts';
import type { OwnGuild } from './testing/own-guild.ts';
import { SettingsPage, SMALL } from './testing/settings-page.ts';
import { refuse } from './testing/stage.ts';

const fieldOf = (page: Page, name: string): Locator => page.locator(`[data-field="custom.${name}"]`);
const focusedField = (page: Page) =>
  page.evaluate<string>(
    'document.activeElement?.closest("[data-field]")?.dataset.field ?? document.activeElement?.tagName',
  );
const linkOf = (page: Page, group: string) =>
  page.getByRole('navigation', { name: 'Groups of settings' }).getByRole('link', { name: group });

describe.skipIf(!HAS_BROWSER)('many settings in groups', () => {
  const folder = temporaryFolder();
  const file = folder.file('settings.json');
  let world: DashboardWorld;

  beforeAll(async () => {
    writeFileSync(file, JSON.stringify(MANY_SETTINGS));
    world = await startDashboardWorld({ SETTINGS_FILE: file });
  });
  afterAll(async () => {
    await world?.[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  const customOf = async (guild: OwnGuild) => (await guild.record()).custom as Record<string, unknown>;

  describe.concurrent('of one guild', () => {
    test('are a page for each group, without another load, with one draft and one bar for all', async () => {
      const guild = await world.addGuild('One draft');
      await using settings = await SettingsPage.open(world, guild, guild.manager);
      const { page } = settings;
      const errors = errorsOf(page);
      await page.evaluate('window.isSame = true');
      expect(await settings.prefix.count()).toBe(1);
      expect(await fieldOf(page, 'xpRate').count()).toBe(0);
      await settings.openGroup('Welcome');
      expect(new URL(page.url()).pathname).toBe(`${guild.path}/settings/welcome`);
      expect(await page.title()).toBe('Welcome · Settings · One draft · Melody');
      await focusAt(page, 'Welcome');
      expect(await linkOf(page, 'Welcome').getAttribute('aria-current')).toBe('page');
      expect(await page.locator('nav [aria-current=page]').count()).toBe(2);
      await fieldOf(page, 'welcomeMessage').getByRole('textbox').fill('Hi');
      await fieldOf(page, 'goodbye').getByRole('textbox').fill('Bye');
      await settings.openGroup('Levels');
      await fieldOf(page, 'xpRate').getByRole('textbox').fill('7');
      await settings.openGroup('Features');
      await settings.feature('Polls').click();
      await settings.shows('4 unsaved changes');
      expect(await settings.bar.getByRole('listitem').allInnerTexts()).toEqual([
        expect.stringMatching(/^Welcome:\s+Message\s*,\s+Goodbye$/),
        expect.stringMatching(/^Levels:\s+XP rate$/),
        expect.stringMatching(/^Features:\s+Features$/),
      ]);
      expect(await linkOf(page, 'Welcome').textContent()).toBe('Welcome2 unsavedoff');
      await page.goBack();
      await focusAt(page, 'Levels');
      await page.goBack();
      await focusAt(page, 'Welcome');
      expect(await fieldOf(page, 'welcomeMessage').getByRole('textbox').inputValue()).toBe('Hi');
      await page.goForward();
      await focusAt(page, 'Levels');
      await settings.saved();
      expect(await guild.record()).toMatchObject({
        enabledFeatures: ['polls'],
        custom: { welcomeMessage: 'Hi', goodbye: 'Bye', xpRate: 7 },
      });
      expect(await page.evaluate('window.isSame')).toBe(true);
      expect(errors).toEqual([]);
    });

    test('say where a value is wrong, and lead there from the bar and with the save', async () => {
      const guild = await world.addGuild('Wrong elsewhere');
      await using settings = await SettingsPage.open(world, guild, guild.manager);
      const { page } = settings;
      await settings.openGroup('Levels');
      await fieldOf(page, 'xpRate').getByRole('textbox').fill('101');
      await settings.openGroup('Music');
      await fieldOf(page, 'volume').getByRole('textbox').fill('70');
      expect(await linkOf(page, 'Levels').textContent()).toBe('Levelsneeds attention1 unsavedon');
      expect(await linkOf(page, 'Music').textContent()).toBe('Music1 unsaved');
      await settings.bar.getByRole('link', { name: 'needs attention: XP rate' }).click();
      await fieldOf(page, 'xpRate').getByText('At most 100 %').waitFor();
      expect(await focusedField(page)).toBe('custom.xpRate');
      await settings.openGroup('Logs');
      await settings.save.click();
      await fieldOf(page, 'xpRate').waitFor();
      expect(await focusedField(page)).toBe('custom.xpRate');
      await settings.shows('Fix the marked settings to save.');
      await fieldOf(page, 'xpRate').getByRole('textbox').fill('100');
      await settings.saved();
      expect(await customOf(guild)).toMatchObject({ xpRate: 100, volume: 70 });
    });

    test('lead from the bar to what the service has refused in another group, and to a conflict there', async () => {
      const guild = await world.addGuild('Refused elsewhere');
      await using settings = await SettingsPage.open(world, guild, guild.manager);
      const { page } = settings;
      await settings.openGroup('Games');
      await fieldOf(page, 'currency').getByRole('textbox').fill('gems');
      await settings.openGroup('Levels');
      await fieldOf(page, 'xpRate').getByRole('textbox').fill('9');
      const issues = [{ path: ['custom', 'currency'], pointer: '/custom/currency', message: 'Not this one' }];
      await refuse(page, 'guilds.update', { slug: 'invalid-request', status: 400, fields: { issues } });
      await settings.save.click();
      await settings.bar.getByRole('link', { name: 'needs attention: Currency' }).click();
      await fieldOf(page, 'currency').getByText('Not this one').waitFor();
      expect(await focusedField(page)).toBe('custom.currency');
      await page.unrouteAll();
      await settings.openGroup('Levels');
      await guild.change(guild.owner, { custom: { currency: 'shells' } });
      await settings.bar.getByRole('link', { name: 'needs attention: Currency' }).waitFor();
      await settings.save.click();
      await settings.shows('Someone else changed this too. Choose a value, then save.');
      expect(await focusedField(page)).toBe('custom.currency');
      await page.getByRole('button', { name: 'Keep: “gems”' }).click();
      await settings.saved();
      expect(await customOf(guild)).toMatchObject({ currency: 'gems', xpRate: 9 });
    });

    test('mark what others change in a group that is not shown, until it is', async () => {
      const guild = await world.addGuild('Changed elsewhere');
      await using settings = await SettingsPage.open(world, guild, guild.manager);
      const { page } = settings;
      const mark = linkOf(page, 'Games').getByLabel('changed by someone else');
      expect(await mark.count()).toBe(0);
      await guild.change(guild.owner, { custom: { dailyCoins: 7, gamesOn: true } });
      await mark.waitFor();
      expect(await linkOf(page, 'Games').textContent()).toBe('Gameson');
      await settings.openGroup('Games');
      await fieldOf(page, 'dailyCoins').getByText(`${guild.owner.name} changed this at`).waitFor();
      expect(await mark.count()).toBe(0);
      await settings.openGroup('Levels');
      expect(await mark.count()).toBe(0);
      await guild.change(guild.owner, { custom: { dailyCoins: 8 } });
      await mark.waitFor();
    });

    test('are found by a search over all groups, which leads to the setting and gives it the focus', async () => {
      const guild = await world.addGuild('Search');
      await using settings = await SettingsPage.open(world, guild, guild.manager, { locale: 'ru-RU' });
      const { page } = settings;
      const box = page.getByRole('searchbox');
      await box.fill('сообщ');
      const found = page.getByRole('link', { name: /Сообщение\s*Приветствие/ });
      await found.click();
      await fieldOf(page, 'welcomeMessage').waitFor();
      expect(await focusedField(page)).toBe('custom.welcomeMessage');
      expect(new URL(page.url()).pathname).toBe(`${guild.path}/settings/welcome`);
      expect(await box.inputValue()).toBe('');
      // Also in the displayed group.
      await box.fill('goodbye');
      await box.press('Enter');
      expect(await focusedField(page)).toBe('custom.goodbye');
      await box.fill('welcomeMessage');
      await box.press('Enter');
      expect(await focusedField(page)).toBe('custom.welcomeMessage');
      await box.fill('mod log');
      await box.press('Enter');
      await fieldOf(page, 'modLog').waitFor();
      expect(await focusedField(page)).toBe('custom.modLog');
      await box.fill('nothing like it');
      await box.press('Enter');
      await page.getByText('Таких настроек нет.').first().waitFor();
      await box.press('Escape');
      await page.getByRole('link', { name: 'Модерация' }).waitFor();
    });

    test('are where links lead: to a group, to a setting wherever it is now, and to the first page', async () => {
      const guild = await world.addGuild('Links');
      await using settings = await SettingsPage.open(world, guild, guild.manager);
      const { page } = settings;
      const opened = async (address: string) => {
        await page.goto(`${world.url}${guild.path}${address}`);
        await settings.live();
        const heading = await page.locator('section[aria-labelledby] h2').first().textContent();
        return [heading, await focusedField(page)];
      };
      expect(await opened('/settings/levels')).toEqual(['Levels', 'BODY']);
      expect(await opened('/settings')).toEqual(['General', 'BODY']);
      expect(await opened('/settings/nowhere')).toEqual(['General', 'BODY']);
      expect(await opened('/settings/enabled-features')).toEqual(['Features', 'BODY']);
      expect(await opened('?setting=xpRate')).toEqual(['Levels', 'custom.xpRate']);
      expect(await opened('/settings/welcome?setting=custom.volume')).toEqual(['Music', 'custom.volume']);
      expect(new URL(page.url()).pathname).toBe(`${guild.path}/settings/music`);
      expect(await opened('?setting=prefix')).toEqual(['General', 'prefix']);
      expect(await opened('?setting=nothing')).toEqual(['General', 'BODY']);
      expect(await opened('#group-levels')).toEqual(['Levels', 'BODY']);
      expect(await opened('#welcomeOn')).toEqual(['Welcome', 'custom.welcomeOn']);
      // The switch in the header of its group is not repeated as a row.
      expect(await fieldOf(page, 'welcomeOn').count()).toBe(1);
      expect(await page.locator('header [data-field="custom.welcomeOn"]').count()).toBe(1);
    });

    test('are where a link leads after the login', async () => {
      const guild = await world.addGuild('Link before the login');
      await using page = await world.visit(`${guild.path}?setting=xpRate`);
      await page.getByRole('link', { name: 'Continue with Discord' }).waitFor();
      await logIn(page.context(), { url: world.url, personId: guild.manager.id });
      await page.reload();
      await fieldOf(page, 'xpRate').waitFor();
      expect(await focusedField(page)).toBe('custom.xpRate');
    });

    test('are asked about when the guild is left from any group, and not on the way from one to the next', async () => {
      const guild = await world.addGuild('Leave');
      await using settings = await SettingsPage.open(world, guild, guild.manager);
      const { page } = settings;
      await settings.openGroup('Levels');
      await fieldOf(page, 'xpRate').getByRole('textbox').fill('7');
      await settings.openGroup('Music');
      await page.getByRole('link', { name: 'History' }).click();
      await page.getByRole('link', { name: 'Settings (unsaved changes)' }).click();
      await settings.openGroup('Levels');
      expect(await fieldOf(page, 'xpRate').getByRole('textbox').inputValue()).toBe('7');
      await page.getByRole('link', { name: 'Melody' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click();
      await page.getByRole('heading', { name: 'Your servers' }).waitFor();
    });

    test('are reached on a phone by keyboard and by touch, from a list that a button opens', async () => {
      const guild = await world.addGuild('Phone');
      await using settings = await SettingsPage.open(world, guild, guild.manager, { ...SMALL, colorScheme: 'dark' });
      const { page } = settings;
      await reach(page, 'Groups of settings: General');
      expect(await linkOf(page, 'Birthdays').isVisible()).toBe(false);
      await page.keyboard.press('Enter');
      await press(page, 'Logs');
      await focusAt(page, 'Logs');
      expect(await linkOf(page, 'Birthdays').isVisible()).toBe(false);
      for (const group of ['Birthdays', 'Tickets', 'Moderation']) {
        await settings.openGroup(group);
        await expectNothingCutOff(page);
        expect(await violationsOf(page)).toEqual([]);
      }
      await page.getByRole('button', { name: 'Groups of settings' }).click();
      await expectNothingCutOff(page);
      expect(await violationsOf(page)).toEqual([]);
      await page.getByRole('searchbox').fill('channel');
      await expectNothingCutOff(page);
      expect(await violationsOf(page)).toEqual([]);
    });

    test('say which of them differ from their defaults, and go back to them from a menu', async () => {
      const guild = await world.addGuild('Differs');
      await guild.change(guild.owner, { custom: { volume: 80, announceSongs: false } });
      await using settings = await SettingsPage.open(world, guild, guild.manager);
      const { page } = settings;
      await settings.openGroup('Music');
      expect(await page.getByText('changed from default').count()).toBe(2);
      expect(await page.getByRole('button', { name: /Reset to default/ }).count()).toBe(0);
      const volume = fieldOf(page, 'volume');
      expect(await page.getByLabel('Volume', { exact: true }).count()).toBe(1);
      await page.getByRole('button', { name: 'More for Volume' }).press('Enter');
      await page.getByRole('button', { name: 'Reset to default: 50 %' }).press('Enter');
      expect(await focusedField(page)).toBe('custom.volume');
      expect(await volume.getByRole('textbox').inputValue()).toBe('50');
      expect(await page.getByText('changed from default').count()).toBe(1);
      await settings.saved();
      expect(await customOf(guild)).toMatchObject({ volume: 50, announceSongs: false });
    });

    test('name a feature that is not declared any more as one that is no longer offered', async () => {
      const guild = await world.addGuild('Gone');
      await guild.change(guild.owner, { enabledFeatures: ['polls', 'reminders'] });
      await using settings = await SettingsPage.open(world, guild, guild.manager);
      await settings.openGroup('Features');
      await settings.shows('No longer offered.');
      expect(await settings.page.getByText('Added by the bot').count()).toBe(0);
    });

    test('are on pages for a viewer, too, who sees the values', async () => {
      const guild = await world.addGuild('Viewer');
      await guild.change(guild.owner, { custom: { xpRate: 9 } });
      await guild.call(guild.owner, {
        method: 'PUT',
        path: `${guild.path}/access`,
        body: { entries: [{ subject: `user:${guild.manager.id}`, level: 'viewer' }] },
        headers: { 'if-match': '*' },
      });
      guild.setManagerPermissions(0n);
      await using settings = await SettingsPage.open(world, guild, guild.manager);
      await settings.openGroup('Levels');
      await fieldOf(settings.page, 'xpRate').getByText('9 %').waitFor();
      await fieldOf(settings.page, 'levelsOn').getByText('On', { exact: true }).waitFor();
      expect(await settings.page.locator('main').getByRole('textbox').count()).toBe(0);
    });
  });
});
