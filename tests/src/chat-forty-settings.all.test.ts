import { LANGUAGES, type Language } from '@guild-settings/contract';
import type { Declaration, SettingDeclaration, Texts } from '@guild-settings/contract/settings';
import type { Message } from '@guild-settings/discord-sim';
import { PEOPLE } from '@guild-settings/discord-sim/testing/world';
import { waitUntil } from '@guild-settings/testing';
import { FORTY_SETTINGS } from '@guild-settings/testing/every-kind';
// With DISCORD_OPENAPI, every call of this file is checked against Discord's document.
import '../../packages/discord-sim/src/testing/checked-calls.ts';
import { afterAll, expect, test } from 'vitest';
import { buttonsOf, startSettingsDesk } from './testing/settings-desk.ts';

const { manager } = PEOPLE;

const LETTERS: Readonly<Record<Language, string>> = { 'en-US': 'w', ru: 'ж', 'es-ES': 'ñ', ja: '設', hi: 'क' };

/** Returns a text in all languages with the maximum length. */
function longest(texts: Texts | undefined, length: number): Texts {
  const english = texts?.['en-US'] ?? '';
  return Object.fromEntries(
    LANGUAGES.map((language) => [language, `${english} ${LETTERS[language].repeat(length)}`.slice(0, length)]),
  );
}

/** Returns the declaration of a setting with the longest texts, and the maximum of choices and placeholders. */
function stretched(name: string, declared: SettingDeclaration): SettingDeclaration {
  const more = Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`${'m'.repeat(60)}${index}`, undefined]));
  const texts = { label: longest(declared.label, 45), description: longest(declared.description, 300) };
  switch (declared.kind) {
    case 'choice': {
      const names = Object.keys({ ...declared.choices, ...more }).slice(0, 25);
      const choices = names.map((choice, index) => [choice, longest({ 'en-US': `${index} ${name}` }, 45)]);
      return { ...declared, ...texts, choices: Object.fromEntries(choices) };
    }
    case 'table': {
      const columns = Object.entries(declared.columns).map(([column, of]) => [
        column,
        stretched(column, of as SettingDeclaration),
      ]);
      return { ...declared, ...texts, columns: Object.fromEntries(columns) };
    }
    case 'integer':
    case 'number':
      return { ...declared, ...texts, unit: 'units/hour' };
    default:
      return { ...declared, ...texts };
  }
}

const DECLARATION = {
  groups: Object.fromEntries(
    Object.entries(FORTY_SETTINGS.groups ?? {}).map(([name, group]) => [
      name,
      { ...group, label: longest(group.label, 45) },
    ]),
  ),
  settings: Object.fromEntries(
    Object.entries(FORTY_SETTINGS.settings ?? {}).map(([name, declared]) => [name, stretched(name, declared)]),
  ),
} as Declaration;
const SETTINGS = Object.entries(DECLARATION.settings ?? {});

/** A setting of each kind, a list of each, and a text of each form, which are changed in every way. */
const FIRST_OF_KIND: ReadonlySet<string> = new Set(
  new Map(
    SETTINGS.toReversed().map(([name, { kind, ...declared }]) => [
      `${kind} ${'many' in declared} ${'lines' in declared}`,
      name,
    ]),
  ).values(),
);

/** Discord's limits by property name; most of them are not in its document. */
const LIMITS = { content: 2_000, custom_id: 100, title: 45, description: 100, placeholder: 100, value: 4_000 };
const COUNTS = { components: 5, options: 25, default_values: 25 };
/** The limits of `label`, by the type of a component. */
const LABELS: Readonly<Record<number, number>> = { 2: 80, 18: 45 };

/** Returns the parts of a reply, a form or a list of suggestions that exceed Discord's limits. */
function excesses(part: unknown, path = ''): string[] {
  if (typeof part !== 'object' || part === null) return [];
  const { type } = part as { readonly type?: number };
  return Object.entries(part).flatMap(([key, value]: [string, unknown]) => {
    const at = `${path}.${key}`;
    const most = key === 'label' ? (LABELS[type ?? 0] ?? 100) : LIMITS[key as keyof typeof LIMITS];
    const tooLong = typeof value === 'string' && most !== undefined && [...value].length > most;
    const tooMany = Array.isArray(value) && value.length > (COUNTS[key as keyof typeof COUNTS] ?? Infinity);
    const isEmpty = value === '' && key !== 'value' && key !== 'content';
    return [...(tooLong || tooMany || isEmpty ? [at] : []), ...excesses(value, at)];
  });
}

const desk = await startSettingsDesk(LANGUAGES.length, {
  declaration: DECLARATION,
  env: { DASHBOARD_URL: 'https://settings.example' },
});
const { people, calls, world } = desk.discord;
afterAll(() => desk[Symbol.asyncDispose]());

