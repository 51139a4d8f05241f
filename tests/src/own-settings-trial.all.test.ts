import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Declaration, SettingDeclaration } from '@guild-settings/contract/settings';
import { HAS_BROWSER } from '@guild-settings/discord-sim/testing/browser';
import { APPLICATION, tokenOf } from '@guild-settings/discord-sim/testing/world';
import { openReplica } from '@guild-settings/replica';
import { ResourceStack, startProgram, temporaryFolder, waitUntil } from '@guild-settings/testing';
import Database from 'better-sqlite3';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { settings as example } from '../../examples/own-settings/settings.ts';
import { talkToBot } from './testing/conversation.ts';
import { errorsOf } from './testing/dashboard-pages.ts';
import { type DashboardWorld, startDashboardWorld } from './testing/dashboard-world.ts';
import { press } from './testing/keyboard.ts';
import type { OwnGuild } from './testing/own-guild.ts';
import { SettingsPage } from './testing/settings-page.ts';
import { startTestBot } from './testing/test-bot.ts';

const IMPORT = fileURLToPath(new URL('../../apps/transfer/src/import/main.ts', import.meta.url));

/** The paths of the settings in the bot's file. */
const MAP = {
  welcomeMessage: 'welcome.text',
  modLogChannel: 'modlog',
  autoRoles: 'autoroles',
  xpRate: 'xp.rate',
  levelUpMessage: 'xp.message',
  noXpChannels: 'xp.ignored',
  muteRole: 'mute',
  warnThresholds: 'warns',
  embedColor: 'color',
  timeZone: 'tz',
  ticketCategory: 'tickets',
  staffRole: 'staff',
};

type Named = Readonly<Record<string, SettingDeclaration>>;

/** A guild with the channels and roles of the trial. */
interface TrialGuild {
  readonly own: OwnGuild;
  readonly general: string;
  readonly category: string;
  readonly quiet: readonly string[];
  readonly roles: Readonly<Record<'member' | 'muted' | 'staff', string>>;
}

