import { LANGUAGES } from '@guild-settings/contract';
import { type Declaration, defineSettings } from '@guild-settings/contract/settings';
import { PEOPLE } from '@guild-settings/discord-sim/testing/world';
import { waitUntil } from '@guild-settings/testing';
import { PermissionFlagsBits } from 'discord.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DeskGuild, startSettingsDesk } from './testing/settings-desk.ts';

const { manager } = PEOPLE;
const label = (text: string, ru = text) => ({ 'en-US': text, ru });
const GONE = '300000000000099999';

const DECLARATION: Declaration = defineSettings({
  groups: { welcome: { label: label('Welcome', 'Приветствие') }, strange: { label: label('Strange \u202ez') } },
  features: { music: { label: label('Music and more', 'Музыка') }, polls: { label: label('Polls', 'Опросы') } },
  settings: {
    welcomeOn: { kind: 'switch', default: true, group: 'welcome', label: label('Message', 'Сообщение') },
    welcomeMessage: { kind: 'text', max: 200, default: 'Welcome!', group: 'welcome', label: label('Text', 'Текст') },
    title: { kind: 'text', max: 80, group: 'strange', label: label('Message') },
    xpRate: { kind: 'integer', min: 0, max: 5_000, default: 5, unit: '%', label: label('Rate') },
    cooldown: { kind: 'duration', min: 0, max: 86_400, default: 60, label: label('Cooldown') },
    logLevel: {
      kind: 'choice',
      choices: { off: label('Off', 'Ничего'), all: label('Everything', 'Всё'), some: label('all') },
      default: 'off',
      label: label('Log level'),
    },
    events: {
      kind: 'choice',
      choices: { joins: label('Joins', 'Входы'), 'voice and stage': label('Voice, and stage') },
      default: ['joins'],
      many: { max: 2 },
      label: label('Events'),
    },
    logChannel: { kind: 'channel', label: label('Log channel') },
    helper: { kind: 'role', label: label('Helper') },
    words: { kind: 'text', max: 90, many: { max: 9 }, default: ['a', 'b'], label: label('Words') },
    rates: { kind: 'integer', min: 1, max: 9, many: { max: 3 }, unit: '%', label: label('Rates') },
    roles: { kind: 'role', many: { max: 5 }, label: label('Roles') },
    ignored: { kind: 'channel', many: { max: 5 }, label: label('Ignored') },
    premium: { kind: 'switch', setBy: 'application', label: label('Premium') },
  },
});

/** Values that are not the defaults. */
const valuesIn = ({ channel }: DeskGuild, role: string) => ({
  prefix: '?',
  announcement_channel: channel,
  beta: true,
  enabledFeatures: ['music', 'polls', 'own'],
  custom: {
    welcomeOn: false,
    welcomeMessage: `Hello, {user}! ${'This text is too long for a suggestion. '.repeat(2)}`.trim(),
    title: 'Sale (now)',
    xpRate: 1_500,
    cooldown: 5_400,
    logLevel: 'some',
    events: ['voice and stage', 'joins'],
    logChannel: channel,
    helper: role,
    words: ['one two', 'three'],
    rates: [1, 2],
    roles: [role],
    ignored: [channel],
  },
});

const desk = await startSettingsDesk(12, { declaration: DECLARATION });
afterAll(() => desk[Symbol.asyncDispose]());
const { people, messages, world } = desk.discord;

type Locale = (typeof LANGUAGES)[number];

const suggestions = ({ channel }: DeskGuild, command: string, values: Record<string, string>, locale: Locale) =>
  people
    .type(manager.id, channel, `settings ${command}`, values, Object.keys(values).at(-1) ?? '', { locale })
    .suggestions();
const use = async (guild: DeskGuild, command: string, values: Record<string, string>, locale: Locale = 'en-US') =>
  (await desk.slash(guild, `settings ${command}`, values, { locale })).content;
const storedIn = async (guild: DeskGuild) => {
  const { id: _, name: _name, icon: _icon, ...settings } = await desk.recordOf(guild);
  return settings as unknown as Record<string, unknown> & { readonly custom: Record<string, unknown> };
};
const stored = async (guild: DeskGuild, field: string) => {
  const { custom, ...record } = await storedIn(guild);
  return field.startsWith('custom.') ? custom[field.slice('custom.'.length)] : record[field];
};

function addRole({ id: guildId }: DeskGuild, name: string, number = 1): string {
  const id = `21000000000${number}${guildId.slice(-5)}`;
  world.addRole({ id, guildId, name });
  return id;
}

beforeAll(async () => {
  const guild = desk.nextGuild();
  await waitUntil(async () => (await suggestions(guild, 'set', { setting: 'log level' }, 'en-US')).length > 0, {
    message: 'the texts of the settings',
  });
});

test.each(process.env.THOROUGH ? LANGUAGES : ['ja' as const])(
  'in %s, the text of each suggested value means the value',
  async (language) => {
    const guild = desk.nextGuild();
    const values = valuesIn(guild, addRole(guild, 'Helpers'));
    await desk.change(guild, { ...values, language } as never);
    const before = await storedIn(guild);
    const fields = [
      ...Object.keys(before).filter((name) => name !== 'custom'),
      ...Object.keys(values.custom).map((name) => `custom.${name}`),
    ];
    let count = 0;
    for (const setting of fields) {
      for (const { name, value } of await suggestions(guild, 'set', { setting, value: '' }, language)) {
        // Discord sends a choice as its value, so the text must have the same meaning.
        await use(guild, 'set', { setting, value: String(value) }, language);
        const meant = await stored(guild, setting);
        await desk.change(guild, { ...values, language } as never);
        const shown = await use(guild, 'set', { setting, value: name }, language);
        expect(await stored(guild, setting), `${setting} ${name}: ${shown}`).toEqual(meant);
        await desk.change(guild, { ...values, language } as never);
        count += 1;
      }
    }
    // The current value and the default of each, except for values that cannot be typed, and the other choices.
    expect(count).toBeGreaterThan(2 * fields.length);
  },
);

