import { type Declaration, defineSettings } from '@guild-settings/contract/settings';
import type { ModalValues } from '@guild-settings/discord-sim';
import { PEOPLE } from '@guild-settings/discord-sim/testing/world';
import { waitUntil } from '@guild-settings/testing';
import { EVERY_KIND } from '@guild-settings/testing/every-kind';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DeskGuild, startSettingsDesk } from './testing/settings-desk.ts';

const { manager, owner } = PEOPLE;
const MINUTE = 60_000;
const label = (text: string, ru = text) => ({ 'en-US': text, ru });
const level = { kind: 'integer', min: 1, max: 500, label: label('Level', 'Уровень') } as const;

const DECLARATION: Declaration = defineSettings({
  groups: { moderation: { label: label('Moderation') } },
  settings: {
    warns: {
      kind: 'table',
      max: 3,
      group: 'moderation',
      columns: {
        warns: { kind: 'integer', min: 1, max: 5_000, label: label('Warnings', 'Предупреждения') },
        action: {
          kind: 'choice',
          choices: { mute: label('Mute', 'Мут'), kick: label('Kick', 'Кик') },
          label: label('Action', 'Действие'),
        },
        duration: { kind: 'duration', min: 0, max: 86_400, default: 600, label: label('Duration', 'Длительность') },
      },
      key: ['warns'],
      label: label('Warn thresholds', 'Пороги'),
    },
    rewards: {
      kind: 'table',
      max: 25,
      columns: { level, role: { kind: 'role', label: label('Role') } },
      label: label('Rewards'),
    },
    first: {
      kind: 'table',
      max: 5,
      columns: {
        enabled: { kind: 'switch', label: label('Enabled') },
        rate: { kind: 'number', min: 0, max: 10, decimals: 2, default: 1.5, unit: '×', label: label('Rate') },
        at: { kind: 'time', label: label('At') },
        zone: { kind: 'timeZone', label: label('Zone') },
        note: { kind: 'text', max: 200, label: label('Note'), description: label('Shown to the team') },
      },
      label: label('First'),
    },
    second: {
      kind: 'table',
      max: 5,
      columns: {
        color: { kind: 'color', default: '#5865F2', label: label('Color') },
        emoji: { kind: 'emoji', label: label('Emoji') },
        channel: { kind: 'channel', types: ['text'], label: label('Channel') },
        role: { kind: 'role', label: label('Role') },
        user: { kind: 'user', label: label('Member') },
      },
      label: label('Second'),
    },
    answers: {
      kind: 'table',
      max: 25,
      columns: {
        trigger: { kind: 'text', max: 100, label: label('Trigger') },
        answer: { kind: 'text', max: 100, label: label('Answer') },
      },
      label: label('Answers *and* more'),
      was: 'replies',
    },
    prices: { kind: 'table', max: 5, columns: { level }, setBy: 'application', label: label('Prices') },
    words: { kind: 'text', max: 20, many: { max: 2 }, label: label('Words') },
    helpers: { kind: 'role', many: { max: 3 }, label: label('Helpers') },
    // A setting with the name of a column.
    user: { kind: 'user', label: label('Leader') },
  },
});

const desk = await startSettingsDesk(26, {
  declaration: DECLARATION,
  env: { DASHBOARD_URL: 'https://settings.example' },
});
afterAll(() => desk[Symbol.asyncDispose]());
const { people, messages, world } = desk.discord;

const ask = async (guild: DeskGuild, command: string, values: Record<string, string> = {}) =>
  (await desk.slash(guild, `settings ${command}`, values)).content;
const put = (guild: DeskGuild, custom: object) => desk.change(guild, { custom } as never);
const storedOf = async (guild: DeskGuild, name: string) =>
  ((await desk.recordOf(guild)) as { custom?: Record<string, unknown> }).custom?.[name];
const rowsLeft = (guild: DeskGuild, setting: string) =>
  desk
    .slash(guild, 'settings remove', { setting, item: 'nothing like it' })
    .then(() => people.type(manager.id, guild.channel, 'settings remove', { setting, item: '' }, 'item').suggestions());
const say = async (guild: DeskGuild, text: string) => {
  const { id } = people.sendMessage(manager.id, guild.channel, text);
  return (await messages.waitFor(({ replyTo }) => replyTo === id)).content;
};

