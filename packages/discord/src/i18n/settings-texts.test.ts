import { LABEL_LANGUAGES } from '@guild-settings/contract';
import { APPLICATION } from '@guild-settings/discord-sim/testing/world';
import { discordResource } from '@guild-settings/testing/bot';
import { describe, expect, test } from 'vitest';
import { type SettingsTexts, settingsCommandData } from '../index.ts';
import { Vocabulary } from './translator.ts';

const commands = (settings: object) => ({ commands: { settings } });

describe('texts that cannot be used are refused, each by its name:', () => {
  test.each<[what: string, texts: object, message: string]>([
    ['an unknown locale', { 'fr-FR': {} }, 'fr-FR is not a locale of Discord, which are bg, cs, da'],
    ['a key that English does not have', { ru: { settings: { tilte: 'x' } } }, 'ru: settings.tilte is not a text'],
    ['a key of an object', { ru: { constructor: 'x' } }, 'ru: constructor is not a text'],
    ['a group for a text', { ru: { settings: { title: {} } } }, 'ru: settings.title is not a string'],
    ['a text for a group', { ru: { settings: 'x' } }, 'ru: settings is not a text'],
    ['a value that is no text', { ru: { settings: { title: 5 } } }, 'ru: settings.title is not a string'],
    ['no texts', { ru: null }, 'ru has no texts'],
    ['an empty text', { ru: { settings: { title: ' ' } } }, 'ru: settings.title is empty or padded'],
    [
      'a placeholder that English does not have',
      { fr: { settings: { onPage: '{{url}} {{ page }}' } } },
      'fr: settings.onPage has the placeholders {{ page }}, {{url}} instead of {{url}}',
    ],
    [
      'a missing placeholder',
      { fr: { shared: { undoneBy: 'Annulé' } } },
      'fr: shared.undoneBy has the placeholders (none) instead of {{change}}',
    ],
    [
      'a reference to another text',
      { fr: { settings: { title: '$t(help)' } } },
      'fr: settings.title has the placeholders $t( instead of (none)',
    ],
    [
      'a plural form of another language',
      { ja: { errors: { tooLong_one: '{{count}} {{option}}' } } },
      'ja: errors.tooLong_one is not a text of ja',
    ],
    [
      'a language with one plural form of several',
      { pl: { errors: { tooLong_one: '{{count}} {{option}}', tooLong_other: '{{count}} {{option}}' } } },
      'pl: errors.tooLong_few is missing; pl: errors.tooLong_many is missing',
    ],
    [
      'a name with capital letters',
      { de: commands({ subcommands: { set: { name: 'Ändern' } } }) },
      'the name "Ändern" of /settings/set in de is not 1 to 32 letters, digits, - and _ in lower case',
    ],
    [
      'a name of two words',
      { 'en-US': commands({ name: 'my settings' }) },
      'the name "my settings" of /settings in en-US, bg',
    ],
    ['a long name', { fr: commands({ name: 'x'.repeat(33) }) }, 'of /settings in fr is not 1 to 32'],
    [
      'a long description',
      { 'en-US': commands({ subcommands: { set: { options: { value: { description: 'x'.repeat(101) } } } } }) },
      'the description of /settings/set/value has 101 characters, more than 100',
    ],
    [
      'one name of two subcommands',
      { ru: commands({ subcommands: { set: { name: 'add' }, add: { name: 'add' } } }) },
      'set and add of /settings have the same name "add" in ru',
    ],
    [
      'a name of another subcommand in English',
      { fr: commands({ subcommands: { show: { name: 'set' } } }) },
      'show and set of /settings have the same name "set" in fr',
    ],
    [
      'one name of two options',
      { 'en-US': commands({ subcommands: { set: { options: { value: { name: 'setting' } } } } }) },
      'setting and value of /settings/set have the same name "setting" in en-US',
    ],
  ])('%s', (_, texts, message) => {
    const data = () => settingsCommandData({ texts: texts as SettingsTexts });
    expect(data).toThrow(TypeError);
    expect(data).toThrow(message);
  });

  test('all flaws at once', () => {
    const texts = { fr: { a: 'a', b: 'b' }, xx: {} } as SettingsTexts;
    expect(() => settingsCommandData({ texts })).toThrow(/fr: a .*; fr: b .*; xx /);
  });
});

describe('a name is what Discord takes:', () => {
  test.each(['Settings', 'my settings', '', 'x'.repeat(33), '/config', 'İstanbul'])('%j is not', (name) => {
    expect(() => settingsCommandData({ name })).toThrow(TypeError);
  });

  test.each(['config', 'настройки', '設定', 'x'.repeat(32), "it's", 'a_b-c9'])('%j is', (name) => {
    const data = settingsCommandData({ name });
    expect(data.name).toBe(name);
    expect(new Set(Object.values(data.name_localizations ?? {}))).toEqual(new Set([name]));
  });
});

