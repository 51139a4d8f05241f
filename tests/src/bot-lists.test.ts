import { type Declaration, defineSettings } from '@guild-settings/contract/settings';
import { PEOPLE } from '@guild-settings/discord-sim/testing/world';
import { afterAll, expect, test } from 'vitest';
import { type DeskGuild, startSettingsDesk } from './testing/settings-desk.ts';

const { manager, owner } = PEOPLE;
const label = { 'en-US': 'Label' };
const GONE = '300000000000099999';

const DECLARATION: Declaration = defineSettings({
  settings: {
    words: { kind: 'text', max: 20, many: { max: 25 }, label },
    title: { kind: 'text', max: 20, label },
    roles: { kind: 'role', many: { max: 3 }, label },
    ignored: { kind: 'channel', many: { max: 3 }, label },
    pauses: { kind: 'duration', min: 0, max: 9_000, many: { max: 3 }, label },
    levels: {
      kind: 'choice',
      choices: { ano: { 'en-US': 'Año' }, año: { 'en-US': 'Ano' }, mes: { 'en-US': 'Mes' } },
      many: { max: 3 },
      default: [],
      label,
    },
  },
});

const desk = await startSettingsDesk(12, { declaration: DECLARATION });
afterAll(() => desk[Symbol.asyncDispose]());
const { people, messages } = desk.discord;

const put = (guild: DeskGuild, values: object) => desk.change(guild, values as never);
const remove = async (guild: DeskGuild, setting: string, item: string) =>
  (await desk.slash(guild, 'settings remove', { setting, item })).content;
const listOf = async (guild: DeskGuild, name: string) => {
  const record = (await desk.recordOf(guild)) as unknown as { readonly custom: Readonly<Record<string, unknown>> };
  return record.custom[name];
};
const say = async (guild: DeskGuild, userId: string, text: string) => {
  const { id } = people.sendMessage(userId, guild.channel, text);
  return (await messages.waitFor(({ replyTo }) => replyTo === id)).content;
};

test.each<[present: string[], typed: string, left: string[]]>([
  [['papa', 'papá'], 'papa', ['papá']],
  [['papa', 'papá'], 'papá', ['papa']],
  [['ano', 'año'], 'año', ['ano']],
  [['cafe', 'CAFE', 'café'], 'café', ['cafe', 'CAFE']],
  [['cafe', 'CAFE', 'café'], 'cafe\u0301', ['cafe', 'CAFE']],
  [['мои', 'мой'], 'мой', ['мои']],
  [['papá', 'x'], 'PAPA', ['x']],
  [['ｘ', 'y'], 'X', ['y']],
])('of %j, %j removes one, which leaves %j', async (words, typed, left) => {
  const guild = desk.nextGuild();
  await put(guild, { custom: { words } });
  await remove(guild, 'words', typed);
  expect(await listOf(guild, 'words')).toEqual(left);
});

test('what several items may be is refused with their names, and what none is with one that is similar', async () => {
  const guild = desk.nextGuild();
  const words = ['cafe', 'CAFE', 'café', 'tea'];
  await put(guild, { custom: { words } });
  expect(await remove(guild, 'words', 'Cafè')).toBe(
    'Several values of **Label** match `Cafè`: `cafe`, `CAFE`, and `café`. Enter one of them exactly as it is.',
  );
  expect(await remove(guild, 'words', 'teaa')).toMatch(/^`teaa` is not in \*\*Label\*\*: .*\nDid you mean `tea`\?$/);
  expect(await say(guild, manager.id, '!settings remove words CaFe')).toContain('Several values of');
  expect(await listOf(guild, 'words')).toEqual(words);
});

test('choices and features whose names differ by an accent are told apart, by name and by label', async () => {
  const guild = desk.nextGuild();
  await put(guild, { enabledFeatures: ['ano', 'año', 'POLLS', 'Polls'], custom: { levels: ['ano', 'año', 'mes'] } });
  await remove(guild, 'levels', 'ano');
  expect(await listOf(guild, 'levels')).toEqual(['año', 'mes']);
  await remove(guild, 'levels', 'MES');
  await desk.slash(guild, 'settings add', { setting: 'levels', item: 'Año' });
  expect(await listOf(guild, 'levels')).toEqual(['año', 'ano']);
  await desk.slash(guild, 'settings disable', { feature: 'año' });
  expect((await desk.slash(guild, 'settings disable', { feature: 'polls' })).content).toContain('Several values of');
  expect(await desk.recordOf(guild)).toMatchObject({ enabledFeatures: ['ano', 'POLLS', 'Polls'] });
  await desk.slash(guild, 'settings disable', { feature: 'Polls' });
  await desk.slash(guild, 'settings disable', { feature: 'polls' });
  expect(await desk.recordOf(guild)).toMatchObject({ enabledFeatures: ['ano'] });
});

test('a deleted role or channel is removed by its mention and by its id, and a duration as it is typed', async () => {
  const guild = desk.nextGuild();
  const ids = [GONE, GONE.replace(/9$/, '8')];
  await put(guild, { custom: { roles: ids, ignored: ids, pauses: [90, 5_400] } });
  for (const [setting, item] of [
    ['roles', `<@&${GONE}>`],
    ['ignored', `<#${GONE}>`],
  ] as const) {
    expect(await remove(guild, setting, item)).toContain('→');
    expect(await listOf(guild, setting)).toEqual(ids.slice(1));
    expect(await say(guild, manager.id, `!settings remove ${setting} ${ids[1]}`)).toContain('→ none');
  }
  expect(await remove(guild, 'pauses', '1m30s')).toContain('→ `1 hr 30 min`');
});

test('changes of many people at once are all made: items are added and removed, and other settings are set', async () => {
  const guild = desk.nextGuild();
  await put(guild, { language: 'ja', custom: { words: ['a', 'b', 'c'] } });
  const adds = Array.from({ length: 8 }, (_, index) => `!settings add words n${index}`);
  const others = [
    '!settings remove words a',
    '!settings set title x',
    '!settings set prefix ?',
    '!settings enable polls',
  ];
  const replies = await Promise.all(
    [...adds, ...others].map((text, index) => say(guild, index % 2 === 0 ? manager.id : owner.id, text)),
  );
  expect(replies.filter((reply) => !reply.includes('→'))).toEqual([]);
  expect([...((await listOf(guild, 'words')) as string[])].toSorted()).toEqual(
    ['b', 'c', ...adds.map((_, index) => `n${index}`)].toSorted(),
  );
  expect(await listOf(guild, 'title')).toBe('x');
  expect(await desk.recordOf(guild)).toMatchObject({ prefix: '?', enabledFeatures: ['polls'] });
});