/** Opens the form for an item or a row, when the bot has every change. */
async function open(guild: DeskGuild, setting: string, locale: 'en-US' | 'ru' = 'en-US') {
  await desk.change(guild, {});
  const used = people.slash(manager.id, guild.channel, 'settings add', { setting }, { locale });
  return { id: used.id, modal: await used.modal() };
}

async function fillIn(guild: DeskGuild, setting: string, values: ModalValues) {
  const { id } = await open(guild, setting);
  return people.submit(manager.id, id, values).reply();
}

function addRole({ id: guildId }: DeskGuild, name: string, number = 1): string {
  const id = `21000000000${number}${guildId.slice(-5)}`;
  world.addRole({ id, guildId, name });
  return id;
}

beforeAll(async () => {
  const guild = desk.nextGuild();
  const typed = () => people.type(manager.id, guild.channel, 'settings add', { setting: 'warn' }, 'setting');
  await waitUntil(async () => (await typed().suggestions()).some(({ name }) => name.includes('Warn thresholds')), {
    message: 'the texts of the settings',
  });
});

test('a row is filled in in a form with a field for each column, which has what a new row has', async () => {
  const guild = desk.nextGuild();
  const { modal } = await open(guild, 'warns');
  expect(modal).toMatchObject({
    title: 'Warn thresholds',
    components: [
      { label: 'Warnings', description: '1 – 5,000', component: { type: 4, custom_id: 'warns', required: true } },
      { label: 'Action', component: { type: 3, options: [{ label: 'Mute', default: false }, { label: 'Kick' }] } },
      { label: 'Duration', component: { type: 4, value: '10m' } },
    ],
  });
  expect(modal.components[0]).not.toHaveProperty('component.value');
  const reply = await fillIn(guild, 'warns', { warns: '1,500', action: ['kick'], duration: '1h 30m' });
  expect(reply.content).toContain('**Warn thresholds**: none → `1,500`: `Kick` · `1 hr 30 min`');
  await fillIn(guild, 'warns', { warns: '3', action: ['mute'] });
  expect(await storedOf(guild, 'warns')).toEqual([
    { warns: 1_500, action: 'kick', duration: 5_400 },
    { warns: 3, action: 'mute', duration: 600 },
  ]);
});

test('columns of every kind are filled in, and what is left alone is none or the default', async () => {
  const guild = desk.nextGuild();
  const role = addRole(guild, 'Helpers');
  await fillIn(guild, 'first', { enabled: ['on'], rate: '2.25', at: '9 pm', zone: 'Tokyo', note: 'none, *at* all' });
  await fillIn(guild, 'first', { at: '08:00' });
  expect(await storedOf(guild, 'first')).toEqual([
    { enabled: true, rate: 2.25, at: '21:00', zone: 'Asia/Tokyo', note: 'none, *at* all' },
    { enabled: false, rate: 1.5, at: '08:00', zone: 'UTC', note: '' },
  ]);
  const { content } = await fillIn(guild, 'second', {
    color: 'gold',
    emoji: '🎉',
    channel: [guild.channel],
    role: [role],
    user: [owner.id],
  });
  expect(content).toContain(`\`#F1C40F\`: 🎉 · <#${guild.channel}> · <@&${role}> · <@${owner.id}>`);
  await fillIn(guild, 'second', {});
  expect(await storedOf(guild, 'second')).toEqual([
    { color: '#F1C40F', emoji: '🎉', channel: guild.channel, role, user: owner.id },
    { color: '#5865F2', emoji: '', channel: '', role: '', user: '' },
  ]);
  expect((await open(guild, 'first')).modal.components[4]).toMatchObject({ description: 'Shown to the team' });
});

test('each cell that is wrong is refused by its column, and what was typed is in the reply', async () => {
  const guild = desk.nextGuild();
  const first = await fillIn(guild, 'first', { rate: 'much', at: '25:00', note: 'A **note**' });
  expect(first).toMatchObject({
    content:
      '**Rate**: Enter a number from `0 ×` to `10 ×`.\n**At**: Enter a time of day, such as `18:30`.\n\n' +
      'much\n\n25:00\n\nUTC\n\nA **note**',
    ephemeral: true,
  });
  expect((await fillIn(guild, 'second', { role: [guild.id] })).content).toContain(
    '**Role**: @everyone cannot be chosen here',
  );
  expect((await fillIn(guild, 'warns', { warns: '5001', action: ['mute'] })).content).toContain(
    '**Warnings**: At most 5,000',
  );
  await put(guild, { user: PEOPLE.stranger.id });
  expect((await fillIn(guild, 'second', { user: [PEOPLE.stranger.id] })).content).toContain(
    '**Member**: Enter a member',
  );
  expect((await desk.recordOf(guild)) as object).toMatchObject({ custom: { first: [], second: [], warns: [] } });
});

