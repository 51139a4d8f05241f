import { readFile } from 'node:fs/promises';
import { HAS_BROWSER } from '@guild-settings/discord-sim/testing/browser';
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { ARRIVAL } from './testing/dashboard-pages.ts';
import { type DashboardWorld, test } from './testing/dashboard-world.ts';
import type { OwnGuild } from './testing/own-guild.ts';

const choose = (page: Page, content: string | Buffer, name = 'settings.json') =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(content) });

describe.skipIf(!HAS_BROWSER).concurrent('on the dashboard', () => {
  let world: DashboardWorld;
  test.beforeAll(({ world: shared }) => {
    world = shared;
  });

  const open = (guild: OwnGuild, path: 'transfer' | 'danger') => world.open(guild.owner, `${guild.path}/${path}`);

  test('an export of one guild is imported into another, with what cannot exist there named before', async () => {
    const first = await world.addGuild('Origin');
    const second = await world.addGuild('Destination', { owner: first.owner });
    const exported = { prefix: '>>', language: 'ja', announcement_channel: first.channels.announcements };
    await first.change(first.owner, exported);
    await using page = await open(first, 'transfer');
    await page.getByRole('switch', { name: 'With the history' }).check();
    const started = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    const download = await started;
    expect(download.suggestedFilename()).toMatch(
      new RegExp(`^guild-settings-${first.id}-\\d{4}-\\d\\d-\\d\\d\\.json$`),
    );
    const file = await readFile(await download.path());
    expect(JSON.parse(file.toString())).toMatchObject({ version: 1, settings: exported, history: { complete: true } });

    await page.goto(`${world.url}${second.path}/transfer`);
    await choose(page, file);
    await page.getByText(`Exported from ${first.name} (${first.id})`).waitFor();
    expect(await page.getByRole('row').allTextContents()).toStrictEqual([
      'SettingBeforeAfter',
      'Prefix!>>',
      'LanguageEnglishJapanese',
    ]);
    expect(await page.locator('li', { has: page.locator('code') }).allTextContents()).toStrictEqual([
      'announcement_channel: The channel belongs to another server. Choose one of this server in the settings.',
      'access: Access is not imported. A manager of this server decides it.',
      'history: Changes are not imported, because their authors cannot be verified.',
    ]);
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page
      .getByText(new RegExp(`The settings were imported\\. ${ARRIVAL}`))
      .first()
      .waitFor();
    await page.getByRole('link', { name: 'Show the change' }).click();
    await page.getByText('Ольга (you) imported settings').waitFor();
    expect(await second.record()).toMatchObject({ prefix: '>>', language: 'ja', announcement_channel: '' });

    await page.goto(`${world.url}${second.path}/transfer`);
    await choose(page, file);
    await page.getByText('There is nothing to import.').first().waitFor();
  });

  test('what has changed since the preview is shown before anything is imported', async () => {
    const guild = await world.addGuild('Preview');
    await using page = await open(guild, 'transfer');
    await choose(page, JSON.stringify({ version: 1, guild: guild.id, settings: { prefix: '~' } }));
    await page.getByRole('cell', { name: '~' }).waitFor();
    await guild.change(guild.owner, { beta: true });
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText('Nothing was imported yet.').waitFor();
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText('The settings were imported.').first().waitFor();
    expect(await guild.record()).toMatchObject({ prefix: '~', beta: true });
  });

  test('all settings and the history are erased after the name of the guild was typed', async () => {
    const guild = await world.addGuild('Old club');
    await guild.change(guild.owner, { prefix: '?' });
    await using page = await world.open(guild.owner, guild.path);
    await page.getByRole('link', { name: 'Erase…' }).click();
    const field = page.getByLabel('Type the name of the server');
    await page.getByText(`confirm: ${guild.name}`).waitFor();
    await field.fill('another name');
    await page.getByRole('button', { name: 'Erase everything' }).click();
    await page.getByText('That is neither the name of the server nor its ID.').waitFor();
    expect(await guild.record()).toMatchObject({ prefix: '?' });
    await field.fill(` ${guild.name} `);
    await field.press('Enter');
    await page.getByRole('heading', { name: 'Everything is erased' }).waitFor();
    await page.locator('main').getByText(new RegExp(ARRIVAL)).waitFor();
    expect(await guild.record()).toMatchObject({ prefix: '!', language: 'en-US' });
    await page.getByRole('link', { name: 'History' }).click();
    await expectReportAlone(page);
  });

  test('the page of another guild, reached by the history of the browser, does not say that this one is erased', async () => {
    const first = await world.addGuild('First club');
    const second = await world.addGuild('Second club', { owner: first.owner });
    await first.change(first.owner, { prefix: '?' });
    await using page = await open(first, 'danger');
    const field = page.getByLabel('Type the name of the server');
    await field.waitFor();
    await page.getByRole('button', { name: 'Switch server' }).click();
    await page.getByRole('link', { name: second.name }).click();
    // Until the other guild is loaded, the page has the links of this one.
    await page.locator(`a[href="${second.path}/danger"]`).click();
    await page.getByText(`confirm: ${second.name}`).waitFor();
    await field.fill(second.name);
    await field.press('Enter');
    await page.getByRole('heading', { name: 'Everything is erased' }).waitFor();
    await page.evaluate('history.go(-2)');
    await page.waitForURL(`**${first.path}/danger`);
    await page.getByText(`confirm: ${first.name}`).waitFor();
    expect(await page.getByRole('heading', { name: 'Everything is erased' }).count()).toBe(0);
    expect(await first.record()).toMatchObject({ prefix: '?' });
  });

  test('a manager who is not the owner cannot erase, and sees the history begin anew when the owner does', async () => {
    const guild = await world.addGuild('Not mine');
    await guild.change(guild.owner, { prefix: '?' });
    await using page = await world.open(guild.manager, `${guild.path}/danger`);
    await page.getByText('Only the owner of this server can erase its settings and history.').waitFor();
    expect(await page.getByRole('button', { name: 'Erase everything' }).count()).toBe(0);
    expect(await page.getByText('What is erased').count()).toBe(0);
    await page.getByRole('link', { name: 'Settings', exact: true }).click();
    await page.locator('[data-live=live]').waitFor();
    expect(await page.getByRole('link', { name: 'Erase…' }).count()).toBe(0);
    await page.getByRole('link', { name: 'History' }).click();
    await page.getByText('Updates in real time').waitFor();
    await guild.erase();
    await expectReportAlone(page);
  });
});

/** Expects a history with only the report of the bot that is in the guild. */
async function expectReportAlone(page: Page): Promise<void> {
  await page.getByText('The bot was added to this server').waitFor();
  await page.getByText('This is the oldest change on record.').waitFor();
  expect(await page.locator('[data-revision]').count()).toBe(1);
}
