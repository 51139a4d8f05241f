import { readFile } from 'node:fs/promises';
import { HAS_BROWSER } from '@guild-settings/discord-sim/testing/browser';
import { GUILDS, PEOPLE, tokenOf } from '@guild-settings/sandbox/world';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectAccessible, expectNothingCutOff } from './testing/accessible.ts';
import { type DashboardWorld, startDashboardWorld } from './testing/dashboard-world.ts';

const [FIRST, SECOND = FIRST] = GUILDS;
const LANGUAGES = ['en-US', 'es-ES', 'ru', 'ja', 'hi'] as const;

describe.skipIf(!HAS_BROWSER)('on the dashboard', () => {
  let world: DashboardWorld;
  let page: Page;
  beforeAll(async () => {
    world = await startDashboardWorld();
    page = await world.open(PEOPLE.owner, `/guilds/${FIRST.id}/transfer`);
  });
  afterAll(() => world?.[Symbol.asyncDispose]());

  const go = (path: string) => page.goto(`${world.dashboardUrl}${path}`);
  const choose = (content: string | Buffer, name = 'settings.json') =>
    page
      .locator('input[type=file]')
      .setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(content) });

  async function settingsOf(guild: string, patch?: object) {
    const response = await fetch(`${world.apiUrl}/guilds/${guild}`, {
      headers: { authorization: `Bearer ${tokenOf('owner')}`, 'content-type': 'application/json' },
      ...(patch && { method: 'PATCH', body: JSON.stringify(patch) }),
    });
    expect(response.status).toBe(200);
    return (await response.json()) as Record<string, unknown>;
  }

  test('an export of one guild is imported into another, with what cannot exist there named before', async () => {
    const exported = { prefix: '>>', language: 'ja', announcement_channel: FIRST.channels.announcements };
    await settingsOf(FIRST.id, exported);
    await go(`/guilds/${FIRST.id}/transfer`);
    await page.getByRole('switch', { name: 'With the history' }).check();
    const started = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    const download = await started;
    expect(download.suggestedFilename()).toMatch(
      new RegExp(`^guild-settings-${FIRST.id}-\\d{4}-\\d\\d-\\d\\d\\.json$`),
    );
    const file = await readFile(await download.path());
    expect(JSON.parse(file.toString())).toMatchObject({ version: 1, settings: exported, history: { complete: true } });

    await go(`/guilds/${SECOND.id}/transfer`);
    await choose(file);
    await page.getByText(`Exported from ${FIRST.name} (${FIRST.id})`).waitFor();
    expect(await page.getByRole('row').allTextContents()).toStrictEqual([
      'SettingBeforeAfter',
      'Prefix!>>',
      'LanguageAmerican EnglishJapanese',
    ]);
    expect(await page.locator('li', { has: page.locator('code') }).allTextContents()).toStrictEqual([
      'announcement_channel: The channel belongs to the server that was exported. Choose one of this server in the settings.',
      'history: Changes are not imported, because their authors cannot be proven.',
    ]);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByRole('link', { name: 'Show the change' }).click();
    await page.getByText('Ольга (you) imported settings').waitFor();
    expect(await settingsOf(SECOND.id)).toMatchObject({ prefix: '>>', language: 'ja', announcement_channel: '' });

    await go(`/guilds/${SECOND.id}/transfer`);
    await choose(file);
    await page.getByText('There is nothing to import.').first().waitFor();
  });

  test('what has changed since the preview is shown before anything is imported', async () => {
    await go(`/guilds/${SECOND.id}/transfer`);
    await choose(JSON.stringify({ version: 1, guild: SECOND.id, settings: { prefix: '~' } }));
    await page.getByRole('cell', { name: '~' }).waitFor();
    await settingsOf(SECOND.id, { beta: true });
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText('Nothing was imported yet.').waitFor();
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText('The settings were imported.').first().waitFor();
    expect(await settingsOf(SECOND.id)).toMatchObject({ prefix: '~', beta: true });
  });

  test('a wrong file changes nothing and says what is wrong, value by value', async () => {
    await go(`/guilds/${SECOND.id}/transfer`);
    const alert = page.getByRole('alert');
    await choose('prefix=?', 'settings.ini');
    await alert.getByText('The file is not JSON').waitFor();
    await choose('{"prefix":"?"}');
    await alert.getByText('it has no "version"').waitFor();
    await choose(Buffer.alloc(3 * 1024 * 1024, ' '), 'film.mp4');
    await alert.getByText('The file has 3 MB. An export has at most 2 MB.').waitFor();
    await choose(JSON.stringify({ version: 1, guild: 'mine', settings: { prefix: 'x'.repeat(21), beta: 'yes' } }));
    await alert.getByText('/settings/beta').waitFor();
    expect(await alert.getByRole('listitem').allTextContents()).toStrictEqual([
      '/guild: expected a guild id: 17 to 19 decimal digits',
      '/settings/prefix: expected at most 20 characters, received 21',
      expect.stringMatching(/^\/settings\/beta: .*expected boolean/),
    ]);
    await expectAccessible(page);
  });

  test('all settings and the history are erased after the name of the guild was typed', async () => {
    await settingsOf(FIRST.id, { prefix: '?' });
    await go(`/guilds/${FIRST.id}/danger`);
    const field = page.getByLabel('Type the name of the server to confirm');
    await page.getByText(`confirm: ${FIRST.name}`).waitFor();
    await field.fill('another name');
    await page.getByRole('button', { name: 'Erase everything' }).click();
    await page.getByText('That is not the name of the server.').waitFor();
    await expectAccessible(page);
    expect(await settingsOf(FIRST.id)).toMatchObject({ prefix: '?' });
    await field.fill(` ${FIRST.name} `);
    await field.press('Enter');
    await page.getByRole('heading', { name: 'Everything is erased' }).waitFor();
    await expectAccessible(page);
    expect(await settingsOf(FIRST.id)).toMatchObject({ prefix: '!', language: 'en-US' });
    await page.getByRole('link', { name: 'History' }).click();
    await page.getByRole('heading', { name: 'No changes yet' }).waitFor();
    await expectAccessible(page);
  });

  test('a manager who is not the owner cannot erase, and sees the history empty itself when the owner does', async () => {
    const manager = await world.open(PEOPLE.manager, `/guilds/${SECOND.id}/danger`);
    await manager.getByText('Only the owner of the server can erase its settings.').waitFor();
    expect(await manager.getByRole('button', { name: 'Erase everything' }).count()).toBe(0);
    await manager.getByRole('link', { name: 'History' }).click();
    await manager.getByText('New changes appear here by themselves.').waitFor();
    const response = await fetch(`${world.apiUrl}/guilds/${SECOND.id}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${tokenOf('owner')}`, 'if-match': '*' },
    });
    expect(response.status).toBe(204);
    await manager.getByRole('heading', { name: 'No changes yet' }).waitFor();
    await manager.context().close();
  });

  test.each(LANGUAGES)('every page fits into 360 pixels in %s', async (language) => {
    await page.evaluate(`localStorage.setItem('language', '${language}')`);
    for (const path of ['history', 'transfer', 'danger']) {
      await page.setViewportSize({ width: 360, height: 740 });
      await go(`/guilds/${FIRST.id}/${path}`);
      await page.locator('main h1').waitFor();
      expect(await page.locator('html').getAttribute('lang')).toBe(language);
      await expectNothingCutOff(page);
    }
    // The name is there when everything is.
    await page.locator('form').getByText(FIRST.name).waitFor();
    await expectAccessible(page);
  });

  test('a person sees where they are logged in, ends one of the sessions, and then all', async () => {
    await page.evaluate('localStorage.clear()');
    const other = await world.open(PEOPLE.owner, '/sessions');
    await go('/sessions');
    await page.getByText('This browser').waitFor();
    expect(await page.locator('main li').count()).toBe(2);
    await expectAccessible(page);
    await page
      .getByRole('button', { name: /^End the session/ })
      .last()
      .click();
    await expect.poll(() => page.locator('main li').count()).toBe(1);
    await other
      .getByRole('button', { name: /^End the session/ })
      .first()
      .click();
    await other.getByText('Your session has ended').waitFor();

    await page.getByRole('button', { name: 'End all sessions' }).click();
    const question = page.getByRole('alertdialog');
    await question.getByText('You are logged out everywhere').waitFor();
    await expectAccessible(page);
    await question.getByRole('button', { name: 'End all sessions' }).click();
    await page.getByText('Your session has ended').waitFor();
    await expectAccessible(page);
  });
});
