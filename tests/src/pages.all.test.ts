import { readFile } from 'node:fs/promises';
import { HAS_BROWSER, startBrowser } from '@guild-settings/discord-sim/testing/browser';
import { GUILDS, PEOPLE, tokenOf } from '@guild-settings/discord-sim/testing/world';
import type { Browser, ConsoleMessage, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BotSandbox, startBotSandbox } from './testing/test-sandbox.ts';

const [TESTERS] = GUILDS;

/** The pages that `start` prints, as seen in Chromium. */
describe.skipIf(!HAS_BROWSER)('in a browser', () => {
  let sandbox: BotSandbox;
  let browser: WatchingBrowser;
  beforeAll(async () => {
    [sandbox, browser] = await Promise.all([startBotSandbox(), startWatchingBrowser()]);
  });
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await sandbox?.[Symbol.asyncDispose]();
  });

  test('the address of the api shows its documentation, where the token of a first request is filled in', async () => {
    const { page, errors } = await browser.open(sandbox.apiUrl);
    expect(new URL(page.url()).pathname).toBe('/docs');
    const { version } = JSON.parse(await readFile(new URL('../../apps/api/package.json', import.meta.url), 'utf8'));
    await page.getByText(`v${version}`, { exact: true }).first().waitFor();
    await page.getByText('Selected Auth Type: discord').first().waitFor({ state: 'attached' });
    // Otherwise browsers with a window request /favicon.ico, which is a 404.
    expect(await page.locator('link[rel=icon]').getAttribute('href')).toBe('data:,');
    const commands = page.locator('.markdown pre code');
    await commands.first().waitFor();
    expect(await commands.evaluateAll((all) => all.map((one) => one.scrollWidth - one.clientWidth))).toStrictEqual([
      0, 0,
    ]);
    const sidebar = page.getByRole('complementary', { name: /^Sidebar/ });
    expect(
      await sidebar
        .getByRole('button', { name: / Group - / })
        .first()
        .ariaSnapshot(),
    ).toContain('guilds');
    await sidebar.getByRole('link', { name: /^Get guild information/ }).click();
    await page.getByRole('button', { name: 'Test Request (get /guilds/{guild})', exact: true }).click();
    await page.getByRole('button', { name: /^Send get request/ }).click();
    await page.getByRole('link', { name: '200 OK' }).waitFor();
    expect(errors).toStrictEqual([]);
  });

  test('the page of a problem has no error', async () => {
    const { page, errors } = await browser.open(`${sandbox.apiUrl}/problems/not-guild-manager`);
    expect(await page.locator('link[rel=icon]').getAttribute('href')).toBe('data:,');
    expect(errors).toStrictEqual([]);
  });

  test('the chat opens as Mika in Discord Testers, where /help is answered whatever the prefix is', async () => {
    const { page, errors } = await browser.open(sandbox.discord.chatUrl);
    await page.getByRole('heading', { name: '#general' }).waitFor();
    expect(await page.getByLabel('You are').inputValue()).toBe(PEOPLE.manager.id);
    expect(await page.getByLabel('Server').inputValue()).toBe(TESTERS.id);
    const answers = page.getByRole('log').getByText('Lists the commands');
    const askForHelp = async () => {
      const before = await answers.count();
      await page.getByRole('combobox', { name: /Message/ }).fill('/help');
      await page.getByRole('option', { name: '/help' }).click();
      await page.locator('#command').getByRole('button', { name: 'Send' }).click();
      await answers.nth(before).waitFor();
    };
    await askForHelp();
    await fetch(`${sandbox.apiUrl}/guilds/${TESTERS.id}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${tokenOf('manager')}`, 'content-type': 'application/json' },
      body: '{"prefix":"?"}',
    });
    await askForHelp();
    expect(errors).toStrictEqual([]);
  });
});

/** A page with its failures: console errors and warnings, exceptions, and requests that failed or were refused. */
interface WatchedPage {
  readonly page: Page;
  readonly errors: readonly string[];
}

interface WatchingBrowser extends AsyncDisposable {
  /** Opens a page in its own profile. */
  open(url: string): Promise<WatchedPage>;
}

async function startWatchingBrowser(): Promise<WatchingBrowser> {
  const browser = await startBrowser();
  return { open: (url) => open(browser, url), [Symbol.asyncDispose]: () => browser.close() };
}

async function open(browser: Browser, url: string): Promise<WatchedPage> {
  const page = await browser.newPage();
  const errors: string[] = [];
  page.on('console', (message: ConsoleMessage) => {
    if (['error', 'warning'].includes(message.type())) errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('requestfailed', (request) => errors.push(`${request.url()}: ${request.failure()?.errorText}`));
  page.on('response', (response) => {
    if (response.status() >= 400) errors.push(`${response.url()}: ${response.status()}`);
  });
  await page.goto(url);
  return { page, errors };
}
