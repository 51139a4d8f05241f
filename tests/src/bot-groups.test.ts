import { LANGUAGES } from '@guild-settings/contract';
import { type Declaration, defineSettings } from '@guild-settings/contract/settings';
import { PEOPLE } from '@guild-settings/discord-sim/testing/world';
import { waitUntil } from '@guild-settings/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { localeTexts } from './testing/locale-texts.ts';
import { type DeskGuild, startSettingsDesk } from './testing/settings-desk.ts';

const { manager } = PEOPLE;
const en = (text: string) => ({ 'en-US': text });
const one = (group: string, text: string) => ({ kind: 'switch', group, label: en(text) }) as const;

const DECLARATION: Declaration = defineSettings({
  groups: {
    welcome: {
      label: {
        'en-US': 'Welcome messages',
        ru: 'Приветствие',
        'es-ES': 'Bienvenida',
        ja: 'ようこそ',
        hi: 'स्वागत',
        de: 'Willkommen',
      },
    },
    history: { label: en('Past') },
    cafe: { label: en('Café *corner*') },
    empty: { label: en('Empty') },
    levels: { label: en('Levels') },
    ranks: { label: en('Levels') },
  },
  settings: {
    welcomeOn: one('welcome', 'Greet members'),
    keep: one('history', 'Keep a history'),
    open: one('cafe', 'Open the café'),
    levelsOn: one('levels', 'Levels on'),
    ranksOn: one('ranks', 'Ranks on'),
  },
});

const desk = await startSettingsDesk(12, { declaration: DECLARATION });
afterAll(() => desk[Symbol.asyncDispose]());
const { people } = desk.discord;

const say = async ({ channel }: DeskGuild, text: string, on = desk) => {
  const { id } = on.discord.people.sendMessage(manager.id, channel, text);
  return (await on.discord.messages.waitFor(({ replyTo }) => replyTo === id)).content;
};
const show = async (guild: DeskGuild, group: string) => (await desk.slash(guild, 'settings show', { group })).content;
const suggested = (guild: DeskGuild, group: string, locale: (typeof LANGUAGES)[number] = 'en-US') =>
  people.type(manager.id, guild.channel, 'settings show', { group }, 'group', { locale }).suggestions();

const GROUPS = '`Welcome messages`, `Past`, `Café *corner*`, `levels`, `ranks`';

beforeAll(async () => {
  const guild = desk.nextGuild();
  await waitUntil(async () => (await suggested(guild, '')).length > 0, { message: 'the texts of the settings' });
});

test('a group is shown by its name and its label in each language, in any case, width and with other accents', async () => {
  const guild = desk.nextGuild();
  for (const typed of [
    ...['welcome', 'WELCOME', 'Welcome messages', '"welcome messages"', 'ｗｅｌｃｏｍｅ'],
    ...['приветствие', 'bienvenida', 'ようこそ', 'स्वागत', 'WILLKOMMEN'],
  ]) {
    expect(await show(guild, typed.replaceAll('"', '')), typed).toMatch(/^\*\*Welcome messages\*\*\n.*Greet members/);
  }
  for (const typed of ['welcome messages', '"Welcome messages"', 'ようこそ', 'Приветствие']) {
    expect(await say(guild, `!settings ${typed}`), typed).toMatch(/^\*\*Welcome messages\*\*\n.*Greet members/);
  }
  expect(await say(guild, '!settings show CAFE')).toContain('**Open the café**');
  expect(await say(guild, '!settings café *corner*')).toContain('**Open the café**');
  expect(await say(guild, '!settings ranks')).toContain('**Ranks on**');
});

test('the page of a group has the buttons to the others', async () => {
  const guild = desk.nextGuild();
  const shown = await desk.slash(guild, 'settings show', { group: 'history' });
  expect(shown.content).toContain('Keep a history');
  desk.press(shown, 'Back');
  expect((await desk.edited(shown)).content).toContain('Greet members');
});

test('a group called like a subcommand is reached behind show', async () => {
  const guild = desk.nextGuild();
  expect(await say(guild, '!settings history')).toContain('No changes to the settings are on record.');
  expect(await say(guild, '!settings show history')).toContain('Keep a history');
});

test('another word is refused with the subcommands and the groups, and with a similar one', async () => {
  const guild = desk.nextGuild();
  const groups = `For one group, put its name after \`!settings show\`: ${GROUPS}.`;
  expect(await say(guild, '!settings welcme')).toMatch(/^Add one of these after `!settings`: `show`, /);
  expect(await say(guild, '!settings welcme')).toContain(`.\n${groups}\nDid you mean \`welcome\`?`);
  expect(await say(guild, '!settings wellcome mesages')).toContain('Did you mean `Welcome messages`?');
  expect(await say(guild, '!settings hstory')).toContain('Did you mean `history`?');
  expect(await say(guild, '!settings empty')).toContain('Add one of these');
  expect(await show(guild, 'caffe')).toBe(
    'There is no group `caffe`.\n' +
      `For one group, put its name after \`/settings show\`: ${GROUPS}.\nDid you mean \`cafe\`?`,
  );
});

test('groups are suggested in the language of the person, and those of one label with their names', async () => {
  const guild = desk.nextGuild();
  expect(await suggested(guild, '')).toEqual([
    { name: 'Welcome messages', value: 'welcome' },
    { name: 'Past', value: 'history' },
    { name: 'Café *corner*', value: 'cafe' },
    { name: 'Levels (levels)', value: 'levels' },
    { name: 'Levels (ranks)', value: 'ranks' },
  ]);
  expect(await suggested(guild, 'привет', 'ru')).toEqual([{ name: 'Приветствие', value: 'welcome' }]);
  expect(await show(guild, 'Levels (ranks)')).toContain('**Ranks on**');
});

test('a message names the groups below the first page', async () => {
  const guild = desk.nextGuild();
  expect(await say(guild, '!settings')).toMatch(
    /More with the slash command: `\/settings show`\nFor one group, put its name after `!settings show`: `Welcome messages`, /,
  );
});

test.each(LANGUAGES)('in %s, the refusal of a group and the hint are in that language', async (language) => {
  const guild = desk.nextGuild();
  await desk.change(guild, { language });
  const [none = ''] = localeTexts(language).get('settings.noGroup') ?? [];
  const [hint = ''] = localeTexts(language).get('settings.groups') ?? [];
  const reply = await say(guild, '!settings show zzzzzz');
  expect(reply).toContain(none.replace('{{name}}', '`zzzzzz`'));
  expect(reply).toContain(hint.split('{{command}}')[0]);
});

test('without groups, all settings are shown, and a group is refused', async () => {
  await using plain = await startSettingsDesk(1);
  const guild = plain.nextGuild();
  expect((await plain.slash(guild, 'settings show', { group: 'welcome' })).content).toBe(
    'The settings of this bot have no groups. `/settings show` shows them all.',
  );
  const reply = await say(guild, '!settings welcome', plain);
  expect(reply).toMatch(/^Add one of these after `!settings`: .*\.$/);
  expect(await say(guild, '!settings', plain)).not.toContain('group');
});