test('a person types what their own client suggests, also where the guild has another language', async () => {
  const guild = desk.nextGuild();
  await desk.change(guild, { custom: { logLevel: 'all' } } as never);
  for (const [setting, value, field, expected] of [
    ['Приветствие · Сообщение', 'выкл', 'custom.welcomeOn', false],
    ['custom.logLevel', 'Ничего (по умолчанию)', 'custom.logLevel', 'off'],
    ['custom.logLevel', 'Всё', 'custom.logLevel', 'all'],
  ] as const) {
    await use(guild, 'set', { setting, value }, 'ru');
    expect(await stored(guild, field)).toBe(expected);
  }
  expect(await use(guild, 'enable', { feature: 'Опросы' }, 'ru')).toContain('Polls');
  expect(await use(guild, 'set', { setting: '🔒 Premium', value: 'on' })).toBe(
    '**Premium** is set by the bot’s team. It cannot be changed here.',
  );
  await use(guild, 'set', { setting: 'prefix', value: '?' });
  expect(await use(guild, 'reset', { setting: 'все' }, 'ru')).toContain('`?` → `!`');
});

test('the remark of a value that is no longer suggested is none of a number, a choice, a switch or a list', async () => {
  const guild = desk.nextGuild();
  for (const [setting, value, expected] of [
    ['custom.xpRate', '7 % (now)', 7],
    ['custom.xpRate', '8 %（初期値）', 8],
    ['custom.logLevel', 'Everything (ahora)', 'all'],
    ['custom.welcomeOn', 'off (default)', false],
    ['custom.events', 'none (сейчас)', []],
    ['enabledFeatures', 'polls, music (अभी)', ['polls', 'music']],
    ['enabledFeatures', 'none (default)', []],
    ['prefix', 'none (now)', ''],
    ['custom.words', 'none (now)', []],
  ] as const) {
    await use(guild, 'set', { setting, value });
    expect(await stored(guild, setting), value).toEqual(expected);
  }
});

test('a text that only looks like a suggestion is taken as it is', async () => {
  const guild = desk.nextGuild();
  for (const [setting, value] of [
    ['custom.title', 'Open (now)'],
    ['custom.title', 'none of it (default)'],
    ['custom.title', 'Sale!! (now)'],
    ['custom.welcomeMessage', 'Welcome! (now) or later'],
    ['custom.welcomeMessage', 'Welcome, all! (default)'],
    ['prefix', '(now)'],
    ['prefix', 'hey (now)'],
  ] as const) {
    await use(guild, 'set', { setting, value });
    expect(await stored(guild, setting)).toBe(value);
  }
  await use(guild, 'set', { setting: 'custom.words', value: 'a (now), x and y' });
  expect(await stored(guild, 'custom.words')).toEqual(['a (now)', 'x and y']);
});

test('the default that is in use means itself with either remark, also in a message', async () => {
  const guild = desk.nextGuild();
  for (const value of ['! (default)', '! (now)']) {
    expect(await use(guild, 'set', { setting: 'prefix', value })).toBe(
      '**prefix** is already `!`. Nothing was changed.',
    );
  }
  const sent = people.sendMessage(manager.id, guild.channel, '!settings set prefix ! (default)');
  expect((await messages.waitFor(({ replyTo }) => replyTo === sent.id)).content).toContain('already `!`');
});

test('channels and roles are suggested by their names, which their text means, and deleted ones by their ids', async () => {
  const guild = desk.nextGuild();
  const [first, second, third] = [1, 2, 3].map((number) => addRole(guild, number < 3 ? 'Helpers' : '@mods', number));
  const hidden = `3100000000000${guild.id.slice(-5)}`;
  world.addChannel({ id: hidden, guildId: guild.id, name: 'secret' });
  world.setChannelPermissions(hidden, { [manager.id]: { deny: PermissionFlagsBits.ViewChannel } });
  const custom = { roles: [first, second, third, GONE], ignored: [guild.channel, hidden, GONE], helper: third };
  await desk.change(guild, { custom } as never);
  const names = async (setting: string) =>
    (await suggestions(guild, 'remove', { setting, item: '' }, 'en-US')).map(({ name }) => name);
  expect(await names('roles')).toEqual([`@Helpers (${first})`, `@Helpers (${second})`, '@mods', GONE]);
  // A manager who cannot see a channel does not learn its name.
  expect(await names('ignored')).toEqual(['#general', hidden, GONE]);
  expect(await suggestions(guild, 'set', { setting: 'helper', value: 'mod' }, 'en-US')).toEqual([
    { name: '@mods (now)', value: third },
  ]);
  await use(guild, 'remove', { setting: 'roles', item: `@Helpers (${second})` });
  await use(guild, 'remove', { setting: 'roles', item: '@mods' });
  expect(await stored(guild, 'custom.roles')).toEqual([first, GONE]);
  await use(guild, 'remove', { setting: 'ignored', item: '#general' });
  expect(await stored(guild, 'custom.ignored')).toEqual([hidden, GONE]);
});
