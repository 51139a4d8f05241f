import { writeFileSync } from 'node:fs';
import { type Declaration, defineSettings } from '@guild-settings/contract/settings';
import { HAS_BROWSER } from '@guild-settings/discord-sim/testing/browser';
import { temporaryFolder, waitUntil } from '@guild-settings/testing';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorsOf } from './testing/dashboard-pages.ts';
import { type DashboardWorld, startDashboardWorld } from './testing/dashboard-world.ts';
import { expectNothingCutOff, violationsOf } from './testing/looks.ts';
import { addPerson, type OwnGuild, PERMISSIONS } from './testing/own-guild.ts';
import { SettingsPage, SMALL } from './testing/settings-page.ts';

const label = (text: string) => ({ 'en-US': text });

const KINDS: Declaration = defineSettings({
  settings: {
    message: {
      kind: 'text',
      lines: 'many',
      max: 500,
      default: 'Hi {user}!',
      placeholders: {
        user: label('The new member'),
        server: label('The name of the server'),
        count: label('Members'),
        rules: label('Where the rules are'),
      },
      label: label('Welcome message'),
    },
    reaction: { kind: 'emoji', label: label('Reaction') },
    reactions: { kind: 'emoji', many: { max: 3 }, label: label('Poll emojis') },
    helper: { kind: 'user', label: label('Helper') },
    greeters: { kind: 'user', many: { max: 100 }, label: label('Greeters') },
    color: { kind: 'color', default: '#5865F2', label: label('Embed color') },
    accents: { kind: 'color', many: { max: 3 }, label: label('Accents') },
    rate: { kind: 'number', min: 0.1, max: 2_000, decimals: 1, default: 1.5, unit: '×', label: label('XP rate') },
    zone: { kind: 'timeZone', label: label('Time zone') },
    daily: { kind: 'time', zone: 'zone', default: '09:00', label: label('Daily bonus at') },
    rewards: {
      kind: 'table',
      max: 4,
      columns: {
        level: { kind: 'integer', min: 1, max: 500, label: label('Level') },
        role: { kind: 'role', label: label('Role') },
        note: { kind: 'text', max: 20, label: label('Note') },
      },
      key: ['level'],
      label: label('Rewards'),
      description: label('A role for each level.'),
    },
  },
});

const fieldOf = (page: Page, name: string): Locator => page.locator(`[data-field="custom.${name}"]`);

