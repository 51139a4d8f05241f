import { type Declaration, defineSettings } from '@guild-settings/contract/settings';
import type { DiscordSim, ModalValues } from '@guild-settings/discord-sim';
import { APPLICATION, PEOPLE } from '@guild-settings/discord-sim/testing/world';
import { waitUntil } from '@guild-settings/testing';
import { FORTY_SETTINGS } from '@guild-settings/testing/every-kind';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DeskGuild, startSettingsDesk } from './testing/settings-desk.ts';

const { manager, member, owner, stranger } = PEOPLE;
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
    rate: { kind: 'number', min: 0, max: 10, decimals: 2, default: 1, unit: '×', label: label('Rate') },
    wake: { kind: 'time', default: '08:00', label: label('Wake up') },
    zone: { kind: 'timeZone', label: label('Time zone') },
    accent: { kind: 'color', default: '#5865F2', label: label('Accent') },
    leader: { kind: 'user', label: label('Leader') },
    mark: { kind: 'emoji', label: label('Mark') },
    team: { kind: 'user', many: { max: 100 }, label: label('Team') },
    marks: { kind: 'emoji', many: { max: 100 }, label: label('Marks') },
    everywhere: { kind: 'channel', many: { max: 100 }, label: label('Everywhere') },
    newName: { kind: 'text', max: 9, was: ['oldName', 'olderName'], label: label('Renamed') },
    farewell: {
      kind: 'text',
      max: 200,
      placeholders: { user: label('Member'), server: label('Server') },
      label: label('Farewell'),
    },
    levelRoles: {
      kind: 'table',
      max: 5,
      group: 'welcome',
      columns: {
        level: { kind: 'integer', min: 1, max: 99, label: label('Level') },
        role: { kind: 'role', label: label('Role') },
      },
      label: label('Level roles'),
    },
    premium: { kind: 'switch', default: false, setBy: 'application', label: label('Premium') },
  },
});

const env = { DASHBOARD_URL: 'https://settings.example' };
const desk = await startSettingsDesk(40, { declaration: DECLARATION, env });
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
    ['rate', '1.5 ×', 1.5, '2.25', 2.25, '0', 0],
    ['wake', '18:30', '18:30', '09:05', '09:05', '00:00', '00:00'],
    ['zone', 'Europe/Berlin', 'Europe/Berlin', 'Asia/Tokyo', 'Asia/Tokyo', 'Etc/UTC', 'Etc/UTC'],
    ['accent', '#58f', '#5588FF', '2ecc71', '#2ECC71', '#000000', '#000000'],
    ['leader', 'mika', manager.id, [owner.id], owner.id, [], ''],
    ['mark', ' 👋 ', '👋', '🎉', '🎉', '', ''],
    ['team', `<@${manager.id}>, @ravi ${owner.id}`, [manager.id, member.id, owner.id], [owner.id], [owner.id], [], []],
    ['marks', '👋🎉 ✅, 👋', ['👋', '🎉', '✅'], '🎉\n❤️', ['🎉', '❤️'], '', []],
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
    // The form has the present values: submitting it unchanged changes nothing.
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
  const long = `${'x'.repeat(2_000)}y`;
  const { id } = await open(guild, 'greeting');
  const refused = people.submit(manager.id, id, { value: long });
  expect((await refused.reply()).content).toContain('At most 2000 characters');
  const parts = () => refused.messages().slice(1);
  await waitUntil(() => parts().length === 2, { message: 'the text, which is longer than a message' });
  expect(parts().map(({ content }) => content)).toEqual(['x'.repeat(2_000), 'y']);
  expect(parts().every(({ ephemeral }) => ephemeral)).toBe(true);
});

test('an item that a list cannot have is refused, and features are switched by their names and labels', async () => {
  const guild = desk.nextGuild();
  expect(await ask(guild, 'add', { setting: 'words', item: 'x'.repeat(21) })).toContain('At most 20 characters');
  expect(await ask(guild, 'add', { setting: 'greeting', item: 'x' })).toContain('is not a list');
  expect(await ask(guild, 'enable', { feature: 'music' })).toContain('Music');
  expect(await ask(guild, 'enable', { feature: 'Polls' })).toContain('Polls');
  expect(await ask(guild, 'disable', { feature: 'music' })).toContain('→ Polls');
});