test('a row with the key of another one, and one too many, are refused before the form is lost', async () => {
  const guild = desk.nextGuild();
  const row = (warns: number) => ({ warns, action: 'mute', duration: 600 });
  await put(guild, { warns: [row(1), row(2)] });
  const late = await open(guild, 'warns');
  expect((await fillIn(guild, 'warns', { warns: '2', action: ['kick'] })).content).toBe(
    '**Warnings**: Another row has the same\n\n2\n\n10m',
  );
  expect(await ask(guild, 'add', { setting: 'warns', item: '2, kick' })).toContain('Another row has the same');
  await put(guild, { warns: [row(1), row(2), row(3)] });
  const full = '**Warn thresholds**: At most 3 values';
  expect(await ask(guild, 'add', { setting: 'warns' })).toBe(full);
  expect((await people.submit(manager.id, late.id, { warns: '9', action: ['kick'] }).reply()).content).toBe(
    `${full}\n\n9\n\n10m`,
  );
  await put(guild, { words: ['a', 'b'] });
  expect(await ask(guild, 'add', { setting: 'words', item: 'c' })).toBe('**Words**: At most 2 values');
  expect(await ask(guild, 'add', { setting: 'words', item: 'a' })).toContain('Nothing was changed.');
});

test('rows that many people add and remove at once are all added and removed', async () => {
  const guild = desk.nextGuild();
  await put(guild, { answers: ['a', 'b', 'a', 'c'].map((trigger) => ({ trigger, answer: '1' })) });
  const offered = await rowsLeft(guild, 'answers');
  const ids = offered.map(({ value }) => String(value));
  await Promise.all([
    ...Array.from({ length: 6 }, (_, at) => say(guild, `!settings add answers n${at}, 2`)),
    say(guild, '!settings remove answers b'),
    ...[ids[0], ids[3]].map((item = '') => ask(guild, 'remove', { setting: 'answers', item })),
  ]);
  const left = (await storedOf(guild, 'answers')) as { readonly trigger: string }[];
  expect(left.map(({ trigger }) => trigger).toSorted()).toEqual(['a', 'n0', 'n1', 'n2', 'n3', 'n4', 'n5']);
});

test('a form gives back its texts where the bot fails', async () => {
  const guild = desk.nextGuild();
  const { id } = await open(guild, 'second');
  desk.discord.faults.set({ kind: 'status', status: 500 }, { path: `/guilds/${guild.id}/members` });
  const { content } = await people.submit(manager.id, id, { color: 'gold', user: [PEOPLE.stranger.id] }).reply();
  desk.discord.faults.clear();
  expect(content).toMatch(/ logged as [0-9a-f]{8}\.\n\ngold$/);
});

test('the reply about a long table names the row', async () => {
  const guild = desk.nextGuild();
  await put(guild, { answers: Array.from({ length: 11 }, (_, at) => ({ trigger: `t${at}`, answer: 'a' })) });
  expect(await ask(guild, 'add', { setting: 'answers', item: 'x, y' })).toContain('more**: + `x`: `y`\n');
  expect(await ask(guild, 'remove', { setting: 'answers', item: 't3' })).toContain('more**: − `t3`: `a`\n');
});

test('a form that is too late gives back all texts', async () => {
  const guild = desk.nextGuild();
  const { id } = await open(guild, 'answers');
  desk.api.clock.aheadMs += 15 * MINUTE;
  expect(await people.submit(manager.id, id, { trigger: 'hi', answer: '**hello** @everyone' }).reply()).toMatchObject({
    content: 'This form has expired. Please use `/settings add` again.\n\nhi\n\n**hello** @everyone',
    ephemeral: true,
    allowedMentions: { parse: [] },
  });
});

