import { HAS_BROWSER } from '@guild-settings/discord-sim/testing/browser';
import { GUILDS, PEOPLE } from '@guild-settings/discord-sim/testing/world';
import { waitUntil } from '@guild-settings/testing';
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { type DashboardWorld, test } from './testing/dashboard-world.ts';
import { expectNothingCutOff } from './testing/looks.ts';
import { addBareGuild, addPerson } from './testing/own-guild.ts';

const PHONE = { viewport: { width: 360, height: 740 } };
const [TESTERS, GAMERS] = GUILDS as readonly [(typeof GUILDS)[0], (typeof GUILDS)[0]];

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

describe.skipIf(!HAS_BROWSER).concurrent('the login and the list of guilds', () => {
  let world: DashboardWorld;
  test.beforeAll(({ world: shared }) => {
    world = shared;
  });

  test.each([
    ['failed', /could not log you in/],
    ['expired', /took too long/],
  ])('say that a login has %s', async (outcome, text) => {
    await using page = await world.visit(`/?login=${outcome}`);
    await page.getByRole('alert').getByText(text).waitFor();
  });

  test('say in the person’s language that too many logins were begun, also to a person who is logged in', async () => {
    const extraHTTPHeaders = { 'x-forwarded-for': '203.0.113.7' };
    const begin = () => fetch(`${world.url}/login`, { redirect: 'manual', headers: extraHTTPHeaders });
    await using page = await world.open(PEOPLE.manager, '/', { locale: 'ru', extraHTTPHeaders });
    while ((await begin()).status !== 429);
    const refused = await page.goto(`${world.url}/login?to=${encodeURIComponent(`/guilds/${GAMERS.id}`)}`);
    expect(refused?.status()).toBe(429);
    await page.getByRole('alert').getByText('Из вашей сети слишком часто пытались войти').waitFor();
    // Another attempt leads to the same place.
    const again = page.getByRole('link', { name: 'Discord' });
    expect(await again.getAttribute('href')).toBe(`/login?to=${encodeURIComponent(`/guilds/${GAMERS.id}`)}`);
  });

  test('say what a refusal at Discord means, and ask again', async () => {
    await using page = await world.visit('/');
    await page.getByRole('link', { name: 'Continue with Discord' }).click();
    await page.locator('#person').selectOption(PEOPLE.manager.id);
    await page.locator('#deny').click();
    await page
      .getByRole('alert')
      .getByText(/You cancelled at Discord/)
      .waitFor();
    await page.getByRole('link', { name: 'Continue with Discord' }).waitFor();
  });

  test.each([
    ['en-GB', 'en-US', 'Settings for your Discord servers'],
    ['hi-IN', 'hi', 'आपके Discord सर्वरों की सेटिंग्स'],
    ['ru', 'ru', 'Настройки ваших серверов Discord'],
    ['ja-JP', 'ja', 'Discordサーバーの設定'],
    ['es-MX', 'es-ES', 'Los ajustes de tus servidores de Discord'],
    ['fr-FR', 'en-US', 'Settings for your Discord servers'],
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
    const names = ['Chess', 'Garden', 'Café Olé', 'Radio', 'Rowing', 'Choir', 'Books', 'Maps', 'Films', 'Tea'];
    for (const name of names) addBareGuild(world.discord, { name, owner });
    await using page = await world.open(owner, '/');
    await page.getByRole('searchbox', { name: 'Search servers' }).fill('cafe ole');
    await page.getByRole('status').getByText('1 server', { exact: true }).waitFor();
    expect(await page.getByRole('article').getByRole('heading').allTextContents()).toStrictEqual(['Café Olé']);
    await page.getByRole('searchbox').fill('nothing like it');
    await page.getByText('No server is called “nothing like it”.').waitFor();
    await page.getByRole('searchbox').press('Escape');
    await waitUntil(async () => (await page.getByRole('article').count()) === 10);
  });

  test('are there before the router, whose arrival takes nothing of what a person does in the list', async () => {
    const owner = addPerson(world.discord, 'Rosa');
    const { name, path } = await world.addGuild('Room 19', { owner });
    for (let number = 1; number <= 18; number += 1) addBareGuild(world.discord, { name: `Room ${number}`, owner });
    await using page = await world.open(owner, '/sessions', PHONE);
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/assets/pages-*.js', (route) => released.then(() => route.continue()));
    await page.goto(world.url);
    await page.getByRole('searchbox').fill('Room 1');
    await waitUntil(async () => (await page.getByRole('article').count()) === 11);
    await page.evaluate('scrollTo(0, 90); globalThis.isSameDocument = true');
    release();
    const link = page.getByRole('link', { name, exact: true });
    const preloaded = page.waitForRequest(/assets\/guild-/).then(() => true);
    // A link that is likely to be followed loads its page when the router is loaded.
    await waitUntil(async () => {
      await link.dispatchEvent('focusin');
      return Promise.race([preloaded, false]);
    });
    const seen = '[document.querySelector("input").value, document.activeElement.type, scrollY]';
    expect(await page.evaluate(seen)).toStrictEqual(['Room 1', 'search', 90]);
    await link.click();
    await heading(page, 'Settings').waitFor();
    // As after a new document: the next Tab continues from the heading.
    await waitUntil(async () =>
      (await page.evaluate<string>('document.activeElement.textContent')).endsWith('Settings'),
    );
    expect(await page.evaluate('[location.pathname, scrollY, isSameDocument]')).toStrictEqual([path, 0, true]);
    await page.goBack();
    await waitUntil(async () => (await page.evaluate('scrollY')) === 90);
    expect(await page.getByRole('article').count()).toBe(19);
  });

  test('explain to a person without guilds what is needed', async () => {
    await using page = await world.open(PEOPLE.stranger, '/');
    await page.getByRole('heading', { name: 'No servers to manage' }).waitFor();
  });

  test('say of each guild what the person is there, and where something is not saved', async () => {
    const owner = addPerson(world.discord, 'Rosa');
    const guild = await world.addGuild('Book club', { owner });
    addBareGuild(world.discord, { name: 'Choir', owner });
    await using page = await world.open(owner, guild.path);
    await page.locator('[data-field=prefix] input').fill('?');
    await page.locator('header a').first().click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click();
    await heading(page, 'Your servers').waitFor();
    const states = () => page.getByRole('article').locator('p').allTextContents();
    expect(await states()).toStrictEqual(['OwnerUnsaved changes', 'OwnerThe bot is not here yet']);
    await using other = await world.open(guild.manager, '/');
    await other.getByRole('article').getByText('Manager', { exact: true }).waitFor();
    // The line below the header is as wide as the cards.
    const widths = `[getComputedStyle(document.querySelector('header > div'), '::after').inlineSize,
      getComputedStyle(document.querySelector('main h1').parentElement).inlineSize]`;
    const [line, content] = await other.evaluate<string[]>(widths);
    expect(line).toBe(content);
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
    await page.goto(`${world.url}/guilds/${guild.id}`);
    await heading(page, 'The bot is not on this server').waitFor();
    world.discord.world.addBotToGuild(guild.id);
    await heading(page, 'Settings').waitFor();
  });

  test('say that the bot has joined where it was absent, and not on the next guild', async () => {
    const guild = await world.addGuild('With the bot');
    const bare = addBareGuild(world.discord, { name: 'Without the bot', owner: guild.owner });
    await using page = await world.open(guild.owner, `/guilds/${bare.id}`);
    await heading(page, 'The bot is not on this server').waitFor();
    await page.getByRole('button', { name: 'Switch server' }).click();
    await page.getByRole('link', { name: guild.name }).click();
    await page.locator('[data-live=live]').waitFor();
    expect(await page.getByRole('status').allTextContents()).not.toContainEqual(expect.stringContaining(guild.name));
  });

  test('and all other pages have one heading of the first level from the first paint on, also while parts of them load', async () => {
    await using page = await world.open(PEOPLE.manager, '/nothing/here');
    await page.addInitScript(COUNT_TITLES);
    const numbers: Record<string, unknown> = {};
    const guild = `/guilds/${TESTERS.id}`;
    const titles = {
      '/': 'Your servers',
      '/sessions': 'Sessions',
      [guild]: 'Settings',
      [`${guild}/history`]: 'History',
    };
    for (const [path, title] of Object.entries(titles)) {
      await page.goto(`${world.url}${path}`);
      await heading(page, title).waitFor();
      numbers[path] = await page.evaluate('[...titles]');
    }
    for (const [name, title] of Object.entries(TABS)) {
      await page.getByRole('link', { name, exact: true }).click();
      await heading(page, title).waitFor();
      numbers[name] = await page.evaluate('[...titles]');
    }
    const pages = [...Object.keys(titles), ...Object.keys(TABS)];
    expect(numbers).toStrictEqual(Object.fromEntries(pages.map((name) => [name, [1]])));
  });
});

const TABS = { 'Export and import': 'Export and import', Access: 'Access', Settings: 'Settings' };

/** A script for the browser that records the number of first-level headings in each frame. */
const COUNT_TITLES = `
  globalThis.titles = new Set();
  // React hides a page whose next part is loading.
  const titlesNow = () => [...document.querySelectorAll('h1')].filter((title) => title.checkVisibility()).length;
  const count = () => {
    if (document.readyState !== 'loading') titles.add(titlesNow());
    requestAnimationFrame(count);
  };
  requestAnimationFrame(count);
`;