test('members are named as people see them, and other people are not taken', async () => {
  const guild = desk.nextGuild();
  world.addMember(guild.id, stranger.id, { permissions: 0n });
  world.setNickname(guild.id, stranger.id, 'Big, Boss');
  for (const value of ['Big, Boss', '@big, boss', 'SOFIA', stranger.id, `<@!${stranger.id}>`]) {
    expect(await ask(guild, 'set', { setting: 'leader', value })).toContain(`→ <@${stranger.id}>`);
    await desk.change(guild, { custom: { leader: '' } });
  }
  await ask(guild, 'set', { setting: 'team', value: 'Ольга, Big, Boss मीका mika' });
  expect(await ask(guild, 'set', { setting: 'team', value: 'Ольга, Big, Boss @mika' })).toContain('→');
  expect(await storedOf(guild, 'team')).toEqual([owner.id, stranger.id, manager.id]);
  expect(await ask(guild, 'remove', { setting: 'team', item: 'big, boss' })).toContain('→');
  expect(await storedOf(guild, 'team')).toEqual([owner.id, manager.id]);
  for (const value of ['nobody', '53908099506183999', `<@${APPLICATION.id.replace('8', '9')}>`]) {
    expect(await ask(guild, 'set', { setting: 'leader', value })).toContain(
      `Enter a member of this server, such as <@${manager.id}>, or \`none\`.`,
    );
  }
});

test('zones and colors are suggested by their names, which are read, and emoji of the guild by theirs', async () => {
  const guild = desk.nextGuild();
  const emoji = `41${guild.id.slice(2)}`;
  world.addEmoji({ guildId: guild.id, id: emoji, name: 'wave' });
  await desk.restartBot();
  const wave = `<:wave:${emoji}>`;
  const offered = async (setting: string, value: string) => {
    const found = await typing(guild, 'set', { setting, value }, 'value');
    return found.map((one) => [one.name, one.value]);
  };
  await waitUntil(async () => (await offered('accent', 'gold')).length > 0, { message: 'the texts of the settings' });
  expect((await offered('accent', 'gold'))[0]).toEqual(['gold · #F1C40F', '#F1C40F']);
  expect((await offered('zone', 'toky'))[0]).toEqual([
    expect.stringMatching(/^Asia\/Tokyo · Japan Time · \d\d:\d\d$/),
    'Asia/Tokyo',
  ]);
  expect(await offered('mark', 'wav')).toEqual([[':wave:', wave]]);
  for (const [setting, value, expected] of [
    ['accent', 'gold · #F1C40F', '#F1C40F'],
    ['accent', 'Dark Blue', '#206694'],
    ['zone', 'Asia/Tokyo · Japan Time · 09:00', 'Asia/Tokyo'],
    ['zone', 'New York', 'America/New_York'],
    ['mark', ':wave:', wave],
    ['mark', 'WAVE', wave],
  ] as const) {
    expect(await ask(guild, 'set', { setting, value })).toContain('→');
    expect(await storedOf(guild, setting)).toBe(expected);
    await ask(guild, 'reset', { setting });
  }
  await ask(guild, 'set', { setting: 'marks', value: `:wave:🎉 ${wave}` });
  expect(await storedOf(guild, 'marks')).toEqual([wave, '🎉']);
  expect(await ask(guild, 'remove', { setting: 'marks', item: 'wave' })).toContain(`${wave} and 🎉 → 🎉`);
  expect(await fillIn(guild, 'mark', ':wave:')).toContain(`**Mark**: none → ${wave}`);
});

test('a table is shown, reset and undone, and suggested as a list', async () => {
  const guild = desk.nextGuild();
  const rows = [{ level: 5, role: '' }];
  await desk.change(guild, { custom: { levelRoles: rows } } as never);
  expect(await namesOf(guild, 'set', { setting: 'levelRoles', value: '' }, 'value')).toEqual([]);
  expect(await namesOf(guild, 'add', { setting: 'level' }, 'setting')).toEqual(['Levels', 'Welcome · Level roles']);
  const shown = await desk.slash(guild, 'settings show');
  desk.press(shown, 'Next');
  expect((await desk.edited(shown)).content).toContain('**Level roles**: `5`: none');
  expect(await ask(guild, 'reset', { setting: 'levelRoles' })).toContain('**Level roles**: `5`: none → none');
  expect(await undo(guild)).toContain('was undone');
  expect(await storedOf(guild, 'levelRoles')).toEqual(rows);
});