test('a row is removed as it is suggested, also where others have moved it meanwhile', async () => {
  const guild = desk.nextGuild();
  const [helpers, others] = [addRole(guild, 'Helpers', 1), addRole(guild, 'Helpers', 2)];
  const rows = [
    { level: 5, role: helpers },
    { level: 20, role: '' },
    { level: 5, role: others },
    { level: 20, role: '' },
  ];
  await put(guild, { rewards: rows });
  const offered = await rowsLeft(guild, 'rewards');
  expect(offered.map(({ name }) => name)).toEqual([
    '5: @Helpers (1)',
    '20: none (2)',
    '5: @Helpers (3)',
    '20: none (4)',
  ]);
  expect(new Set(offered.map(({ value }) => value)).size).toBe(4);
  const [first, , third, fourth] = offered.map(({ value }) => String(value));
  await put(guild, { rewards: [{ level: 1, role: '' }, ...rows] });
  await ask(guild, 'remove', { setting: 'rewards', item: third ?? '' });
  expect(await storedOf(guild, 'rewards')).toEqual([{ level: 1, role: '' }, rows[0], rows[1], rows[3]]);
  expect(await ask(guild, 'remove', { setting: 'rewards', item: third ?? '' })).toMatch(
    /^This row is no longer in \*\*Rewards\*\*: `1`: none, /,
  );
  await ask(guild, 'remove', { setting: 'rewards', item: fourth ?? '' });
  expect(await storedOf(guild, 'rewards')).toEqual([{ level: 1, role: '' }, rows[0], rows[1]]);
  expect(await ask(guild, 'remove', { setting: 'rewards', item: fourth ?? '' })).toContain('no longer');
  await ask(guild, 'remove', { setting: 'rewards', item: first ?? '' });
  expect(await storedOf(guild, 'rewards')).toEqual([{ level: 1, role: '' }, rows[1]]);
});

test('a row is named by its text or by one cell, and what several rows have is refused with them', async () => {
  const guild = desk.nextGuild();
  const role = addRole(guild, 'Helpers');
  const warns = [
    { warns: 3, action: 'mute', duration: 3_600 },
    { warns: 5, action: 'kick', duration: 600 },
    { warns: 7, action: 'kick', duration: 0 },
  ];
  const left = async (item: string, setting = 'warns') => {
    await put(guild, {
      warns,
      rewards: [
        { level: 3, role },
        { level: 5, role: '' },
      ],
    });
    const reply = await ask(guild, 'remove', { setting, item });
    return [(await storedOf(guild, setting)) as unknown[], reply] as const;
  };
  for (const item of [
    '3',
    'Mute',
    'mute',
    '1h',
    '1 hr',
    '３',
    '3: mute · 1 HR',
    '`3`: `Mute` · `1 hr`',
    '3, mute, 1h',
  ]) {
    expect((await left(item))[0], item).toEqual(warns.slice(1));
  }
  for (const item of ['@Helpers', 'helpers', `<@&${role}>`, role, '3: @Helpers', `\`3\`: <@&${role}>`]) {
    expect((await left(item, 'rewards'))[0], item).toEqual([{ level: 5, role: '' }]);
  }
  expect((await left('none', 'rewards'))[0]).toEqual([{ level: 3, role }]);
  const [kept, reply] = await left('KICK');
  expect(kept).toEqual(warns);
  expect(reply).toBe(
    'Several values of **Warn thresholds** match `KICK`: `5: Kick · 10 min` and `7: Kick · 0 sec`. ' +
      'Enter one of them exactly as it is.',
  );
  expect((await left('7: Kick · 0 sec'))[0]).toEqual(warns.slice(0, 2));
  expect((await left('mutee'))[1]).toMatch(
    /^`mutee` is not in \*\*Warn thresholds\*\*: .*\nDid you mean `(?:M|m)ute`\?$/,
  );
  await put(guild, { warns });
  expect(await say(guild, '!settings remove warns 3: Mute · 1 hr')).toContain('→');
  expect(await say(guild, '!settings remove warns 5')).toContain('→');
});

test('of rows that are the same, a text removes one', async () => {
  const guild = desk.nextGuild();
  const [a, b] = [
    { trigger: 'a', answer: '' },
    { trigger: 'b', answer: '' },
  ];
  await put(guild, { answers: [a, b, a] });
  await ask(guild, 'remove', { setting: 'answers', item: 'a' });
  expect(await storedOf(guild, 'answers')).toEqual([a, b]);
});

