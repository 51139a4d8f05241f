import { HAS_BROWSER } from '@guild-settings/discord-sim/testing/browser';
import { GUILDS, PEOPLE } from '@guild-settings/sandbox/world';
import { waitUntil } from '@guild-settings/testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectAccessible, expectNothingCutOff } from './testing/accessible.ts';
import { type DashboardWorld, startDashboardWorld } from './testing/dashboard-world.ts';
import { addBareGuild, addPerson } from './testing/own-guild.ts';
import { errorsOf } from './testing/page-errors.ts';

const PHONE = { viewport: { width: 360, height: 740 } };
const [TESTERS, GAMERS] = GUILDS as readonly [(typeof GUILDS)[0], (typeof GUILDS)[0]];

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

describe.skipIf(!HAS_BROWSER).concurrent('the login and the list of guilds', () => {
  let world: DashboardWorld;
  beforeAll(async () => {
    world = await startDashboardWorld();
  });
  afterAll(() => world?.[Symbol.asyncDispose]());

  test('lead from the first visit to the settings of a guild, on a phone, without an error in the console', async () => {
    await using page = await world.visit('/', PHONE);
    const errors = errorsOf(page);
    await page.getByRole('link', { name: 'Continue with Discord' }).click();
    await page.locator('#person').selectOption(PEOPLE.manager.id);
    await page.locator('#grant').click();
    await heading(page, 'Your servers').waitFor();
    await waitUntil(async () => (await page.title()) === 'Your servers · Guild settings');
    await waitUntil(async () => (await page.getByRole('article').count()) === 3);
    await expectAccessible(page);
    await page.getByRole('link', { name: TESTERS.name, exact: true }).click();
    await heading(page, 'Settings').waitFor();
    expect(new URL(page.url()).pathname).toBe(`/guilds/${TESTERS.id}`);
    await page.setViewportSize(PHONE.viewport);
    await expectNothingCutOff(page);
    // As after a new document: the next Tab goes on from the heading.
    await waitUntil(async () => (await page.evaluate('document.activeElement.textContent')) === 'Settings');
    await page.goBack();
    await heading(page, 'Your servers').waitFor();
    expect(errors).toStrictEqual([]);
  });

  test('start where the person was sent to', async () => {
    await using page = await world.open(PEOPLE.manager, `/guilds/${GAMERS.id}/history`);
    expect(page.url()).toBe(`${world.dashboardUrl}/guilds/${GAMERS.id}/history`);
  });

  test.each([
    ['failed', /could not log you in/],
    ['expired', /took too long/],
  ])('say that a login has %s', async (outcome, text) => {
    await using page = await world.visit(`/?login=${outcome}`);
    await page.getByRole('alert').getByText(text).waitFor();
    await expectAccessible(page);
  });

  test('say what a refusal at Discord means, and ask again', async () => {
    await using page = await world.visit('/');
    await page.getByRole('link', { name: 'Continue with Discord' }).click();
    await page.locator('#person').selectOption(PEOPLE.manager.id);
    await page.locator('#deny').click();
    await page
      .getByRole('alert')
      .getByText(/You did not allow it/)
      .waitFor();
    await page.getByRole('link', { name: 'Continue with Discord' }).waitFor();
    await expectAccessible(page);
  });

  test.each([
    ['en-GB', 'en-US', 'The settings of your Discord servers'],
    ['hi-IN', 'hi', 'आपके Discord सर्वरों की सेटिंग्स'],
    ['ru', 'ru', 'Настройки ваших серверов Discord'],
    ['ja-JP', 'ja', 'Discordサーバーの設定'],
    ['es-MX', 'es-ES', 'Los ajustes de tus servidores de Discord'],
    ['fr-FR', 'en-US', 'The settings of your Discord servers'],
  ])('are in the language of a browser for %s, on the narrowest screen', async (locale, language, name) => {
    await using page = await world.visit('/', { locale, viewport: { width: 320, height: 640 } });
    await heading(page, name).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe(language);
    await expectNothingCutOff(page);
  });

  test('are in the language and the colours that the person has chosen, also at the next visit', async () => {
    await using page = await world.visit('/');
    await page.getByRole('button', { name: 'Language and appearance' }).click();
    await page.getByLabel('Appearance', { exact: true }).selectOption('dark');
    await page.getByLabel('Language', { exact: true }).selectOption('ja');
    await heading(page, 'Discordサーバーの設定').waitFor();
    await page.reload();
    await heading(page, 'Discordサーバーの設定').waitFor();
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
  });

  test('find a guild among many, without regard to accents', async () => {
    const owner = addPerson(world.discord, 'Rosa');
    const names = ['Chess', 'Garden', 'Café Olé', 'Radio', 'Rowing', 'Choir', 'Books', 'Maps'];
    for (const name of names) addBareGuild(world.discord, { name, owner });
    await using page = await world.open(owner, '/');
    await page.getByRole('searchbox', { name: 'Search servers' }).fill('cafe ole');
    await page.getByRole('status').getByText('1 server', { exact: true }).waitFor();
    expect(await page.getByRole('article').getByRole('heading').allTextContents()).toStrictEqual(['Café Olé']);
    await expectAccessible(page);
    await page.getByRole('searchbox').fill('nothing like it');
    await page.getByText('No server is called “nothing like it”.').waitFor();
    await page.getByRole('searchbox').press('Escape');
    await waitUntil(async () => (await page.getByRole('article').count()) === 8);
  });

  test('explain to a person without guilds what is needed', async () => {
    await using page = await world.open(PEOPLE.stranger, '/');
    await page.getByRole('heading', { name: 'No servers to manage' }).waitFor();
    await expectAccessible(page);
  });

  test('invite the bot where it is absent, and open the settings by themselves when it has joined', async () => {
    const owner = addPerson(world.discord, 'Rosa');
    const guild = addBareGuild(world.discord, { name: 'Rowing club', owner });
    await using page = await world.open(owner, '/');
    const invitation = page.getByRole('link', { name: 'Invite the bot to Rowing club' });
    const address = new URL((await invitation.getAttribute('href')) ?? '');
    expect(Object.fromEntries(address.searchParams)).toMatchObject({
      guild_id: guild.id,
      client_id: expect.any(String),
    });
    await page.goto(`${world.dashboardUrl}/guilds/${guild.id}`);
    await heading(page, 'The bot is not on this server').waitFor();
    await expectAccessible(page);
    world.discord.world.addBotToGuild(guild.id);
    await heading(page, 'Settings').waitFor();
  });

  test('say at an address that does not exist that there is nothing', async () => {
    await using page = await world.open(PEOPLE.manager, '/nothing/here');
    await heading(page, 'There is nothing here').waitFor();
    await expectAccessible(page);
  });

  test('say that the device is offline, and go on by themselves', async () => {
    await using page = await world.open(PEOPLE.manager, `/guilds/${TESTERS.id}`);
    await page.getByLabel('Prefix', { exact: true }).waitFor();
    await page.context().setOffline(true);
    await page.getByRole('link', { name: 'Guild settings' }).click();
    await page.getByRole('link', { name: GAMERS.name, exact: true }).click();
    await page.getByRole('heading', { name: 'You are offline' }).waitFor();
    await expectAccessible(page);
    await page.context().setOffline(false);
    await page.getByLabel('Prefix', { exact: true }).waitFor();
  });

  test('log out: the next visit begins at the login', async () => {
    await using page = await world.open(PEOPLE.manager, '/');
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByRole('link', { name: 'Continue with Discord' }).waitFor();
    await page.goto(`${world.dashboardUrl}/sessions`);
    await page.getByText('Log in to open the page that you were sent.').waitFor();
  });
});