// Russian has the longest texts.
test.each(process.env.THOROUGH ? LANGUAGES : ['ru' as const])(
  'in %s, Discord takes every reply, suggestion, form and button for forty settings',
  async (language) => {
    const guild = desk.nextGuild();
    await desk.change(guild, { language });
    const idOf = (start: string) => `${start}${guild.id.slice(2)}`;
    const things = { text: guild.channel, category: idOf('41'), voice: idOf('42'), role: idOf('43') };
    for (const type of ['category', 'voice'] as const) {
      world.addChannel({ id: things[type], guildId: guild.id, name: type, type });
    }
    world.addRole({ id: things.role, guildId: guild.id, name: 'r'.repeat(100) });
    const found: string[] = [];
    const seen = <Part>(what: string, part: Part): Part => {
      found.push(...excesses(part).map((flaw) => `${what}: ${flaw}`));
      return part;
    };
    const use = (command: string, values: Record<string, string | number> = {}) =>
      people.slash(manager.id, guild.channel, `settings ${command}`, values, { locale: language });
    const reply = async (command: string, values: Record<string, string | number> = {}): Promise<Message> => {
      await desk.change(guild, {});
      const message = await use(command, values).reply();
      expect(message.content).not.toMatch(/\{\{|undefined|\[object/);
      return seen(`${command} ${JSON.stringify(values)}`, message);
    };
    const suggest = async (command: string, values: Record<string, string>, focused: string) => {
      const use = people.type(manager.id, guild.channel, `settings ${command}`, values, focused, { locale: language });
      const choices = await use.suggestions();
      expect(choices.length).toBeLessThanOrEqual(25);
      for (const { name, value } of choices) {
        expect([...name].length, name).toBeLessThanOrEqual(100);
        expect([...String(value)].length, name).toBeLessThanOrEqual(100);
      }
      return choices;
    };
    /** Opens a form, submits it unchanged or filled in, and returns the reply. */
    const submit = async (command: string, setting: string, filledIn = {}) => {
      await desk.change(guild, {});
      const form = use(command, { setting });
      seen(`the form of ${command} ${setting}`, await form.modal());
      return seen(
        `${command} ${setting}, filled in`,
        await people.submit(manager.id, form.id, filledIn, { locale: language }).reply(),
      );
    };
    const press = async (message: Message, index: number) => {
      desk.press(message, [...buttonsOf(message).keys()][index] ?? '');
      return seen('a button', await desk.edited(message));
    };
    await waitUntil(
      async () =>
        (await suggest('set', { setting: 'volume' }, 'setting')).some(({ name }) => name.includes(LETTERS[language])),
      {
        message: 'the texts of the settings',
      },
    );

    let shown = await reply('show');
    for (let page = 1; buttonsOf(shown).size === (page === 1 ? 1 : 2); page += 1)
      shown = await press(shown, page === 1 ? 0 : 1);
    for (const [name, declared] of SETTINGS) {
      expect((await suggest('set', { setting: name }, 'setting')).length).toBeGreaterThan(0);
      await suggest('set', { setting: name, value: '' }, 'value');
      if (!FIRST_OF_KIND.has(name)) {
        if (declared.kind !== 'table') await submit('set', name);
        continue;
      }
      if (declared.kind === 'table') {
        await reply('set', { setting: name, value: '1' });
        await submit('add', name, ROWS[name]);
        const [row] = await suggest('remove', { setting: name, item: '' }, 'item');
        await reply('remove', { setting: name, item: row?.value ?? '' });
      } else {
        const unchanged = await submit('set', name);
        expect(unchanged.content).not.toContain('→');
        const changed = await reply('set', { setting: name, value: typed(declared, things) });
        expect(changed.content).toContain('→');
        await reply('set', { setting: name, value: declared.kind === 'text' ? 'x'.repeat(declared.max + 1) : '!?' });
        await submit('set', name);
        if ('many' in declared && declared.many !== undefined) {
          const [item] = await suggest('remove', { setting: name, item: '' }, 'item');
          await reply('remove', { setting: name, item: item?.value ?? '' });
          await suggest('add', { setting: name, item: '' }, 'item');
          await reply('add', { setting: name, item: item?.value ?? '' });
        }
      }
      await reply('history', { setting: name });
      expect((await reply('reset', { setting: name })).content).not.toBe('');
      const question = await reply('undo');
      await press(question, 0);
    }
    const older = await press(await reply('history'), 0);
    await press(older, 0);
    await reply('reset', { setting: 'all' });
    await reply('access');
    expect(found).toEqual([]);
    expect(calls.list().filter(({ status }) => status === 400)).toEqual([]);
  },
);

/** The cells of a new row. */
const ROWS: Readonly<Record<string, object>> = {
  rewards: { level: '7', role: [] },
  warnThresholds: { warns: '9', action: ['ban'], duration: '1h' },
};

/** Ids of a guild: of its role, and of its channels by their types. */
type Things = Readonly<Record<string, string>>;

/** Returns a non-default value in typed form; for a text and a list, of the maximum length. */
function typed(declared: SettingDeclaration, things: Things): string {
  const { many } = declared as { readonly many?: { readonly max: number } };
  const listed = (items: readonly string[]) => items.slice(0, many?.max ?? 1).join(', ');
  switch (declared.kind) {
    case 'switch':
      return declared.default ? 'off' : 'on';
    case 'integer':
    case 'number':
      return String(declared.max);
    case 'duration':
      return `${declared.max}s`;
    case 'choice':
      return listed(Object.keys(declared.choices).toReversed());
    case 'time':
      return listed(['23:59', '12:30', '01:01']);
    case 'timeZone':
      return 'America/Argentina/Buenos_Aires';
    case 'text':
      return many === undefined
        ? '👋 '.repeat(declared.max / 2).trim()
        : listed(Array.from({ length: 25 }, (_, index) => `${index}`.padEnd(declared.max, 'w')));
    case 'color':
      return listed(['#010203', '#040506']);
    case 'emoji':
      return listed(['🎉', '👩🏽‍🚀']);
    case 'channel':
      return `<#${things[declared.types?.[0] ?? 'text'] ?? ''}>`;
    case 'role':
      return `<@&${things.role}>`;
    case 'user':
      return `<@${manager.id}>`;
    default:
      throw new Error(`Expected a value of ${declared.kind}`);
  }
}
