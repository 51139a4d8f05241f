import { type Declaration, defineSettings } from '@guild-settings/contract/settings';
import type { DiscordSim, ModalValues } from '@guild-settings/discord-sim';
import { APPLICATION, PEOPLE } from '@guild-settings/discord-sim/testing/world';
import { waitUntil } from '@guild-settings/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DeskGuild, startSettingsDesk } from './testing/settings-desk.ts';

const { manager } = PEOPLE;
const ROLE = '2100000000000000001';
const label = (text: string) => ({ 'en-US': text });
const STRANGE = '**<b>** <@1> @everyone {{x}} \u202ez';
const NEW = '🎉'.repeat(1_000);
const LINES = `${'👋🏽 *hi* {user}\n'.repeat(120)}${'x'.repeat(200)}`.slice(0, 1_999);

const DECLARATION: Declaration = defineSettings({
  groups: {
    welcome: { label: { 'en-US': 'Welcome', ru: 'Приветствие' }, enabledBy: 'welcomeOn' },
    strange: { label: label(STRANGE) },
  },
  features: { music: { label: label('Music *and* more') }, polls: { label: label('Polls') } },
  settings: {
    welcomeOn: {
      kind: 'switch',
      default: false,
      group: 'welcome',
      label: { 'en-US': 'Greet new members', ru: 'Встречать' },
    },
    greeting: { kind: 'text', lines: 'many', max: 2_000, default: 'Hello', group: 'welcome', label: label('Greeting') },
    signature: { kind: 'text', max: 40, default: 'none', group: 'strange', label: label(STRANGE) },
    xpRate: { kind: 'integer', min: 0, max: 100, default: 5, unit: '%', label: label('Experience rate') },
    cooldown: { kind: 'duration', min: 0, max: 86_400, default: 60, label: label('Cooldown') },
    logLevel: {
      kind: 'choice',
      choices: { off: label('Nothing'), all: label('Everything') },
      default: 'off',
      label: label('Log level'),
    },
    logChannel: { kind: 'channel', types: ['text'], label: label('Log channel') },
    helper: { kind: 'role', label: label('Helper role') },
    words: { kind: 'text', max: 20, many: { max: 5 }, label: label('Blocked words') },
    rates: { kind: 'integer', min: 1, max: 9, many: { max: 3 }, label: label('Rates') },
    levels: {
      kind: 'choice',
      choices: { one: label('First'), two: label('Second') },
      many: { max: 2 },
      label: label('Levels'),
    },
    roles: { kind: 'role', many: { max: 3 }, label: label('Own roles') },
    premium: { kind: 'switch', default: false, setBy: 'application', label: label('Premium') },
  },
});

const env = { DASHBOARD_URL: 'https://settings.example' };
const desk = await startSettingsDesk(25, { declaration: DECLARATION, env });
const { discord } = desk;
const { people, world } = discord;
afterAll(() => desk[Symbol.asyncDispose]());

const typing = (guild: DeskGuild, command: string, values: Record<string, string>, focused: string, locale = 'en-US') =>
  people
    .type(manager.id, guild.channel, `settings ${command}`, values, focused, { locale: locale as 'ru' })
    .suggestions();
const namesOf = async (...call: Parameters<typeof typing>) => (await typing(...call)).map(({ name }) => name);
const ask = async (guild: DeskGuild, command: string, values: Record<string, string> = {}) =>
  (await desk.slash(guild, `settings ${command}`, values)).content;
const storedOf = async (guild: DeskGuild, name: string) =>
  ((await desk.recordOf(guild)) as { custom?: Record<string, unknown> }).custom?.[name];

/** Opens the form of a setting, when the bot has every change. */
async function open(guild: DeskGuild, setting: string) {
  await desk.change(guild, {});
  const used = people.slash(manager.id, guild.channel, 'settings set', { setting });
  return { id: used.id, modal: await used.modal() };
}

async function fillIn(guild: DeskGuild, setting: string, value: ModalValues[string]) {
  const { id } = await open(guild, setting);
  return (await people.submit(manager.id, id, { value }).reply()).content;
}

/** Undoes the newest change. */
async function undo(guild: DeskGuild) {
  const question = await desk.slash(guild, 'settings undo');
  desk.press(question, 'Undo');
  return (await desk.edited(question)).content;
}

beforeAll(async () => {
  const first = desk.nextGuild();
  await waitUntil(async () => (await namesOf(first, 'set', {}, 'setting')).includes('Log level'), {
    message: 'the texts of the settings',
  });
});

const HERE = 'the channel of the guild';