describe('a team that moves twelve settings in', () => {
  const folder = temporaryFolder();
  const file = folder.file('settings.json');
  const declare = (declaration: Declaration) => writeFileSync(file, JSON.stringify(declaration));
  const resources = new ResourceStack();
  let world: DashboardWorld;
  beforeAll(async () => {
    declare(example);
    world = resources.use(await startDashboardWorld({ SETTINGS_FILE: file }));
    // Replaced by a bot without limits.
    await world.killBot();
    const { url: apiUrl, discord } = world;
    const env = { DASHBOARD_URL: apiUrl };
    resources.use(await startTestBot({ apiUrl, discord, path: folder.file('bot.db'), env }));
  });
  afterAll(async () => {
    await resources[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  const addGuild = async (name: string): Promise<TrialGuild> => {
    const own = await world.addGuild(name);
    const { world: discord } = world.discord;
    const idAt = (index: number) => String(BigInt(own.id) + 1_000n + BigInt(index));
    const addChannel = (index: number, title: string, type: 'text' | 'category' = 'text') => {
      discord.addChannel({ id: idAt(index), guildId: own.id, name: title, type, position: index });
      return idAt(index);
    };
    const addRole = (index: number, title: string) => {
      discord.addRole({ id: idAt(index), guildId: own.id, name: title });
      return idAt(index);
    };
    return {
      own,
      general: addChannel(10, 'general'),
      category: addChannel(11, 'Tickets', 'category'),
      quiet: Array.from({ length: 30 }, (_, index) => addChannel(20 + index, nameAt(index))),
      roles: { member: addRole(101, 'Member'), muted: addRole(102, 'Muted'), staff: addRole(103, 'Staff') },
    };
  };

  /** Writes rows like quick.db 9: a table whose values are JSON. */
  const writeFile = (name: string, rows: Readonly<Record<string, unknown>>) => {
    const database = new Database(folder.file(name));
    database.exec('CREATE TABLE json (ID TEXT PRIMARY KEY, json TEXT)');
    const insert = database.prepare('INSERT INTO json VALUES (?, ?)');
    for (const [key, value] of Object.entries(rows)) {
      insert.run(key, typeof value === 'string' ? value : JSON.stringify(value));
    }
    database.close();
    return folder.file(name);
  };

  const importFile = async (path: string, ...args: string[]) => {
    const map = Object.entries(MAP).map((entry) => entry.join('='));
    const program = startProgram({
      args: [IMPORT, '--from', `quick.db:${path}`, '--map', map.join(), '--yes', '--json', ...args],
      env: {
        API_URL: world.url,
        DISCORD_API_URL: world.discord.apiUrl,
        DISCORD_APPLICATION_ID: APPLICATION.id,
        DISCORD_CLIENT_SECRET: APPLICATION.clientSecret,
      },
      cwd: folder.path,
    });
    return program.finished();
  };

  const customOf = async ({ own }: TrialGuild) => (await own.record()).custom as Readonly<Record<string, unknown>>;

  /** Restarts the service with another declaration, on the same database. */
  const redeclare = async (declaration: Declaration) => {
    declare(declaration);
    await world.killApi();
    await world.startApi();
  };

  test('imports a quick.db file with junk: what can be taken is, and the rest is named', async () => {
    const [one, two, three] = [await addGuild('One'), await addGuild('Two'), await addGuild('Three')];
    const deleted = '381870553235193857';
    const path = writeFile('json.sqlite', {
      [one.own.id]: {
        welcome: { text: 'Hi {user}, welcome to **{server}**!' },
        modlog: `<#${one.general}>`,
        autoroles: [one.roles.member, deleted],
        xp: { rate: '1.5', message: '{user}: {level}', ignored: [...one.quiet] },
        mute: one.roles.muted,
        warns: [
          { warns: 3, action: 'mute', minutes: 10 },
          { warns: 5, action: 'ban' },
        ],
        color: 5_763_719,
        tz: 'europe/berlin',
        tickets: one.category,
        staff: `<@&${one.roles.staff}>`,
        // Keys of settings that the bot no longer has.
        economy: { enabled: true },
      },
      [two.own.id]: {
        welcome: { text: 'Hi {usr}' },
        modlog: null,
        autoroles: null,
        xp: { rate: 2, message: null, ignored: 'none of them' },
        mute: Number(two.roles.muted),
        warns: 'three',
        color: '#57f287',
        tz: 'Mars/Phobos',
        tickets: '',
        staff: 'Staff',
      },
      [three.own.id]: { xp: { rate: 'fast' }, color: 'green', tz: null, warns: [] },
      [`user_${one.own.id}`]: { xp: 5 },
      blacklist: ['53908099506183680'],
      '613425648685547541': { xp: { rate: 3 } },
      '613425648685547542': '{"xp":',
      '613425648685547543': 'null',
    });
    const { code, stdout, stderr } = await importFile(path, '--rejects', folder.file('rejects.ndjson'));
    expect(code, stderr).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({ changed: 4 });
    expect(await customOf(one)).toMatchObject({
      welcomeMessage: 'Hi {user}, welcome to **{server}**!',
      modLogChannel: one.general,
      autoRoles: [one.roles.member, deleted],
      xpRate: 1.5,
      levelUpMessage: '{user}: {level}',
      noXpChannels: one.quiet,
      muteRole: one.roles.muted,
      warnThresholds: [
        { warns: 3, action: 'mute', minutes: 10 },
        { warns: 5, action: 'ban', minutes: 0 },
      ],
      embedColor: '#57F287',
      timeZone: 'Europe/Berlin',
      ticketCategory: one.category,
      staffRole: one.roles.staff,
    });
    expect(await customOf(two)).toMatchObject({ xpRate: 2, embedColor: '#57F287', timeZone: 'UTC', muteRole: '' });
    expect(await customOf(three)).toMatchObject({ xpRate: 1, embedColor: '#57F287', warnThresholds: [] });
    const rejects = readFileSync(folder.file('rejects.ndjson'), 'utf8').trimEnd().split('\n');
    const named = rejects.map((line) => JSON.parse(line) as { readonly key: string; readonly field?: string });
    const fieldsOf = (key: string) => named.filter((one) => one.key === key).map(({ field }) => field?.slice(7));
    expect(fieldsOf(one.own.id)).toEqual([]);
    expect(fieldsOf(two.own.id).toSorted()).toEqual(
      ['muteRole', 'noXpChannels', 'staffRole', 'timeZone', 'warnThresholds', 'welcomeMessage'].toSorted(),
    );
    expect(fieldsOf(three.own.id)).toEqual(['xpRate']);
    expect(fieldsOf('613425648685547542')).toEqual([undefined]);
  });

  test.skipIf(!HAS_BROWSER)('changes them on the page by the keyboard alone', async () => {
    const guild = await addGuild('By keyboard');
    const { own, general, category, quiet, roles } = guild;
    await using page = await world.open(own.manager, own.path);
    const settings = new SettingsPage(page);
    const { keyboard } = page;
    await settings.live();
    const errors = errorsOf(page);
    const reachField = (name: string) => tabTo(page, `${FOCUSED_FIELD} === 'custom.${name}'`);
    const openGroup = async (name: string) => {
      const isLink = `document.activeElement?.closest('nav a')?.textContent.startsWith('${name}')`;
      await tabTo(page, isLink);
      await keyboard.press('Enter');
      await page.getByRole('region', { name }).waitFor();
    };
    const type = async (name: string, typed: string) => {
      await reachField(name);
      await keyboard.press('ControlOrMeta+a');
      await keyboard.type(typed);
    };
    /** Picks the first search result for each of the texts. */
    const pick = async (name: string, ...typed: readonly string[]) => {
      await reachField(name);
      // The list of options appears with the picker, which is loaded for it.
      await page.locator(':focus[aria-autocomplete]').waitFor();
      for (const one of typed) {
        await keyboard.press('ControlOrMeta+a');
        await keyboard.type(one);
        const option = page.getByRole('option', { name: new RegExp(one, 'i') });
        await option.and(page.locator('[data-focused]')).waitFor();
        await keyboard.press('Enter');
      }
    };
    const reachCell = (label: string) => tabTo(page, `document.activeElement?.labels?.[0]?.textContent === '${label}'`);

    await type('embedColor', '57f287');
    await pick('timeZone', 'europe/berlin');
    await openGroup('Welcome');
    await type('welcomeMessage', 'Hi {user}!');
    await pick('autoRoles', 'member', 'staff');
    await openGroup('Levels');
    await type('xpRate', '1.5');
    await type('levelUpMessage', '{user}: {level}');
    await pick('noXpChannels', ...quiet.map((_, index) => nameAt(index)));
    await openGroup('Moderation');
    await pick('modLogChannel', 'general');
    await pick('staffRole', 'staff');
    await pick('muteRole', 'muted');
    await reachField('warnThresholds');
    await tabTo(page, "document.activeElement?.matches('[data-add]')");
    await keyboard.press('Enter');
    for (const [cell, typed] of Object.entries({ Warnings: '3', Minutes: '10' })) {
      await reachCell(cell);
      await keyboard.press('ControlOrMeta+a');
      await keyboard.type(typed);
    }
    await openGroup('Tickets');
    await pick('ticketCategory', 'tickets');
    await press(page, 'Save');
    await settings.shows(/^Saved\. Live/);
    expect(await customOf(guild)).toMatchObject({
      welcomeMessage: 'Hi {user}!',
      modLogChannel: general,
      autoRoles: [roles.member, roles.staff],
      xpRate: 1.5,
      levelUpMessage: '{user}: {level}',
      noXpChannels: quiet,
      muteRole: roles.muted,
      embedColor: '#57F287',
      timeZone: 'Europe/Berlin',
      ticketCategory: category,
      staffRole: roles.staff,
      warnThresholds: [{ warns: 3, action: 'mute', minutes: 10 }],
    });
    await press(page, 'Undo');
    await settings.shows('Undone.');
    expect(await customOf(guild)).toMatchObject({ xpRate: 1, noXpChannels: [], embedColor: '#5865F2' });
    expect(errors).toEqual([]);
  });

  test('changes them in the chat, reads them typed, and keeps all where they are renamed, narrowed and widened', async () => {
    const guild = await addGuild('Moved');
    const { own, general, category, quiet, roles } = guild;
    const chat = talkToBot(world.discord, own.manager.id, general);
    const ask = (command: string, values = {}) => chat.slash(`settings ${command}`, values);
    const replica = openReplica({
      apiUrl: world.url,
      credentials: tokenOf('application'),
      path: folder.file('replica.db'),
      settings: example,
    });
    resources.use({ [Symbol.asyncDispose]: () => replica.close() });
    await replica.waitUntilLive();

    const typed: Readonly<Record<string, string>> = {
      welcomeMessage: 'Hi {user}, you are member {count}!',
      modLogChannel: '#general',
      autoRoles: 'Member, Staff',
      xpRate: '1.5',
      levelUpMessage: '{user} → {level}',
      noXpChannels: quiet.map((id) => `<#${id}>`).join(' '),
      muteRole: 'muted',
      embedColor: 'green',
      timeZone: 'berlin',
      ticketCategory: category,
      staffRole: `<@&${roles.staff}>`,
    };
    await waitUntil(async () => (await ask('show')).includes('Time zone'), { message: 'the texts of the settings' });
    for (const [setting, value] of Object.entries(typed)) {
      expect(await ask('set', { setting, value }), setting).toMatch(/→|Nothing was changed/);
    }
    // The rows of a table are edited on the page.
    const link = await ask('set', { setting: 'warnThresholds', value: '3 mute' });
    expect(link).toContain(`${world.url}/guilds/${own.id}`);
    const warnThresholds = [{ warns: 3, action: 'mute', minutes: 10 }] as const;
    await own.change(own.manager, { custom: { warnThresholds } });

    const all = {
      welcomeMessage: 'Hi {user}, you are member {count}!',
      modLogChannel: general,
      autoRoles: [roles.member, roles.staff],
      xpRate: 1.5,
      levelUpMessage: '{user} → {level}',
      noXpChannels: quiet,
      muteRole: roles.muted,
      warnThresholds,
      embedColor: '#57F287',
      timeZone: 'Europe/Berlin',
      ticketCategory: category,
      staffRole: roles.staff,
    } as const;
    expect(await customOf(guild)).toMatchObject(all);
    await waitUntil(() => replica.get(own.id).custom.warnThresholds.length === 1, { message: 'the replica' });
    const { custom } = replica.get(own.id);
    expect(custom).toMatchObject(all);
    const read: readonly [
      rate: number,
      action: 'mute' | 'kick' | 'ban' | undefined,
      zone: string,
      channels: readonly string[],
    ] = [custom.xpRate, custom.warnThresholds[0]?.action, custom.timeZone, custom.noXpChannels];
    expect(read).toEqual([1.5, 'mute', 'Europe/Berlin', quiet]);

    // Later declarations: another name, narrower limits, and a list instead of a single value.
    const { muteRole, staffRole, xpRate, noXpChannels, volume, ...others } = example.settings;
    const later: Named = {
      ...others,
      mutedRole: { ...muteRole, was: 'muteRole' },
      staffRoles: { ...staffRole, was: 'staffRole', many: { max: 5 } },
      xpRate: { ...xpRate, max: 1 },
      noXpChannels: { ...noXpChannels, many: { max: 10 } },
      volume: { ...volume, kind: 'number', decimals: 1 },
    };
    await own.change(own.manager, { custom: { volume: 70 } });
    const before = await own.entries();
    await redeclare({ ...example, settings: later });
    const { muteRole: muted, staffRole: staff, ...same } = all;
    expect(await customOf(guild)).toMatchObject({ ...same, mutedRole: muted, staffRoles: [staff], volume: 70 });
    const after = await own.entries();
    expect(after.map(({ revision }) => revision)).toEqual(before.map(({ revision }) => revision));
    expect(after.flatMap(({ changes }) => Object.keys(changes))).toContain('custom.mutedRole');
    await replica.waitUntilLive();
    await waitUntil(() => replica.get(own.id).custom.volume === 70, { message: 'the replica of before' });
    expect(replica.get(own.id).custom).toMatchObject({ ...same, muteRole: muted });

    // Both names are accepted, invalid values stay, and changes can be undone.
    await own.change(own.manager, { custom: { muteRole: roles.staff } });
    expect(await customOf(guild)).toMatchObject({ ...same, mutedRole: roles.staff });
    const [{ revision = 0, changes = {} } = {}] = await own.entries();
    expect(changes).toEqual({ 'custom.mutedRole': { from: muted, to: roles.staff } });
    await own.call(own.manager, { method: 'POST', path: `${own.path}/history/${revision}/undo` });
    expect(await customOf(guild)).toMatchObject({ ...same, mutedRole: muted, staffRoles: [staff] });
    await waitUntil(async () => (await ask('show')).includes('Time zone'), { message: 'the bot' });
    expect(await ask('set', { setting: 'mutedRole', value: 'staff' })).toContain('→');
    const refused = await own
      .call(own.manager, { method: 'PATCH', path: own.path, body: { custom: { xpRate: 2 } } })
      .then(
        ({ status }) => status,
        (error: unknown) => String(error),
      );
    expect(refused).toSatisfy((text: unknown) => text === 400 || String(text).includes('400'));
    const widening = (await own.entries()).find(({ changes: made }) => made['custom.staffRoles'] !== undefined);
    await own.call(own.manager, { method: 'POST', path: `${own.path}/history/${widening?.revision}/undo` });
    expect(await customOf(guild)).toMatchObject({ staffRoles: [], xpRate: 1.5 });
  });
});

const nameAt = (index: number) => `quiet-${String(index).padStart(2, '0')}`;

const FOCUSED_FIELD = "document.activeElement?.closest('[data-field]')?.dataset.field";

/** Presses Tab until an expression is true for the focused element. */
async function tabTo(page: Page, expression: string): Promise<void> {
  for (let steps = 0; steps < 200; steps += 1) {
    if (await page.evaluate<boolean>(`Boolean(${expression})`)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Expected to reach ${expression} with the Tab key`);
}
