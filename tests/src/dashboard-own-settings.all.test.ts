import { writeFileSync } from 'node:fs';
import type { Declaration } from '@guild-settings/contract/settings';
import { HAS_BROWSER } from '@guild-settings/discord-sim/testing/browser';
import { temporaryFolder, waitUntil } from '@guild-settings/testing';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorsOf, TWO_FRAMES } from './testing/dashboard-pages.ts';
import { type DashboardWorld, startDashboardWorld } from './testing/dashboard-world.ts';
import { expectNothingCutOff, violationsOf } from './testing/looks.ts';
import type { OwnGuild } from './testing/own-guild.ts';
import { countRenders, EVERY_KIND, renderedSince, STRANGE } from './testing/own-settings.ts';
import { SettingsPage, SMALL } from './testing/settings-page.ts';

/** 2,000 code points with line breaks, emoji and text that could be markup. */
const LINES = [...`${'👋🏽 *hi* {user} <b>\n'.repeat(200)}`].slice(0, 2_000).join('');
const BIDI = 'a\u202eb <@1> **c** {{d}} <i>';

const fieldOf = (page: Page, name: string): Locator => page.locator(`[data-field="custom.${name}"]`);

/** The names of settings by the headings of their groups, each of which is a page. */
const PAGES = Map.groupBy(Object.keys(EVERY_KIND.settings ?? {}), (name) => headingOf(name));

function headingOf(name: string): string {
  const group = EVERY_KIND.settings?.[name]?.group;
  return (group !== undefined && EVERY_KIND.groups?.[group]?.label['en-US']) || 'General';
}