describe('each kind is set by a typed value and in its form, emptied, reset and undone:', () => {
  test.each<
    [
      name: string,
      typed: string,
      set: unknown,
      ModalValues[string],
      filled: unknown,
      ModalValues[string],
      empty: unknown,
    ]
  >([
    ['welcomeOn', 'on', true, ['on'], true, ['off'], false],
    ['greeting', 'Hi  there', 'Hi  there', 'none', 'none', '', ''],
    ['signature', 'Me', 'Me', 'none ', 'none ', '', ''],
    ['xpRate', '7 %', 7, '8', 8, '0', 0],
    ['cooldown', '1h 30m', 5_400, '90s', 90, '0', 0],
    ['logLevel', 'everything', 'all', ['all'], 'all', ['off'], 'off'],
    ['logChannel', `<#${HERE}>`, HERE, [HERE], HERE, [], ''],
    ['helper', `<@&${ROLE}>`, ROLE, [ROLE], ROLE, [], ''],
    ['words', 'a b, c', ['a b', 'c'], 'none\n d, e \n\nf', ['none', 'd, e', 'f'], '', []],
    ['rates', '1, 2', [1, 2], '3\n4', [3, 4], '', []],
    ['levels', 'second', ['two'], ['one', 'two'], ['one', 'two'], [], []],
    ['roles', ROLE, [ROLE], [ROLE], [ROLE], [], []],
  ])('%s', async (name, typed, set, form, filled, blank, empty) => {
    const guild = desk.nextGuild();
    world.addRole({ id: `${ROLE.slice(0, -4)}${guild.id.slice(-4)}`, guildId: guild.id, name: 'Helpers' });
    const inGuild = <Value>(value: Value): Value =>
      JSON.parse(
        JSON.stringify(value)
          .replaceAll(HERE, guild.channel)
          .replaceAll(ROLE, `${ROLE.slice(0, -4)}${guild.id.slice(-4)}`),
      );
    const before = await storedOf(guild, name);
    expect(await ask(guild, 'set', { setting: `custom.${name}`, value: inGuild(typed) })).toContain('→');
    expect(await storedOf(guild, name)).toEqual(inGuild(set));
    await fillIn(guild, name, inGuild(form));
    expect(await storedOf(guild, name)).toEqual(inGuild(filled));
    await fillIn(guild, name, blank);
    expect(await storedOf(guild, name)).toEqual(empty);
    // The form shows what is there: submitting it as it is changes nothing.
    const { id } = await open(guild, name);
    expect((await people.submit(manager.id, id).reply()).content).toContain('Nothing was changed.');
    await ask(guild, 'reset', { setting: name });
    expect(await storedOf(guild, name)).toEqual(before);
    expect(await undo(guild)).toContain('was undone');
    expect(await storedOf(guild, name)).toEqual(empty);
  });
});

test('2,000 characters with line breaks and emoji come back exactly from the form', async () => {
  const guild = desk.nextGuild();
  for (const text of [LINES, NEW]) {
    await fillIn(guild, 'greeting', text);
    expect(await storedOf(guild, 'greeting')).toBe(text);
    const { modal } = await open(guild, 'greeting');
    expect(modal).toMatchObject({
      title: 'Welcome',
      components: [{ label: 'Greeting', component: { style: 2, value: text } }],
    });
  }
  expect(await fillIn(guild, 'greeting', 'x'.repeat(2_001))).toContain('At most 2000 characters');
});

test('an item that a list cannot have is refused, and features are switched by their names and labels', async () => {
  const guild = desk.nextGuild();
  expect(await ask(guild, 'add', { setting: 'words', item: 'x'.repeat(21) })).toContain('At most 20 characters');
  expect(await ask(guild, 'add', { setting: 'greeting', item: 'x' })).toContain('is not a list');
  expect(await ask(guild, 'enable', { feature: 'music' })).toContain('Music');
  expect(await ask(guild, 'enable', { feature: 'Polls' })).toContain('Polls');
  expect(await ask(guild, 'disable', { feature: 'music' })).toContain('→ Polls');
});

test('what the application sets is shown as locked, and refused', async () => {
  const guild = desk.nextGuild();
  expect((await desk.slash(guild, 'settings show')).content).toContain('🔒 **Premium**: off');
  for (const command of ['set', 'reset']) {
    const answer = await ask(guild, command, { setting: 'premium', ...(command === 'set' && { value: 'on' }) });
    expect(answer).toBe("**Premium** is set by the bot's team. It cannot be changed here.");
  }
  await desk.change(guild, { custom: { xpRate: 9 } });
  expect(await ask(guild, 'reset', { setting: 'all' })).toContain('**Experience rate**: `9 %` → `5 %`');
});

test('160 settings fit: none is part of the commands, and at most 25 are suggested', async () => {
  const names = Array.from({ length: 160 }, (_, index) => `setting${index}`);
  const declared = names.map((name, index) => {
    const range = { min: 0, max: 9, default: 0 };
    return [name, { kind: 'integer' as const, ...range, label: label(`Number ${index}`), group: `g${index % 20}` }];
  });
  const groups = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`g${at}`, { label: label(`Group ${at}`) }]));
  const declaration = { groups, settings: Object.fromEntries(declared) } as Declaration;
  await using large = await startSettingsDesk(1, { declaration });
  expect(commandsOf(large.discord)).toEqual(commandsOf(discord));
  const guild = large.nextGuild();
  const suggest = async (typed: string) => {
    const found = large.discord.people.type(manager.id, guild.channel, 'settings set', { setting: typed }, 'setting');
    return (await found.suggestions()).map(({ name }) => name);
  };
  await waitUntil(async () => (await suggest('number 159')).includes('Group 19 · Number 159'), {
    message: 'the texts',
  });
  expect(await suggest('')).toHaveLength(25);
  const found = await suggest('number 15');
  expect(found[0]).toBe('Group 15 · Number 15');
  expect(found).toHaveLength(11);
  const used = large.discord.people.slash(manager.id, guild.channel, 'settings set', { setting: 'setting159' });
  expect((await used.modal()).components).toMatchObject([{ label: 'Number 159' }]);
});

/** Returns what is registered, without ids. */
function commandsOf({ world: registry }: DiscordSim) {
  return registry.commandsOf(APPLICATION.id).map(({ name, options }) => ({ name, options }));
}
