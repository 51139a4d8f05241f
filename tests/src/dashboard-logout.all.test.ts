import { HAS_BROWSER } from '@guild-settings/discord-sim/testing/browser';
import { waitUntil } from '@guild-settings/testing';
import { describe, expect } from 'vitest';
import { logIn } from './testing/dashboard-pages.ts';
import { type DashboardWorld, test } from './testing/dashboard-world.ts';
import { addPerson } from './testing/own-guild.ts';
import { SettingsPage, SMALL } from './testing/settings-page.ts';

describe.skipIf(!HAS_BROWSER).concurrent('the end of a session that a person ends', () => {
  let world: DashboardWorld;
  test.beforeAll(({ world: shared }) => {
    world = shared;
  });

  test('logging out ends the drafts of all tabs of the browser: of one that is open, and of one that is opened again', async () => {
    const guild = await world.addGuild('Drafts elsewhere');
    await using first = await SettingsPage.open(world, guild, guild.manager, SMALL);
    const [open, left] = [await first.anotherTab(), await first.anotherTab()];
    for (const tab of [open, left]) {
      await tab.prefix.fill('~');
      await tab.shows('1 unsaved change');
    }
    // The tab still exists with its storage, but without a page that could receive events.
    left.page.once('dialog', (dialog) => void dialog.accept());
    await left.page.goto('about:blank');
    await first.page.getByRole('button', { name: 'Your account' }).click();
    await first.page.getByRole('button', { name: 'Log out' }).click();
    await first.page.getByRole('alertdialog').getByRole('button', { name: 'Log out' }).click();
    const login = open.page.getByRole('link', { name: 'Continue with Discord' });
    await login.waitFor();
    expect(await open.page.evaluate('Object.keys(sessionStorage).join()')).not.toContain('draft:');
    await logIn(first.page.context(), { url: world.url, personId: guild.manager.id });
    for (const tab of [open, left]) {
      await tab.page.goto(`${world.url}${guild.path}`);
      await tab.live();
      expect(await tab.prefix.inputValue()).toBe('!');
      expect(await tab.page.evaluate('Object.keys(sessionStorage).join()')).not.toContain('draft:');
    }
    // Drafts after the logout are kept like before it.
    await open.prefix.fill('?');
    open.page.once('dialog', (dialog) => void dialog.accept());
    await open.page.reload();
    await open.live();
    expect(await open.prefix.inputValue()).toBe('?');
  });

  test('a logout asks about the drafts of other tabs, as long as they are open and have any', async () => {
    const guild = await world.addGuild('Draft in another tab');
    await using first = await SettingsPage.open(world, guild, guild.manager, SMALL);
    const [second, third] = [await first.anotherTab(), await first.anotherTab()];
    const tabsWithDrafts = async () => Number(await first.page.evaluate(COUNT_LOCKS));
    for (const tab of [second, third]) await tab.prefix.fill('~');
    await waitUntil(async () => (await tabsWithDrafts()) === 2);
    await second.page.getByRole('button', { name: 'Discard' }).click();
    third.page.once('dialog', (dialog) => void dialog.accept());
    await third.page.reload();
    await third.live();
    await waitUntil(async () => (await tabsWithDrafts()) === 1);
    const question = first.page.getByRole('alertdialog', { name: 'Log out with unsaved changes?' });
    await first.page.getByRole('button', { name: 'Your account' }).click();
    await first.page.getByRole('button', { name: 'Log out' }).click();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await third.page.close();
    await waitUntil(async () => (await tabsWithDrafts()) === 0);
    await first.page.getByRole('button', { name: 'Log out' }).click();
    await first.page.getByRole('link', { name: 'Continue with Discord' }).waitFor();
  });

  test('ending the own session in the list is a logout: it asks about drafts, and ends them', async () => {
    const guild = await world.addGuild('Ended in the list');
    await using settings = await SettingsPage.open(world, guild, guild.manager, SMALL);
    const { page } = settings;
    const kept = () => page.evaluate('Object.keys(sessionStorage).join()');
    await settings.prefix.fill('~');
    await settings.shows('1 unsaved change');
    page.once('dialog', (dialog) => void dialog.accept());
    await page.goto(`${world.url}/sessions`);
    await page.getByRole('button', { name: 'End all sessions' }).click();
    const question = page.getByRole('alertdialog');
    await question.getByText('Unsaved changes are discarded.').waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    const own = page.getByRole('listitem').filter({ hasText: 'This browser' });
    await own.getByRole('button', { name: /^End the session/ }).click();
    await question.getByText('Logging out discards them.').waitFor();
    expect(await kept()).toContain('draft:');
    await question.getByRole('button', { name: 'Log out' }).click();
    await settings.shows('Your session has ended');
    expect(await kept()).not.toContain('draft:');
  });

  test('a person sees where they are logged in, ends one of the sessions, and then all', async () => {
    const person = addPerson(world.discord, 'Rosa');
    await using page = await world.open(person, '/sessions');
    await using other = await world.open(person, '/sessions');
    // The list of the tab is loaded before its session ends.
    await other.getByText('This browser').waitFor();
    const sessions = page.locator('main li');
    await page.reload();
    await page.getByText('This browser').waitFor();
    expect(await sessions.count()).toBe(2);
    await page
      .getByRole('button', { name: /^End the session/ })
      .last()
      .click();
    await waitUntil(async () => (await sessions.count()) === 1);
    await other
      .getByRole('button', { name: /^End the session/ })
      .first()
      .click();
    await other.getByText('Your session has ended').waitFor();

    await page.getByRole('button', { name: 'End all sessions' }).click();
    const question = page.getByRole('alertdialog');
    await question.getByText('You will be logged out everywhere').waitFor();
    await question.getByRole('button', { name: 'End all sessions' }).click();
    await page.getByText('Your session has ended').waitFor();
  });
});

/** A script for the browser: returns the number of tabs that keep drafts. */
const COUNT_LOCKS = 'navigator.locks.query().then(({ held }) => held.length)';