test('rows whose texts are the same as far as they are shown are told apart', async () => {
  const guild = desk.nextGuild();
  const long = 'x'.repeat(99);
  const rows = ['1', '2'].map((end) => ({ trigger: `${long}${end}`, answer: 'same' }));
  await put(guild, { answers: rows });
  const offered = await rowsLeft(guild, 'answers');
  expect(offered.map(({ name }) => name.slice(-11))).toEqual(['…: same (1)', '…: same (2)']);
  await ask(guild, 'remove', { setting: 'answers', item: offered[0]?.name ?? '' });
  expect(await storedOf(guild, 'answers')).toEqual([rows[1]]);
});

test('a form for one value that is sent for a table leaves its rows', async () => {
  const guild = desk.nextGuild();
  await put(guild, { answers: [{ trigger: 'hi', answer: 'hello' }] });
  const used = people.slash(manager.id, guild.channel, 'settings set', { setting: 'words' });
  await used.modal();
  const opened = world.interactions.find(used.id);
  if (opened?.modal === undefined) throw new Error('Expected the form');
  const custom_id = opened.modal.custom_id.replace('words', 'answers');
  world.interactions.put({ ...opened, modal: { ...opened.modal, custom_id } });
  const refused = await people.submit(manager.id, used.id, { value: '' }).reply();
  expect(refused.content).toContain('is a table');
  expect(await storedOf(guild, 'answers')).toHaveLength(1);
});

test('cells are shown as they are, without formatting and mentions', async () => {
  const guild = desk.nextGuild();
  const { content, allowedMentions } = await fillIn(guild, 'answers', { trigger: '**hi** `x`', answer: '@everyone' });
  expect(content).toContain('**Answers \\*and\\* more**: none → ``**hi** `x` ``: `@everyone`');
  expect(allowedMentions).toMatchObject({ parse: [] });
  const [offered] = await rowsLeft(guild, 'answers');
  expect(offered?.name).toBe('**hi** `x`: @everyone');
  expect(await ask(guild, 'remove', { setting: 'answers', item: '@everyone' })).toContain('→ none');
});

test('a row is typed with its cells in the order of the columns, also in a message', async () => {
  const guild = desk.nextGuild();
  const role = addRole(guild, 'Big Helpers');
  const how =
    'A row of **Warn thresholds** has these cells, separated by commas: Warnings, Action, Duration. ' +
    'As a slash command, `/settings add warns` opens a form for them.';
  expect(await say(guild, '!settings add warns')).toBe(
    `${how}\nSettings page: <https://settings.example/guilds/${guild.id}?setting=custom.warns>`,
  );
  expect(await say(guild, '!settings add warns 1,500, kick')).toContain('→ `1,500`: `Kick` · `10 min`');
  expect(await say(guild, '!settings add "Warn thresholds" 3；Mute；1h 30m')).toContain('`3`: `Mute` · `1 hr 30 min`');
  expect(await ask(guild, 'add', { setting: 'rewards', item: '5, big helpers' })).toContain(`→ \`5\`: <@&${role}>`);
  expect(await ask(guild, 'add', { setting: 'warns', item: 'x, ban' })).toBe(
    '**Warnings**: Enter a whole number from `1` to `5,000`.\n' +
      `**Action**: Enter one of these: \`mute\` (Mute), \`kick\` (Kick).\n${how}`,
  );
  // The number is parsed after the missing choice is reported.
  expect(await ask(guild, 'add', { setting: 'warns', item: 'x' })).toMatch(
    /^\*\*Warnings\*\*: .+\n\*\*Action\*\*: .+\n/,
  );
  expect(await ask(guild, 'add', { setting: 'warns', item: '3, kick, 1h, more' })).toBe(how);
  expect(await ask(guild, 'add', { setting: 'warns', item: '9,kick' })).toContain('`9`: `Kick`');
});

test('set says how a table is changed, and one that the team sets is not changed', async () => {
  const guild = desk.nextGuild();
  const refused =
    '**Warn thresholds** is a table. Add a row with `/settings add warns`, and remove one with `/settings remove warns`.\n' +
    `Settings page: <https://settings.example/guilds/${guild.id}?setting=custom.warns>`;
  expect(await ask(guild, 'set', { setting: 'warns' })).toBe(refused);
  expect(await say(guild, '!settings set warns 3, kick')).toBe(refused);
  const locked = '**Prices** is set by the bot’s team. It cannot be changed here.';
  for (const [command, values] of [
    ['add', {}],
    ['add', { item: '5' }],
    ['remove', { item: '5' }],
  ] as const) {
    expect(await ask(guild, command, { setting: 'prices', ...values })).toBe(locked);
  }
});

