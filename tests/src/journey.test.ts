import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { HAS_BROWSER, startBrowser } from '@guild-settings/discord-sim/testing/browser';
import { readSandboxConfig, startSandbox } from '@guild-settings/sandbox';
import { ResourceStack, temporaryFolder, waitUntil } from '@guild-settings/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorsOf, newProfile, openFirstTab } from './testing/dashboard-pages.ts';
import { expectNothingCutOff } from './testing/looks.ts';
import { addPerson, OwnGuild, PERMISSIONS } from './testing/own-guild.ts';
import { SettingsPage, SMALL } from './testing/settings-page.ts';

const SETTINGS_FILE = fileURLToPath(new URL('../../examples/own-settings/settings.ts', import.meta.url));

/** The service with the page, the bot and a simulated Discord, all in this process, with a browser. */
async function startWorld(resources: ResourceStack) {
  const folder = resources.use(temporaryFolder());
  const config = readSandboxConfig({
    PORT: '0',
    SIM_PORT: '0',
    HEALTH_PORT: '0',
    DATABASE_URL: `file:${folder.file('api.db')}`,
    BOT_DATABASE_URL: `file:${folder.file('bot.db')}`,
    SETTINGS_FILE,
    LOG_LEVEL: 'silent',
  });
  const [sandbox, browser] = await Promise.all([startSandbox(config), startBrowser()]);
  resources.use(sandbox);
  resources.use({ [Symbol.asyncDispose]: () => browser.close() });
  const { simulator: discord, bot, apiUrl: url } = sandbox;
  if (!discord || !bot) throw new Error('Expected all parts of the sandbox');
  return { discord, bot, url, browser };
}

describe.skipIf(!HAS_BROWSER)('a journey in a browser', () => {
  const resources = new ResourceStack();
  let world: Awaited<ReturnType<typeof startWorld>>;
  beforeAll(async () => {
    world = await startWorld(resources);
  });
  afterAll(() => resources[Symbol.asyncDispose]());

  test('from the login to settings that are live, in conflict, undone, shared with a moderator and imported', async () => {
    const { discord, url, browser, bot } = world;
    const guild = await OwnGuild.add({ discord, apiUrl: url, name: 'Journey' });
    const moderator = addPerson(discord, 'Ravi');
    discord.world.addMember(guild.id, moderator.id, { permissions: PERMISSIONS.member });
    await using page = await openFirstTab(await newProfile(browser), url);
    const errors = errorsOf(page);
    const settings = new SettingsPage(page);

    // Login on Discord's page.
    await page.getByRole('link', { name: 'Continue with Discord' }).click();
    await page.getByLabel('You are').selectOption(guild.manager.id);
    await page.getByRole('button', { name: 'Authorize' }).click();
    await page.getByRole('link', { name: guild.name, exact: true }).click();
    await settings.live();

    // A change, which the bot uses.
    await settings.prefix.fill('>');
    await settings.saved();
    expect(bot.settingsOf(guild.id)).toMatchObject({ prefix: '>' });

    // An undo in the place of the save.
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await settings.shows(/^Undone\. Live on this server/);
    expect(await settings.prefix.inputValue()).toBe('?');

    // A conflict with a colleague.
    await settings.prefix.fill('$');
    await guild.change(guild.owner, { prefix: '%', language: 'ja' });
    await settings.shows(new RegExp(`${guild.owner.name} set this to “%” at .+, and you set it to “\\$”.`));
    expect(await settings.language.inputValue()).toBe('ja');
    await page.getByRole('button', { name: 'Keep: “$”' }).click();
    await settings.saved();
    expect(await guild.record()).toMatchObject({ prefix: '$', language: 'ja' });

    // A setting declared by the team.
    await settings.openGroup('Music');
    const volume = page.locator('[data-field="custom.volume"]').getByRole('textbox');
    await volume.fill('70');
    await settings.saved();
    expect(await guild.record()).toMatchObject({ custom: { volume: 70 } });

    // The history, and an undo of an earlier change there.
    const [{ revision = 0 } = {}, ...earlier] = await guild.entries();
    expect(earlier).toHaveLength(4);
    await page.getByRole('link', { name: 'History' }).click();
    await page.getByRole('button', { name: `Undo change #${revision}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Undo the change' }).click();
    await page
      .getByText(new RegExp(`^Change #${revision} was undone\\.`))
      .first()
      .waitFor();
    expect(await guild.record()).toMatchObject({ prefix: '$', custom: { volume: 50 } });

    // Access for a moderator.
    await page.getByRole('link', { name: 'Access' }).click();
    await page.getByRole('combobox', { name: 'Add a role or a member' }).fill('ravi');
    await page.getByRole('option', { name: moderator.name }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved. It applies').first().waitFor();
    const list = await guild.call(moderator, { path: guild.path });
    expect(await list.json()).toMatchObject({ prefix: '$' });

    // An export, and its import after a change.
    await page.getByRole('link', { name: 'Export and import' }).click();
    const started = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    const file = await readFile(await (await started).path());
    await guild.change(guild.owner, { prefix: '~' });
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'settings.json', mimeType: 'application/json', buffer: file });
    await page.getByRole('row', { name: 'Prefix' }).waitFor();
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText('The settings were imported.').first().waitFor();
    await waitUntil(() => bot.settingsOf(guild.id).prefix === '$', { message: 'the bot to have the import' });

    // A change at the width of a phone, without cut-off content.
    await page.setViewportSize(SMALL.viewport);
    await page.getByRole('link', { name: 'Settings', exact: true }).click();
    await settings.beta.click();
    await settings.saved();
    await expectNothingCutOff(page);
    expect(errors).toStrictEqual([]);
  });
});
