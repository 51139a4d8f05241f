import { HAS_BROWSER, startBrowser } from '@guild-settings/discord-sim/testing/browser';
import { GUILDS, PEOPLE, tokenOf } from '@guild-settings/discord-sim/testing/world';
import { readSandboxConfig, startSandbox } from '@guild-settings/sandbox';
import { ResourceStack, temporaryFolder } from '@guild-settings/testing';
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { errorsOf, newProfile } from './testing/dashboard-pages.ts';
import { test } from './testing/dashboard-world.ts';
import { addPerson, type OwnGuild } from './testing/own-guild.ts';
import { SettingsPage } from './testing/settings-page.ts';

async function openDiscord(page: Page, chatUrl: string, { id, manager }: OwnGuild, channel: string): Promise<void> {
  await page.goto(chatUrl);
  await page.getByLabel('You are').selectOption(manager.id);
  await page.getByLabel('Server').selectOption(id);
  await page.getByRole('button', { name: channel }).click();
  await page.getByRole('heading', { name: `#${channel}` }).waitFor();
}

describe.skipIf(!HAS_BROWSER)('a newcomer', () => {
  test('goes from the login to a change, its undo and an announcement, by what the page and the bot show', async ({
    world,
  }) => {
    const { discord } = world;
    const guild = await world.addGuild('First steps');
    const general = addPerson(discord, 'General').id;
    discord.world.addChannel({ id: general, guildId: guild.id, name: 'general', position: 3 });
    await using page = await world.visit('/');
    const errors = errorsOf(page);

    await page.getByRole('link', { name: 'Continue with Discord' }).click();
    await page.getByLabel('You are').selectOption(guild.manager.id);
    await page.getByRole('button', { name: 'Authorize' }).click();
    await page.getByRole('heading', { name: 'Your servers' }).waitFor();
    await page.getByRole('link', { name: guild.name, exact: true }).click();
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
    const settings = new SettingsPage(page);
    await settings.live();

    const choose = async (channel: string) => {
      await settings.channel.click();
      await page.getByRole('option', { name: channel }).click();
      await settings.saved();
    };
    await choose('#announcements');
    await page.getByRole('button', { name: 'Undo' }).click();
    await settings.shows(/^Undone\. Live on this server/);
    await choose('#announcements');
    expect(await guild.record()).toMatchObject({ announcement_channel: guild.channels.announcements });

    // The page names a command of the bot, which lists the others and links to the page.
    await page.getByText('“!help”').waitFor();
    const chat = await page.context().newPage();
    await openDiscord(chat, discord.chatUrl, guild, 'general');
    const [log, message] = [chat.getByRole('log'), chat.getByRole('combobox', { name: /^Message/ })];
    await message.fill('!help');
    await message.press('Enter');
    await log.getByText(/!announce.* – Posts in the channel for announcements/).waitFor();
    expect(await log.getByRole('link').last().getAttribute('href')).toBe(page.url());

    await message.fill('/announce');
    await chat.getByRole('option', { name: '/announce' }).click();
    await chat.getByRole('region', { name: 'Write' }).getByRole('button', { name: 'Send' }).click();
    const form = chat.getByRole('dialog', { name: 'New announcement' });
    await form.getByRole('textbox', { name: 'What to announce' }).fill('Tea at five');
    await form.getByRole('button', { name: 'Submit' }).click();
    await log.getByText('Preview for #announcements').waitFor();
    await log.getByRole('button', { name: 'Post' }).click();
    await log.getByText('Posted in #announcements').waitFor();
    await chat.getByRole('button', { name: 'announcements' }).click();
    await log.getByText('Tea at five').waitFor();
    expect(errors).toStrictEqual([]);
  });
});

describe.skipIf(!HAS_BROWSER)('a newcomer with `start`', () => {
  test('finds the changes of two people, and sees in the first tab what Ольга changes in the second', async () => {
    using folder = temporaryFolder();
    const config = readSandboxConfig({
      PORT: '0',
      SIM_PORT: '0',
      HEALTH_PORT: '0',
      DATABASE_URL: `file:${folder.file('api.db')}`,
      BOT_DATABASE_URL: `file:${folder.file('bot.db')}`,
    });
    await using sandbox = await startSandbox(config, { hasFirstChanges: true });
    await using resources = new ResourceStack();
    const browser = await startBrowser();
    resources.use({ [Symbol.asyncDispose]: () => browser.close() });
    const profile = await newProfile(browser);
    const { id, name } = GUILDS[0];
    const page = await profile.newPage();
    const errors = errorsOf(page);

    await page.goto(sandbox.dashboardUrl ?? '');
    await page.getByRole('link', { name: 'Continue with Discord' }).click();
    await page.getByLabel('You are').selectOption(PEOPLE.manager.id);
    await page.getByRole('button', { name: 'Authorize' }).click();
    await page.getByRole('link', { name, exact: true }).click();
    const settings = new SettingsPage(page);
    await settings.live();
    await expect.poll(() => settings.channel.inputValue()).toMatch(/^Unknown channel/);
    await page.getByRole('link', { name: 'History' }).click();
    await page.getByText(/Ольга undid change/).waitFor();
    await page.getByText(/Mika.* changed the prefix/).waitFor();
    await page.getByRole('link', { name: 'Settings' }).click();
    await settings.live();

    const tab = await profile.newPage();
    const errorsOfTab = errorsOf(tab);
    await tab.goto(sandbox.secondTabUrl ?? '');
    await tab.getByRole('link', { name, exact: true }).click();
    const other = new SettingsPage(tab);
    await other.live();
    await other.prefix.fill('%');
    await other.saved();
    await expect.poll(() => settings.prefix.inputValue()).toBe('%');
    await page.reload();
    await settings.live();
    await settings.prefix.fill('$');
    await settings.saved();
    const response = await fetch(`${sandbox.apiUrl}/guilds/${id}/history?limit=2`, {
      headers: { authorization: `Bearer ${tokenOf('owner')}` },
    });
    expect(await response.json()).toMatchObject({
      entries: [{ actor: { id: PEOPLE.manager.id } }, { actor: { id: PEOPLE.owner.id } }],
    });
    expect([...errors, ...errorsOfTab]).toStrictEqual([]);
  });
});