test('texts may still localize the name', () => {
  const texts: SettingsTexts = { fr: { commands: { settings: { name: 'réglages' } } } };
  const { name, name_localizations: names } = settingsCommandData({ name: 'config', texts });
  expect([name, names]).toEqual(['config', expect.objectContaining({ fr: 'réglages', ru: 'config' })]);
});

test('subcommands that are left out exist, and one stays', () => {
  const all = (settingsCommandData().options ?? []).map(({ name }) => name) as 'set'[];
  expect(() => settingsCommandData({ without: ['sett' as 'set'] })).toThrow(
    new TypeError(`Expected subcommands in \`without\`, which are ${all.join(', ')}; received sett`),
  );
  expect(() => settingsCommandData({ without: all })).toThrow(TypeError);
  expect(settingsCommandData({ without: all.slice(1) }).options).toHaveLength(1);
  expect(settingsCommandData({ without: [] }).options).toHaveLength(all.length);
});

test('words in place of ours are registered, and those of English for every language without others', () => {
  const texts: SettingsTexts = {
    'en-US': { commands: { settings: { description: 'Configure Melody', subcommands: { show: { name: 'list' } } } } },
  };
  const { description, description_localizations: descriptions, options = [] } = settingsCommandData({ texts });
  expect(description).toBe('Configure Melody');
  expect(Object.keys(descriptions ?? {}).toSorted()).toEqual(['es-419', 'es-ES', 'hi', 'ja', 'ru']);
  const [show] = options;
  expect(show).toMatchObject({
    name: 'show',
    name_localizations: { 'en-US': 'list', 'en-GB': 'list', fr: 'list', ru: 'показать' },
  });
});

test('texts in all languages of Discord are registered in each', async () => {
  const texts = Object.fromEntries(
    LABEL_LANGUAGES.map((locale) => [
      locale,
      commands({ name: `x-${locale.toLowerCase()}`, description: `In ${locale}` }),
    ]),
  ) as SettingsTexts;
  const data = settingsCommandData({ texts });
  expect(Object.keys(data.name_localizations ?? {})).toHaveLength(32);
  expect(data).toMatchObject({ description: 'In en-US', description_localizations: { 'zh-TW': 'In zh-TW' } });
  await using discord = await discordResource();
  const { apiUrl, world } = discord;
  const response = await fetch(`${apiUrl}/applications/${APPLICATION.id}/commands`, {
    method: 'PUT',
    headers: { authorization: 'Bot sandbox-bot-token-000000000001', 'content-type': 'application/json' },
    body: JSON.stringify([data]),
  });
  expect(response.status).toBe(200);
  expect(world.commandsOf(APPLICATION.id)[0]).toMatchObject({ name_localizations: { uk: 'x-uk' } });
});

describe('a language more', () => {
  const vocabulary = new Vocabulary({
    pl: {
      errors: {
        tooLong_one: '{{count}} a',
        tooLong_few: '{{count}} b',
        tooLong_many: '{{count}} c',
        tooLong_other: 'd',
      },
      shared: { value: { on: 'tak' } },
      words: { beta: 'próba' },
    },
    'es-419': { settings: { title: '**Configuración**' } },
  });
  const pl = vocabulary.translatorOf({ language: 'pl' });

  test('has its own plural forms, numbers and lists, and English for what it lacks', () => {
    const counts = [1, 2, 5, 1.5].map((count) => pl.t('errors.tooLong', { count, option: '' }));
    expect(counts).toEqual(['1 a', '2 b', '5 c', 'd']);
    expect(pl.t('settings.title')).toBe('**Settings of this server**');
    expect(pl.shared('more', { count: 2 })).toBe('2 more');
    expect([pl.word('on'), pl.word('off'), pl.word('beta'), pl.word('prefix')]).toEqual([
      'tak',
      'off',
      'próba',
      'prefix',
    ]);
    expect(pl.commandTexts(['settings', 'set'])).toEqual(
      vocabulary.translatorOf({ language: 'en-US' }).commandTexts(['settings', 'set']),
    );
    expect(pl.duration(90 * 60_000)).toContain('godzina');
  });

  test('of a region falls back to its language', () => {
    const latin = vocabulary.translatorOf({ language: 'es-419' });
    expect([latin.t('settings.title'), latin.t('undo.cancel')]).toEqual(['**Configuración**', 'Cancelar']);
    expect(latin.commandTexts(['settings', 'show']).name).toBe('ver');
  });

  test.each([
    ['pl', 'pl'],
    ['es-419', 'es-419'],
    ['en-GB', 'en-US'],
    ['pt-BR', undefined],
  ])('is that of the locale %s: %s', (locale, language) => {
    expect(vocabulary.languageOf(locale)).toBe(language);
  });

  test('of one script of Chinese is not offered to readers of the other', () => {
    expect(new Vocabulary({ 'zh-CN': {} }).languageOf('zh-TW')).toBeUndefined();
  });
});