test('a renamed setting is found by each of its names, and shown by the new one', async () => {
  const guild = desk.nextGuild();
  for (const [setting, value] of [
    ['oldName', 'a'],
    ['custom.olderName', 'b'],
    ['newName', 'c'],
  ] as const) {
    expect(await ask(guild, 'set', { setting, value })).toContain(`→ \`${value}\``);
    expect(await storedOf(guild, 'newName')).toBe(value);
  }
  expect(await typing(guild, 'set', { setting: 'oldn' }, 'setting')).toEqual([
    { name: 'Renamed', value: 'custom.newName' },
  ]);
  expect(await ask(guild, 'history', { setting: 'oldName' })).toContain('`b` to `c`');
  expect(await undo(guild)).toContain('was undone');
  expect(await fillIn(guild, 'oldName', 'd')).toContain('**Renamed**: `b` → `d`');
});

test('a form names what is taken, and a list of more than 25 is changed item by item', async () => {
  const guild = desk.nextGuild();
  const hints = async (setting: string) => {
    const { modal } = await open(guild, setting);
    return modal.components.map((row) => ('description' in row ? row.description : undefined));
  };
  expect(await hints('farewell')).toEqual(['Placeholders: {user}, {server}']);
  expect(await hints('wake')).toEqual(['Enter a time of day, such as 18:30.']);
  expect(await hints('zone')).toEqual(['Enter a time zone or a city, such as Europe/Berlin.']);
  expect(await hints('accent')).toEqual(['Enter a color, such as #5865F2 or blurple.']);
  expect(await hints('rate')).toEqual(['0 × – 10 ×']);
  expect(await hints('marks')).toEqual(['Enter an emoji, or none. · One value per line, at most 100']);
  expect(await ask(guild, 'set', { setting: 'farewell', value: 'Bye {usr}' })).toBe(
    'The bot does not replace {usr}. It replaces {user}, {server}',
  );
  const ids = Array.from({ length: 26 }, (_, index) => `31${index + 10}${guild.id.slice(4)}`);
  for (const [index, id] of ids.entries()) world.addChannel({ id, guildId: guild.id, name: `c${index}` });
  const isIn = ({ components }: Awaited<ReturnType<typeof open>>['modal']) => components;
  expect(isIn((await open(guild, 'everywhere')).modal)).toMatchObject([{ component: { max_values: 25 } }]);
  await ask(guild, 'set', { setting: 'everywhere', value: ids.map((_, index) => `#c${index}`).join(' ') });
  expect(await storedOf(guild, 'everywhere')).toEqual(ids);
  expect(await ask(guild, 'set', { setting: 'everywhere' })).toContain('/settings add` and `/settings remove`');
});

test('what the application sets is shown as locked, and refused', async () => {
  const guild = desk.nextGuild();
  expect((await desk.slash(guild, 'settings show')).content).toContain('🔒 **Premium**: off');
  for (const command of ['set', 'reset']) {
    const answer = await ask(guild, command, { setting: 'premium', ...(command === 'set' && { value: 'on' }) });
    expect(answer).toBe('**Premium** is set by the bot’s team. It cannot be changed here.');
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

test('forty settings of all kinds in eight groups are shown a group at a time', async () => {
  await using large = await startSettingsDesk(1, { declaration: FORTY_SETTINGS });
  const guild = large.nextGuild();
  const labels = Object.values(FORTY_SETTINGS.settings ?? {}).map((setting) => setting.label['en-US'] ?? '');
  const groups = Object.values(FORTY_SETTINGS.groups ?? {}).map((group) => group.label['en-US'] ?? '');
  let shown = await large.slash(guild, 'settings show');
  const pages = [shown.content];
  while (pages.length <= groups.length) {
    large.press(shown, 'Next');
    shown = await large.edited(shown);
    pages.push(shown.content);
  }
  expect([...groups, ...labels].filter((label) => !pages.some((page) => page.includes(`**${label}**`)))).toEqual([]);
  expect(pages.join('\n')).toContain('**Warn thresholds**: `3`: `Mute` · `1 hr`');
});

/** Returns the registered commands without ids. */
function commandsOf({ world: registry }: DiscordSim) {
  return registry.commandsOf(APPLICATION.id).map(({ name, options }) => ({ name, options }));
}