describe.skipIf(!HAS_BROWSER)('the controls of the kinds of settings', () => {
  const folder = temporaryFolder();
  const file = folder.file('settings.json');
  let world: DashboardWorld;

  beforeAll(async () => {
    writeFileSync(file, JSON.stringify(KINDS));
    world = await startDashboardWorld({ SETTINGS_FILE: file });
  });
  afterAll(async () => {
    await world[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  /** Adds a guild with two roles, two emojis and another member. */
  const addGuild = async (name: string) => {
    const guild = await world.addGuild(name);
    const { world: discord } = world.discord;
    const idOf = (offset: bigint) => String(BigInt(guild.id) + offset);
    const [regular, veteran, wave, party] = [idOf(1_001n), idOf(1_002n), idOf(1_003n), idOf(1_004n)];
    discord.addRole({ guildId: guild.id, id: regular, name: 'Regular', color: 0x2f9e44 });
    discord.addRole({ guildId: guild.id, id: veteran, name: 'Veteran', color: 0xe8590c });
    discord.addEmoji({ guildId: guild.id, id: wave, name: 'wave' });
    discord.addEmoji({ guildId: guild.id, id: party, name: 'party', animated: true });
    const person = addPerson(world.discord, 'Ravi');
    discord.addMember(guild.id, person.id, { permissions: PERMISSIONS.member });
    return { guild, regular, veteran, wave: `<:wave:${wave}>`, party: `<a:party:${party}>`, person };
  };
  const customOf = async (guild: OwnGuild) => (await guild.record()).custom as Record<string, unknown>;

  /** Picks the first search result with the keyboard. */
  const pick = async (field: Locator, typed: string, found: string | RegExp) => {
    const box = field.getByRole('combobox');
    await box.focus();
    // The list of options appears with the picker, which is loaded for it.
    await box.and(box.page().locator('[aria-autocomplete]')).waitFor();
    await box.fill(typed);
    const option = box.page().getByRole('option', { name: found }).and(box.page().locator('[data-focused]'));
    await option.waitFor();
    await box.press('Enter');
    await box.page().getByRole('listbox').waitFor({ state: 'detached' });
  };
  const focused = (page: Page) =>
    page.evaluate<string>('document.activeElement.labels?.[0]?.textContent ?? document.activeElement.textContent');

  test('sets each kind by the keyboard alone, and shows it after a reload', async () => {
    const { guild, regular, wave, person } = await addGuild('By keyboard');
    await using settings = await SettingsPage.open(world, guild, guild.manager);
    const { page } = settings;
    const errors = errorsOf(page);
    const message = fieldOf(page, 'message').getByRole('textbox');
    await message.fill('Hi ');
    await fieldOf(page, 'message').getByRole('button', { name: '{user}' }).press('Enter');
    await page.keyboard.type('!');
    await pick(fieldOf(page, 'reaction'), 'wav', ':wave:');
    await pick(fieldOf(page, 'reactions'), '🎉', '🎉');
    await pick(fieldOf(page, 'reactions'), 'par', ':party:');
    await pick(fieldOf(page, 'helper'), 'rav', /Ravi/);
    await pick(fieldOf(page, 'greeters'), 'mik', /Mika/);
    await pick(fieldOf(page, 'greeters'), 'rav', /Ravi/);
    await page.getByLabel('Embed color', { exact: true }).fill('green');
    await fieldOf(page, 'accents').getByLabel('Accents').first().fill('#f00');
    await fieldOf(page, 'accents').getByLabel('Accents').first().press('Enter');
    await page.getByLabel('XP rate').fill('2.5');
    await pick(fieldOf(page, 'zone'), 'tokyo', 'Asia/Tokyo');
    await page.getByLabel('Daily bonus at').fill('9:30 pm');
    const rewards = fieldOf(page, 'rewards');
    await rewards.getByRole('button', { name: 'Add row' }).press('Enter');
    expect(await focused(page)).toBe('Level');
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('12');
    await pick(rewards, 'reg', '@Regular');
    await page.keyboard.press('Tab');
    await page.keyboard.type('yay');
    await settings.saved();
    const custom = await customOf(guild);
    expect(custom).toEqual({
      message: 'Hi {user}!',
      reaction: wave,
      reactions: ['🎉', expect.stringMatching(/^<a:party:\d+>$/)],
      helper: person.id,
      greeters: [guild.manager.id, person.id],
      color: expect.stringMatching(/^#[0-9A-F]{6}$/),
      accents: ['#FF0000'],
      rate: 2.5,
      zone: 'Asia/Tokyo',
      daily: '21:30',
      rewards: [{ level: 12, role: regular, note: 'yay' }],
    });
    await page.reload();
    await settings.live();
    const shownIn = (name: string) => fieldOf(page, name).getByRole('combobox').first().inputValue();
    await waitUntil(async () => (await shownIn('helper')) === 'Ravi', { message: 'the name of the helper' });
    expect([await shownIn('reaction'), await shownIn('zone')]).toEqual([':wave:', 'Asia/Tokyo']);
    await fieldOf(page, 'greeters').getByRole('button', { name: 'Remove Mika' }).waitFor();
    await settings.shows(/In Asia\/Tokyo, where it is \d\d:\d\d now\./);
    expect(errors).toEqual([]);
  });

  test('moves, adds and removes rows, keeps the focus at them, and fills the table up', async () => {
    const { guild, regular, veteran } = await addGuild('Rows');
    const rows = [
      { level: 1, role: regular, note: 'a' },
      { level: 2, role: veteran, note: 'b' },
      { level: 3, role: '', note: 'c' },
    ];
    await guild.change(guild.owner, { custom: { rewards: rows } });
    await using settings = await SettingsPage.open(world, guild, guild.manager);
    const { page } = settings;
    const rewards = fieldOf(page, 'rewards');
    const levels = () =>
      rewards.getByLabel('Level').evaluateAll((all) => all.map((one) => (one as never as { value: string }).value));
    const activeValue = () => page.evaluate<string>('document.activeElement.value');
    await rewards.getByRole('button', { name: 'Move row 1 down' }).press('Enter');
    expect(await levels()).toEqual(['2', '1', '3']);
    expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('Move row 2 down');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    expect(await levels()).toEqual(['2', '3', '1']);
    await rewards.getByLabel('Note').last().press('Alt+ArrowUp');
    expect(await levels()).toEqual(['2', '1', '3']);
    expect(await activeValue()).toBe('a');
    await rewards.getByRole('button', { name: 'Remove row 1' }).press('Enter');
    expect(await activeValue()).toBe('1');
    await rewards.getByRole('button', { name: 'Remove row 2' }).press('Enter');
    expect([await levels(), await activeValue()]).toEqual([['1'], '1']);
    for (const level of ['5', '6', '7']) {
      await rewards.getByRole('button', { name: 'Add row' }).press('Enter');
      await rewards.getByLabel('Level').last().fill(level);
    }
    await settings.shows('The table is full (4 rows).');
    expect(await rewards.getByRole('button', { name: 'Add row' }).isDisabled()).toBe(true);
    await settings.saved();
    const { rewards: saved } = (await customOf(guild)) as { readonly rewards: readonly (typeof rows)[number][] };
    expect(saved.map(({ level, role, note }) => [level, role, note])).toEqual([
      [1, regular, 'a'],
      [5, '', ''],
      [6, '', ''],
      [7, '', ''],
    ]);
  });

  test('says at a cell, a color, a number and a text what is wrong, and keeps what was typed over a reload', async () => {
    const { guild, regular } = await addGuild('Flaws');
    await guild.change(guild.owner, {
      custom: {
        rewards: [
          { level: 1, role: regular, note: '' },
          { level: 2, role: '', note: '' },
        ],
      },
    });
    await using settings = await SettingsPage.open(world, guild, guild.manager);
    const { page } = settings;
    const rewards = fieldOf(page, 'rewards');
    const cell = rewards.getByLabel('Level').nth(1);
    for (const [typed, text] of [
      ['999', 'At most 500'],
      ['x', 'Enter a whole number'],
      ['1', 'Another row has the same'],
    ] as const) {
      await cell.fill(typed);
      await rewards.getByRole('row').nth(2).getByText(text).waitFor();
      expect(await cell.getAttribute('aria-invalid')).toBe('true');
    }
    await cell.fill('x');
    for (const [name, typed, text] of [
      ['Embed color', 'blurpleee', 'Not a color'],
      ['XP rate', '1,500', /can mean 1500 or 1\.5|1500.*1\.5/],
      ['XP rate', '1.55', 'At most 1 decimal place'],
      ['Daily bonus at', '25:00', 'Not a time of day'],
      ['Welcome message', 'Hi {usr}', 'It replaces {user}, {server}, {count}, {rules}'],
    ] as const) {
      await page.getByLabel(name, { exact: true }).fill(typed);
      await settings.shows(text);
    }
    await settings.save.click();
    await settings.shows('Fix the marked settings to save');
    await page.reload();
    await settings.live();
    expect(await rewards.getByLabel('Level').nth(1).inputValue()).toBe('x');
    expect(await page.getByLabel('Embed color', { exact: true }).inputValue()).toBe('blurpleee');
    expect(await violationsOf(page)).toEqual([]);
    await rewards.getByLabel('Level').nth(1).fill('2');
    await rewards.getByLabel('Level').nth(0).fill('2');
    await page.getByRole('button', { name: 'Discard' }).click();
    expect(await rewards.getByLabel('Level').nth(1).inputValue()).toBe('2');
  });

  test('reads what was typed before the page could read it, as soon as it can, also after a failure', async () => {
    const { guild } = await addGuild('Early');
    await using page = await world.open(guild.manager, '/');
    let isOut = true;
    await page.route(/assets\/typed-values-/, (route) => (isOut ? route.abort() : route.continue()));
    await page.goto(`${world.url}${guild.path}`);
    await page.getByLabel('XP rate').fill('2.5');
    await page.getByLabel('Embed color', { exact: true }).fill('red');
    const accent = fieldOf(page, 'accents').getByLabel('Accents').first();
    await accent.fill('#f00');
    await accent.press('Tab');
    const unread = page.getByText('The service does not respond');
    await waitUntil(async () => (await unread.count()) === 3);
    isOut = false;
    await waitUntil(async () => (await unread.count()) === 0);
    await page.locator('[data-save-bar] [type=submit]').click();
    await page.locator('[data-save-bar] [data-good]').waitFor();
    expect(await customOf(guild)).toMatchObject({
      rate: 2.5,
      color: expect.stringMatching(/^#[0-9A-F]{6}$/),
      accents: ['#FF0000'],
    });
  });

  test('shows a message as Discord does, without running what is in it', async () => {
    const { guild } = await addGuild('Preview');
    await using settings = await SettingsPage.open(world, guild, guild.manager);
    const { page } = settings;
    await page
      .getByLabel('Welcome message', { exact: true })
      .fill('**{user}** in {server}: {count} <img src=x onerror=alert(1)> {rules} {other}');
    const preview = page.getByRole('figure', { name: 'Preview' });
    await preview.getByText('Preview: 1,204 <img src=x onerror=alert(1)> Where the rules are {other}').waitFor();
    expect(await preview.locator('strong').textContent()).toBe('@Mika');
    expect(await preview.getByText('Melody').count()).toBe(1);
  });

  test('keeps a person who has left and an emoji that was deleted, and names both', async () => {
    const { guild, wave, person } = await addGuild('Gone');
    const gone = '123456789012345678';
    await guild.change(guild.owner, {
      custom: { helper: gone, greeters: [gone, person.id], reaction: `<:old:${gone}>`, reactions: [wave] },
    });
    await using settings = await SettingsPage.open(world, guild, guild.manager, SMALL);
    const { page } = settings;
    expect(await fieldOf(page, 'helper').getByRole('combobox').inputValue()).toBe(`User ${gone}`);
    expect(await fieldOf(page, 'reaction').getByRole('combobox').inputValue()).toBe(':old:');
    await fieldOf(page, 'greeters').getByRole('button', { name: 'Remove Ravi' }).waitFor();
    await fieldOf(page, 'greeters')
      .getByRole('button', { name: `Remove User ${gone}` })
      .waitFor();
    await page.getByLabel('XP rate').fill('3');
    await settings.saved();
    expect(await customOf(guild)).toMatchObject({ rate: 3, helper: gone, reaction: `<:old:${gone}>` });
    await expectNothingCutOff(page);
  });

  test('gives up what was typed in a list with Escape, and closes it', async () => {
    const { guild } = await addGuild('Escape');
    await using settings = await SettingsPage.open(world, guild, guild.manager);
    const { page } = settings;
    const box = fieldOf(page, 'greeters').getByRole('combobox');
    await box.focus();
    await box.and(page.locator('[aria-autocomplete]')).waitFor();
    await box.fill('nobody');
    await page.getByText('No member has that name.').waitFor();
    await box.press('Escape');
    await page.getByRole('listbox').waitFor({ state: 'detached' });
    expect(await box.inputValue()).toBe('');
  });

  test('shows values of each kind in the history and to a viewer', async () => {
    const { guild, regular, wave, person } = await addGuild('Shown');
    const revision = await guild.change(guild.owner, {
      custom: { reaction: wave, helper: person.id, rate: 2.5, rewards: [{ level: 5, role: regular, note: '' }] },
    });
    await guild.call(guild.owner, {
      method: 'PUT',
      path: `${guild.path}/access`,
      body: { entries: [{ subject: `user:${guild.manager.id}`, level: 'viewer' }] },
      headers: { 'if-match': '*' },
    });
    guild.setManagerPermissions(0n);
    await using viewer = await SettingsPage.open(world, guild, guild.manager);
    await fieldOf(viewer.page, 'helper').getByText('Ravi').waitFor();
    await fieldOf(viewer.page, 'reaction').getByText(':wave:').waitFor();
    await fieldOf(viewer.page, 'rewards').getByText('5: @Regular').waitFor();
    await viewer.page.goto(`${world.url}${guild.path}/history/${revision}`);
    for (const text of ['Ravi', '@Regular']) {
      await viewer.page.getByText(text).filter({ visible: true }).first().waitFor();
    }
  });
});