test('a renamed table is changed by each of its names, and undone', async () => {
  const guild = desk.nextGuild();
  await fillIn(guild, 'replies', { trigger: 'a', answer: 'b' });
  await ask(guild, 'add', { setting: 'custom.replies', item: 'c, d, e; f' });
  await ask(guild, 'remove', { setting: 'replies', item: 'a' });
  expect(await storedOf(guild, 'answers')).toEqual([{ trigger: 'c', answer: 'd, e; f' }]);
  const question = await desk.slash(guild, 'settings undo');
  desk.press(question, 'Undo');
  expect((await desk.edited(question)).content).toContain('was undone');
  expect(await storedOf(guild, 'answers')).toHaveLength(2);
});

test('an item of a list without one is filled in in a form, and a message says what is missing', async () => {
  const guild = desk.nextGuild();
  const role = addRole(guild, 'Helpers');
  expect((await open(guild, 'words')).modal).toMatchObject({
    title: 'Change a setting',
    components: [{ label: 'Words', component: { type: 4, required: true, style: 1 } }],
  });
  expect((await fillIn(guild, 'words', { value: 'a, b' })).content).toContain('**Words**: none → `a, b`');
  expect((await fillIn(guild, 'words', { value: 'x'.repeat(21) })).content).toBe(
    `At most 20 characters\n\n${'x'.repeat(21)}`,
  );
  expect((await open(guild, 'helpers')).modal).toMatchObject({
    components: [{ component: { type: 6, required: true, min_values: 1, max_values: 1 } }],
  });
  await fillIn(guild, 'helpers', { value: [role] });
  expect(await storedOf(guild, 'helpers')).toEqual([role]);
  expect(await say(guild, '!settings add words')).toBe(
    'The new value is missing: `!settings add <setting> [item]`. As a slash command, `/settings add words` opens a form for it.\n' +
      `Settings page: <https://settings.example/guilds/${guild.id}>`,
  );
});

test('a form and its refusal are in the language of the guild', async () => {
  const guild = desk.nextGuild();
  await desk.change(guild, { language: 'ru' });
  const { id, modal } = await open(guild, 'Пороги', 'ru');
  expect(modal).toMatchObject({
    title: 'Пороги',
    components: [
      { label: 'Предупреждения' },
      { label: 'Действие', component: { options: [{ label: 'Мут' }, { label: 'Кик' }] } },
      { label: 'Длительность' },
    ],
  });
  expect((await people.submit(manager.id, id, { warns: 'три', action: ['kick'] }).reply()).content).toMatch(
    /^\*\*Предупреждения\*\*: Нужно целое число от .*\n\nтри\n\n10m$/,
  );
  expect(await say(guild, '!настройки добавить Пороги 3, Кик, 1 ч')).toContain('`3`: `Кик` · `1 ч`');
  expect(await say(guild, '!настройки убрать Пороги кик')).toContain('→');
});

test('lists of every kind have a form for an item', async () => {
  await using every = await startSettingsDesk(1, { declaration: EVERY_KIND });
  const guild = every.nextGuild();
  const role = addRole(guild, 'Helpers');
  every.discord.world.addRole({ id: role, guildId: guild.id, name: 'Helpers' });
  const given: Readonly<Record<string, readonly [filledIn: string | readonly string[], unknown]>> = {
    integers: ['7', 7],
    numbers: ['2.5', 2.5],
    durations: ['2m', 120],
    choices: [['all'], 'all'],
    times: ['9 pm', '21:00'],
    texts: ['a, b', 'a, b'],
    colors: ['gold', '#F1C40F'],
    emojis: ['🎉', '🎉'],
    channels: [[guild.channel], guild.channel],
    roles: [[role], role],
    users: [[owner.id], owner.id],
  };
  const lists = Object.entries(EVERY_KIND.settings ?? {}).flatMap(([name, one]) => ('many' in one ? [name] : []));
  expect(lists.toSorted()).toEqual(Object.keys(given).toSorted());
  for (const name of lists) {
    const [value = '', item] = given[name] ?? [];
    const used = every.discord.people.slash(manager.id, guild.channel, 'settings add', { setting: name });
    await used.modal();
    await every.discord.people.submit(manager.id, used.id, { value }).reply();
    expect(await every.recordOf(guild)).toMatchObject({ custom: { [name]: [item] } });
  }
});