describe.skipIf(!HAS_BROWSER)('the page of settings that a team declares', () => {
  const folder = temporaryFolder();
  const file = folder.file('settings.json');
  let world: DashboardWorld;
  const declare = (declaration: Declaration) => writeFileSync(file, JSON.stringify(declaration));

  beforeAll(async () => {
    declare(EVERY_KIND);
    world = await startDashboardWorld({ SETTINGS_FILE: file });
  });
  afterAll(async () => {
    await world[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  /** Adds a guild with a role that the bot can assign and one that it cannot. */
  const addGuild = async (name: string) => {
    const guild = await world.addGuild(name);
    const roles = { member: String(BigInt(guild.id) + 1_001n), admin: String(BigInt(guild.id) + 1_002n) };
    const { world: discord } = world.discord;
    discord.addRole({ guildId: guild.id, id: roles.member, name: 'Member' });
    discord.addRole({ guildId: guild.id, id: roles.admin, name: 'Admin' });
    return { guild, roles };
  };
  const customOf = async (guild: OwnGuild) => (await guild.record()).custom as Record<string, unknown>;
  /** Opens a list like a person, who clicks when the page has stopped scrolling: scrolling closes it. */
  const openList = async (box: Locator) => {
    await box.scrollIntoViewIfNeeded();
    await box.page().evaluate(TWO_FRAMES);
    await box.click();
    await box.page().getByRole('listbox').waitFor();
  };
  /** Ensures that the list of another field is not mistaken for this one. */
  const listGone = (box: Locator) => box.page().getByRole('listbox').waitFor({ state: 'detached' });
  /** Picks the only option matching the typed text with the keyboard: a list that scrolls or closes ignores clicks. */
  const pick = async (field: Locator, typed: string) => {
    const box = field.getByRole('combobox');
    await openList(box);
    await box.fill(typed);
    await waitUntil(async () => (await box.page().getByRole('option').count()) === 1, {
      message: `one option for ${typed}`,
    });
    await box.press('ArrowDown');
    await box.and(box.page().locator('[aria-activedescendant]')).waitFor();
    await box.press('Enter');
    await listGone(box);
  };
  /**
   * Picks the first option with the keyboard until it is picked: the list also closes when the page scrolls below it.
   */
  const pickNone = async (field: Locator) => {
    const box = field.getByRole('combobox');
    await openList(box);
    await waitUntil(
      async () => {
        await box.press('ArrowUp');
        const focused = box.page().locator(`[id="${await box.getAttribute('aria-activedescendant')}"]`);
        if ((await focused.allTextContents()).join() === 'None') await box.press('Enter');
        return (await box.inputValue()) === 'None';
      },
      { message: 'None to be picked' },
    );
    await listGone(box);
  };
  const add = async (field: Locator, ...items: readonly string[]) => {
    for (const item of items) {
      await field.getByRole('textbox').fill(item);
      await field.getByRole('textbox').press('Enter');
    }
  };
  const removeAll = async (field: Locator) => {
    const buttons = field.getByRole('button', { name: /^Remove/ });
    for (let left = await buttons.count(); left > 0; left -= 1) await buttons.first().click();
  };

  interface Kind {
    readonly name: string;
    readonly value: (ids: { readonly channel: string; readonly role: string }) => unknown;
    readonly set: (field: Locator) => Promise<unknown>;
    /** Undefined: the kind has no empty value. */
    readonly empty?: readonly [value: unknown, clear: (field: Locator) => Promise<unknown>];
  }

  /** Runs a function for settings in the order of the groups, each of which is a page. */
  const inGroups = async (
    settings: SettingsPage,
    kinds: readonly Kind[],
    act: (kind: Kind, field: Locator) => unknown,
  ) => {
    for (const [heading, names] of PAGES) {
      await settings.openGroup(heading);
      for (const kind of kinds) if (names.includes(kind.name)) await act(kind, fieldOf(settings.page, kind.name));
    }
  };
  const setAll = (settings: SettingsPage) => inGroups(settings, KINDS, ({ set }, field) => set(field));

  const KINDS: readonly Kind[] = [
    { name: 'welcomeOn', value: () => true, set: (field) => field.getByRole('switch').click() },
    {
      name: 'greeting',
      value: () => LINES,
      set: (field) => field.getByRole('textbox').fill(LINES),
      empty: ['', (field) => field.getByRole('textbox').fill('')],
    },
    {
      name: 'signature',
      value: () => 'me',
      set: (field) => field.getByRole('textbox').fill('me'),
      empty: ['', (field) => field.getByRole('textbox').fill('')],
    },
    { name: 'xpRate', value: () => 77, set: (field) => field.getByRole('textbox').fill('77') },
    {
      name: 'cooldown',
      value: () => 7_200,
      async set(field) {
        await field.getByRole('combobox').selectOption({ value: '3600' });
        await field.getByRole('textbox').fill('2');
      },
    },
    { name: 'logLevel', value: () => 'all', set: (field) => field.getByRole('radio', { name: 'Everything' }).click() },
    {
      name: 'logChannel',
      value: ({ channel }) => channel,
      set: (field) => pick(field, 'rul'),
      empty: ['', (field) => pickNone(field)],
    },
    {
      name: 'helper',
      value: ({ role }) => role,
      set: (field) => pick(field, 'mem'),
      empty: ['', (field) => pickNone(field)],
    },
    {
      name: 'words',
      value: () => ['a, b', 'ç'],
      set: (field) => add(field, 'a, b', 'ç'),
      empty: [[], removeAll],
    },
    { name: 'rates', value: () => [3, 1], set: (field) => add(field, '3', '1'), empty: [[], removeAll] },
    { name: 'waits', value: () => [90, 3_600], set: (field) => add(field, '90', '1h'), empty: [[], removeAll] },
    {
      name: 'levels',
      value: () => ['two'],
      set: (field) => field.getByRole('checkbox', { name: 'Second' }).click(),
      empty: [[], (field) => field.getByRole('checkbox', { name: 'Second' }).click()],
    },
    { name: 'channels', value: ({ channel }) => [channel], set: (field) => pick(field, 'rul'), empty: [[], removeAll] },
    { name: 'roles', value: ({ role }) => [role], set: (field) => pick(field, 'mem'), empty: [[], removeAll] },
  ];

  test('sets, empties, resets and undoes each kind, and what is empty stays empty after a reload', async () => {
    const { guild, roles } = await addGuild('Each kind');
    const ids = { channel: guild.channels.rules, role: roles.member };
    const defaults = await customOf(guild);
    await using settings = await SettingsPage.open(world, guild, guild.manager);
    const { page } = settings;
    const errors = errorsOf(page);
    await setAll(settings);
    await settings.saved();
    const all = Object.fromEntries(KINDS.map(({ name, value }) => [name, value(ids)]));
    expect(await customOf(guild)).toEqual({ ...defaults, ...all });

    await page.getByRole('button', { name: 'Undo' }).click();
    await settings.shows('Undone.');
    expect(await customOf(guild)).toEqual(defaults);

    await setAll(settings);
    await settings.saved();
    const emptied = Object.fromEntries(KINDS.flatMap(({ name, empty }) => (empty ? [[name, empty[0]]] : [])));
    await inGroups(settings, KINDS, ({ empty }, field) => empty?.[1](field));
    await settings.saved();
    expect(await customOf(guild)).toEqual({ ...defaults, ...all, ...emptied });
    await page.reload();
    await settings.live();
    await settings.openGroup('General');
    expect(await page.getByRole('button', { name: /^Remove/ }).count()).toBe(0);
    await settings.openGroup('Welcome');
    expect(await fieldOf(page, 'greeting').getByRole('textbox').inputValue()).toBe('');
    await settings.openGroup(STRANGE);
    expect(await fieldOf(page, 'signature').getByRole('textbox').inputValue()).toBe('');

    const sent = page.waitForRequest((request) => request.url().includes('/trpc/guilds.update'));
    for (const heading of PAGES.keys()) {
      await settings.openGroup(heading);
      await settings.resetAll();
    }
    await settings.saved();
    expect(await customOf(guild)).toEqual(defaults);
    const { custom } = (await sent).postDataJSON() as { readonly custom: Readonly<Record<string, unknown>> };
    // An emptied setting whose default is empty does not differ from it.
    const differing = KINDS.filter(({ name }) => defaults[name] !== ({ ...all, ...emptied } as typeof defaults)[name]);
    expect(Object.values(custom).every((value) => value === null)).toBe(true);
    expect(Object.keys(custom)).toEqual(
      expect.arrayContaining(differing.filter(({ name }) => !Array.isArray(defaults[name])).map(({ name }) => name)),
    );
    expect(errors).toEqual([]);
  });

  test('shows texts of teams and of managers literally', async () => {
    const { guild } = await addGuild('Literal');
    await guild.change(guild.owner, { custom: { greeting: BIDI, signature: '**me** <@1>' } });
    await using settings = await SettingsPage.open(world, guild, guild.manager);
    const { page } = settings;
    await settings.openGroup(STRANGE);
    await page.getByRole('heading', { name: STRANGE }).waitFor();
    expect(await page.getByText(`<script>alert(1)</script> ${STRANGE}`).count()).toBe(1);
    expect(await page.getByRole('textbox', { name: STRANGE }).inputValue()).toBe('**me** <@1>');
    await settings.openGroup('Welcome');
    expect(await page.getByRole('textbox', { name: 'Greeting' }).inputValue()).toBe(BIDI);
    await settings.openGroup('Features');
    await page.getByRole('switch', { name: 'Music *and* more' }).click();
    await settings.saved();
    expect((await guild.record()).enabledFeatures).toEqual(['music']);
    await page.goto(`${world.url}${guild.path}/history`);
    await page.getByText(STRANGE).filter({ visible: true }).first().waitFor();
    expect(await page.locator('main b, main i, main script').count()).toBe(0);
  });

  test('takes what is typed key by key, shows long items whole, and leaves the focus where an item was removed', async () => {
    const { guild } = await addGuild('Typed');
    await using settings = await SettingsPage.open(world, guild, guild.manager);
    const { page } = settings;
    const cooldown = fieldOf(page, 'cooldown').getByRole('textbox');
    await cooldown.fill('');
    await cooldown.pressSequentially('1h 30m');
    expect(await cooldown.inputValue()).toBe('1h 30m');
    await cooldown.blur();
    expect(await cooldown.inputValue()).toBe('90');
    await settings.openGroup('Welcome');
    await fieldOf(page, 'greeting').getByRole('textbox').fill('one\r\ntwo');
    await settings.openGroup('General');
    await add(fieldOf(page, 'words'), 'one', 'two', 'three');
    const focused = () =>
      page.evaluate<string>('document.activeElement.ariaLabel ?? document.activeElement.dataset.field');
    await page.getByRole('button', { name: 'Remove “two”' }).press('Enter');
    expect(await focused()).toBe('Remove “three”');
    await page.getByRole('button', { name: 'Remove “three”' }).press('Enter');
    expect(await focused()).toBe('Remove “one”');
    await page.getByRole('button', { name: 'Remove “one”' }).press('Enter');
    expect(await focused()).toBe('custom.words');
    // An added item moves the page below it, but the click still hits its button.
    await fieldOf(page, 'words').getByRole('textbox').fill('four');
    await fieldOf(page, 'levels').getByText('Second').click();
    await settings.saved();
    expect(await customOf(guild)).toMatchObject({
      cooldown: 5_400,
      greeting: 'one\ntwo',
      words: ['four'],
      levels: ['two'],
    });
  });

  test('opens the list of a chosen value wherever its field is in the window of a phone', async () => {
    const { guild, roles } = await addGuild('Anywhere');
    await guild.change(guild.owner, { custom: { helper: roles.admin } });
    await using settings = await SettingsPage.open(world, guild, guild.manager, SMALL);
    const { page } = settings;
    const box = fieldOf(page, 'helper').getByRole('combobox');
    await page.getByText('The bot cannot give this role').first().waitFor();
    for (const top of [80, 200, 300, 400, 580]) {
      const { y } = (await box.boundingBox()) ?? { y: 0 };
      await page.evaluate(`scrollBy(0, ${y - top})`);
      await openList(box);
      await page.evaluate(TWO_FRAMES);
      expect({ top, lists: await page.getByRole('listbox').count() }).toEqual({ top, lists: 1 });
      await box.press('Escape');
      await listGone(box);
    }
  });

  test('names deleted channels and roles, and what the bot cannot do, and saves everything else', async () => {
    const { guild, roles } = await addGuild('Deleted');
    const gone = String(BigInt(guild.id) + 1_009n);
    await guild.change(guild.owner, { custom: { logChannel: gone, helper: gone, roles: [gone, roles.member] } });
    await using settings = await SettingsPage.open(world, guild, guild.manager);
    const { page } = settings;
    await settings.shows(`The channel ${gone} was deleted, or you cannot see it.`);
    await settings.shows(`The role ${gone} was deleted in Discord.`);
    await page.getByRole('button', { name: `Remove Deleted role ${gone}` }).waitFor();
    await fieldOf(page, 'xpRate').getByRole('textbox').fill('9');
    await settings.saved();
    expect(await customOf(guild)).toMatchObject({ xpRate: 9, logChannel: gone, roles: [gone, roles.member] });
    await pick(fieldOf(page, 'logChannel'), 'rul');
    await settings.shows('The bot cannot write here: it lacks “Send Messages”');
    await pickNone(fieldOf(page, 'logChannel'));
    // A list of channels needs no permission, and a single one the named permissions.
    await pick(fieldOf(page, 'artChannel'), 'rul');
    await settings.shows('The bot lacks “Add Reactions” here');
    await pickNone(fieldOf(page, 'artChannel'));
    await pick(fieldOf(page, 'channels'), 'rul');
    await fieldOf(page, 'channels').getByRole('button', { name: 'Remove #rules' }).click();
    expect(
      await page
        .getByText('The bot', { exact: false })
        .filter({ hasText: /cannot write|lacks/ })
        .count(),
    ).toBe(0);
    await settings.saved();
    expect(await customOf(guild)).toMatchObject({ xpRate: 9, logChannel: '' });
  });

  test('says which channel has a type that a setting does not take, also of what an import sets', async () => {
    const { guild } = await addGuild('Types');
    const { announcements } = guild.channels;
    const gone = String(BigInt(guild.id) + 1_009n);
    await guild.change(guild.owner, { custom: { logChannel: announcements } });
    await using settings = await SettingsPage.open(world, guild, guild.owner);
    const { page } = settings;
    const wrongType = '#announcements is not of the right type. This setting takes: text channels.';
    await settings.shows(wrongType);
    await page.goto(`${world.url}${guild.path}/transfer`);
    const custom = { logChannel: gone, channels: [announcements], helper: gone, premium: true };
    const buffer = Buffer.from(JSON.stringify({ version: 1, guild: guild.id, settings: { custom } }));
    await page.locator('input[type=file]').setInputFiles({ name: 'a.json', mimeType: 'application/json', buffer });
    await page.getByText(`The channel ${gone} was deleted, or you cannot see it.`).first().waitFor();
    await page.getByText(`The role ${gone} was deleted in Discord.`).first().waitFor();
    await page.getByText('premium: Set by the bot’s team. It cannot be changed here.').waitFor();
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText('The settings were imported.').first().waitFor();
    expect(await customOf(guild)).toMatchObject({ logChannel: gone, helper: gone, premium: false });
  });

  test('says at a setting what is wrong with it, shows a locked one, and dims what is switched off', async () => {
    const { guild } = await addGuild('Flaws');
    await using settings = await SettingsPage.open(world, guild, guild.manager);
    const { page } = settings;
    const rate = fieldOf(page, 'xpRate');
    for (const [typed, text] of [
      ['x', 'Enter a whole number'],
      ['101', 'At most 100 %'],
      ['', 'Enter a whole number'],
    ] as const) {
      await rate.getByRole('textbox').fill(typed);
      await rate.getByText(text).waitFor();
    }
    await settings.save.click();
    await settings.shows('Fix the marked settings to save');
    expect(await page.evaluate('document.activeElement.closest("[data-field]").dataset.field')).toBe('custom.xpRate');
    await rate.getByRole('textbox').fill('7');
    await add(fieldOf(page, 'rates'), '10');
    await fieldOf(page, 'rates').getByText('At most 9').waitFor();
    await fieldOf(page, 'rates').getByRole('textbox').fill('');
    await add(fieldOf(page, 'waits'), '90');
    await fieldOf(page, 'waits').getByRole('button', { name: 'Remove 1 min 30 sec' }).click();
    await add(fieldOf(page, 'rates'), '1', '2', '3');
    await settings.shows('The list is full (3 items).');
    await fieldOf(page, 'premium').getByText('Set by the bot’s team').waitFor();
    expect(await fieldOf(page, 'premium').getByRole('switch').count()).toBe(0);
    await settings.openGroup('Welcome');
    await settings.shows('Switched off: turn on “Greet new members” to use these settings.');
    await page.getByRole('switch', { name: 'Greet new members' }).click();
    await page.getByText('Switched off').waitFor({ state: 'detached' });
    await settings.saved();
    expect(await customOf(guild)).toMatchObject({ xpRate: 7, rates: [1, 2, 3], welcomeOn: true });
  });

  test('cuts nothing off on a dark phone, and shows a viewer the values', async () => {
    const { guild, roles } = await addGuild('Accessible');
    await guild.change(guild.owner, {
      custom: { words: ['one', 'two'], roles: [roles.admin], waits: [90, 3_600], greeting: LINES },
    });
    await using phone = await SettingsPage.open(world, guild, guild.manager, { ...SMALL, colorScheme: 'dark' });
    await fieldOf(phone.page, 'xpRate').getByRole('textbox').fill('x');
    await expectNothingCutOff(phone.page);
    await phone.openGroup(STRANGE);
    await fieldOf(phone.page, 'signature').getByRole('textbox').fill('me');
    await expectNothingCutOff(phone.page);
    await guild.call(guild.owner, {
      method: 'PUT',
      path: `${guild.path}/access`,
      body: { entries: [{ subject: `user:${guild.manager.id}`, level: 'viewer' }] },
      headers: { 'if-match': '*' },
    });
    guild.setManagerPermissions(0n);
    await using viewer = await SettingsPage.open(world, guild, guild.manager);
    await viewer.shows('You can view these settings');
    await fieldOf(viewer.page, 'words').getByText('one and two').waitFor();
    await fieldOf(viewer.page, 'roles').getByText('@Admin').waitFor();
    await fieldOf(viewer.page, 'waits').getByText('1 min 30 sec and 1 hr').waitFor();
    await fieldOf(viewer.page, 'logChannel').getByText('None', { exact: true }).waitFor();
    await viewer.openGroup('Welcome');
    await fieldOf(viewer.page, 'welcomeOn').getByText('Off', { exact: true }).waitFor();
    expect(await fieldOf(viewer.page, 'greeting').locator('bdi').textContent()).toBe(`“${LINES}”`);
    expect(await viewer.page.getByRole('textbox').count()).toBe(0);
  });

  test('takes over another declaration while it is open, with what was typed, and costs the same with 160 settings', async () => {
    const { guild } = await addGuild('Another declaration');
    await using settings = await SettingsPage.open(world, guild, guild.manager);
    const { page } = settings;
    await countRenders(page);
    await page.reload();
    await settings.live();
    const rate = () => fieldOf(page, 'xpRate').getByRole('textbox');
    /** Returns the number of components rendered for one more character, without the page's other renders. */
    const costOfKey = async () => {
      await rate().fill('1');
      await rate().press('End');
      await settings.shows('1 unsaved change');
      await renderedSince(page);
      await rate().press('2');
      await page.evaluate(TWO_FRAMES);
      return renderedSince(page);
    };
    const few = await costOfKey();
    const names = Array.from({ length: 160 }, (_, index) => `extra${index}`);
    const { xpRate, welcomeOn, ...others } = EVERY_KIND.settings ?? {};
    const extra = names.map((name, index) => [
      name,
      { kind: 'integer', min: 0, max: 9, default: 1, label: { 'en-US': `Extra ${index}` } },
    ]);
    await world.killApi();
    declare({
      ...EVERY_KIND,
      settings: { ...(xpRate && { xpRate }), ...(welcomeOn && { welcomeOn }), ...Object.fromEntries(extra) },
    });
    await world.startApi();
    await page.getByLabel('Extra 159').waitFor();
    expect(Object.keys(others).length).toBeGreaterThan(5);
    expect(await fieldOf(page, 'greeting').count()).toBe(0);
    expect(await rate().inputValue()).toBe('12');
    await settings.live();
    expect(few).toBeGreaterThan(0);
    // If each setting were rendered again, there would be more renders than settings.
    expect(await costOfKey()).toBeLessThan(names.length);
    const search = page.getByRole('searchbox', { name: 'Search settings' });
    await search.fill('extra 15');
    await settings.shows('12 settings');
    expect(await page.getByRole('link', { name: 'Extra 15' }).count()).toBe(11);
    await search.fill('nothing like it');
    await settings.shows('No setting matches.');
    await search.fill('');
    await settings.saved();
    expect(await customOf(guild)).toMatchObject({ xpRate: 12, extra159: 1 });
    expect(await violationsOf(page)).toEqual([]);
  });
});
