import { LANGUAGES, type Language } from '@guild-settings/contract/constants';
import {
  Ambiguous,
  DeclaredSettings,
  defineSettings,
  parseTyped,
  type Setting,
} from '@guild-settings/contract/settings';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { wordsIn } from '../testing/words.ts';
import { choiceText, numberText, plainText, valueParts } from '../values.ts';
import type { Words } from '../words.ts';
import { namedValues, typedWords } from './typed-words.ts';

const label = { 'en-US': 'Label' };
const settings = new DeclaredSettings(
  defineSettings({
    settings: {
      welcome: { kind: 'switch', label },
      members: { kind: 'integer', min: -1e9, max: 1e9, default: 0, label },
      rate: { kind: 'number', min: -1e6, max: 1e6, decimals: 3, default: 0, unit: '×', label },
      price: { kind: 'number', min: 0, max: 1e6, decimals: 2, default: 0, unit: '%', label },
      pause: { kind: 'duration', min: 0, max: Number.MAX_SAFE_INTEGER, default: 0, label },
      level: {
        kind: 'choice',
        choices: {
          yes: { 'en-US': 'Off', ru: 'Нет' },
          on: { 'en-US': 'Yes', ja: 'オフ' },
          none: { 'en-US': 'Everything', hi: 'हिन्दी' },
        },
        default: 'on',
        label,
      },
      opens: { kind: 'time', default: '00:00', label },
      zone: { kind: 'timeZone', label },
      color: { kind: 'color', default: '#000000', label },
      emoji: { kind: 'emoji', label },
      role: { kind: 'role', label },
      greeting: { kind: 'text', max: 50, label },
      counts: { kind: 'integer', min: 0, max: 1e9, many: { max: 5 }, label },
      rates: { kind: 'number', min: 0, max: 1e6, decimals: 2, many: { max: 5 }, label },
      pauses: { kind: 'duration', min: 0, max: 1e9, many: { max: 5 }, label },
      times: { kind: 'time', many: { max: 5 }, label },
      colors: { kind: 'color', many: { max: 5 }, label },
    },
  }),
);

function settingOf(name: string): Setting {
  const setting = settings.byField.get(name) ?? settings.byField.get(`custom.${name}`);
  if (setting === undefined) throw new Error(`Expected a setting, received ${name}`);
  return setting;
}

function read(name: string, typed: string, language: string): unknown {
  const setting = settingOf(name);
  const value = parseTyped(setting, typed, typedWords(setting, { language }));
  return value instanceof Ambiguous ? value.meanings : value;
}

const WORDS = Object.fromEntries(LANGUAGES.map((language) => [language, wordsIn(language)])) as Record<Language, Words>;

function shown(name: string, value: unknown, language: Language): string {
  const setting = settingOf(name);
  // A long value in a sentence is cut.
  if (typeof value === 'number') return numberText(setting, value, language);
  const names = { person: () => '', channel: (id: string) => id, role: (id: string) => id };
  return plainText(valueParts(setting.field, value, { ...WORDS[language], settings }), names);
}

describe.each(LANGUAGES)('in %s, what is shown is read:', (language) => {
  test.each<[string, fc.Arbitrary<unknown>]>([
    ['welcome', fc.boolean()],
    ['beta', fc.boolean()],
    ['language', fc.constantFrom(...LANGUAGES)],
    ['level', fc.constantFrom('yes', 'on', 'none')],
    ['members', fc.integer({ min: -1e9, max: 1e9 })],
    ['rate', fc.integer({ min: -1e9, max: 1e9 }).map((number) => number / 1_000)],
    ['price', fc.integer({ min: 0, max: 1e8 }).map((number) => number / 100)],
    [
      'pause',
      fc.oneof(
        fc.maxSafeNat(),
        fc.nat(200_000),
        fc.nat(5_000).map((number) => number * 3_600),
      ),
    ],
    ['opens', fc.integer({ min: 0, max: 1_439 }).map((at) => new Date(at * 60_000).toISOString().slice(11, 16))],
    ['zone', fc.constantFrom('UTC', 'Etc/GMT-3', 'Asia/Calcutta', ...Intl.supportedValuesOf('timeZone'))],
    [
      'color',
      fc.integer({ min: 0, max: 0xff_ff_ff }).map((one) => `#${one.toString(16).padStart(6, '0').toUpperCase()}`),
    ],
    [
      'emoji',
      fc.constantFrom('', '🎉', '❤️', '🏳️‍🌈', '1️⃣', '👍🏽', '<:blob:381870553235193857>', '<a:blob:381870553235193857>'),
    ],
    ['role', fc.constantFrom('', '381870553235193857')],
    ['greeting', fc.constantFrom('', 'Hi', 'yes', '5,000')],
  ])('%s', (name, values) => {
    const property = fc.property(values, (value) => {
      const text = shown(name, value, language);
      expect([text, read(name, text, language)]).toStrictEqual([text, value]);
    });
    fc.assert(property, { numRuns: 150, seed: 55 });
  });
});

describe('a switch is read in the language of the reader, and in English:', () => {
  const on = 'on yes true enabled enable 1 ON Yes';
  const off = 'off no false disabled disable 0';
  test.each<[Language, string, string]>([
    ['en-US', on, off],
    ['ru', `${on} да вкл включено Включить`, `${off} нет выкл выключено Отключено`],
    ['es-ES', `${on} sí si SÍ si\u0301 activado`, `${off} no desactivado`],
    ['ja', `${on} はい オン ｵﾝ 有効 ＯＮ`, `${off} いいえ オフ 無効`],
    ['hi', `${on} हाँ हां चालू`, `${off} नहीं नही बंद बन्द ऑफ़ ऑफ`],
  ])('in %s', (language, yes, no) => {
    const readAll = (words: string) => words.split(' ').map((word) => read('welcome', word, language));
    expect(new Set(readAll(yes))).toStrictEqual(new Set([true]));
    expect(new Set(readAll(no))).toStrictEqual(new Set([false]));
    expect(['maybe', '2', '', 'none', 'onn'].map((word) => read('welcome', word, language))).toStrictEqual(
      Array(5).fill(undefined),
    );
  });
});

test.each([
  ['en', 'en-US'],
  ['EN', 'en-US'],
  ['en_US', 'en-US'],
  ['ja-JP', 'ja'],
  ['ja_jp', 'ja'],
  ['日本語', 'ja'],
  ['Japanese', 'ja'],
  ['японский', 'ja'],
  ['हिंदी', 'hi'],
  ['हिन्दी', 'hi'],
  ['हिंदी'.normalize('NFD'), 'hi'],
  ['अंग्रेज़ी', 'en-US'],
  ['अंग्रेजी', 'en-US'],
  ['English (United States)', 'en-US'],
  ['American English', 'en-US'],
  ['español (España)', 'es-ES'],
  ['espanol', 'es-ES'],
  ['Castilian', 'es-ES'],
  ['スペイン語', 'es-ES'],
  ['РУССКИЙ', 'ru'],
  ['de', undefined],
  ['German', undefined],
  ['en-GB', undefined],
  ['klingon', undefined],
])('for every reader, the language %j is %j', (typed, tag) => {
  expect(LANGUAGES.map((language) => read('language', typed, language))).toStrictEqual(LANGUAGES.map(() => tag));
});

test.each<[string, string, Language, unknown]>([
  // The label in the reader's language takes precedence over those in other languages, and over words.
  ['level', 'Off', 'en-US', 'yes'],
  ['level', 'нет', 'ru', 'yes'],
  ['level', 'オフ', 'ja', 'on'],
  ['level', 'yes', 'en-US', 'yes'],
  ['level', 'हिंदी', 'en-US', 'none'],
  ['members', '1,500', 'en-US', 1_500],
  ['rate', '1,500', 'en-US', ['1500', '1.5']],
  ['rate', '1,5×', 'ru', 1.5],
  ['rate', 'x1.5', 'en-US', 1.5],
  ['rate', '１．５ｘ', 'ja', 1.5],
  ['price', '5٪', 'hi', 5],
  ['price', '5 ％', 'ja', 5],
  ['price', '5%%', 'en-US', undefined],
  ['greeting', 'none', 'ja', ''],
  ['greeting', 'нет', 'ru', ''],
  ['greeting', 'no', 'ru', 'no'],
  ['greeting', 'нет', 'en-US', 'нет'],
  ['welcome', 'нет', 'en-US', undefined],
  ['role', 'ninguno', 'es-ES', ''],
  ['role', '<@&381870553235193857>', 'en-US', '381870553235193857'],
  ['emoji', '❤', 'en-US', '❤️'],
  ['emoji', '🏳‍🌈', 'en-US', '🏳️‍🌈'],
  ['emoji', '🎉️', 'en-US', '🎉'],
  ['emoji', '🎉🎉', 'en-US', undefined],
  ['emoji', 'tada', 'en-US', undefined],
  ['color', 'dark blue', 'ja', '#206694'],
  ['color', 'DarkBlue', 'ja', '#206694'],
  ['color', 'dark_blue', 'ja', '#206694'],
  ['color', 'Blurple', 'en-US', '#5865F2'],
  ['color', 'тёмно-синий', 'ru', '#206694'],
  ['color', 'azul oscuro', 'es-ES', '#206694'],
  ['color', '濃い青', 'ja', '#206694'],
  ['color', 'गहरा नीला', 'hi', '#206694'],
  ['color', 'सफेद', 'hi', '#FFFFFF'],
  ['color', '5865f2', 'hi', '#5865F2'],
  ['color', '#58F', 'hi', '#5588FF'],
  ['color', 'dark', 'en-US', undefined],
  ['color', '#12345', 'en-US', undefined],
  ['color', 'constructor', 'en-US', undefined],
])('%s: %j in %s is %j', (name, typed, language, value) => {
  expect(read(name, typed, language)).toStrictEqual(value);
});

test.each<[string, string, Language, unknown]>([
  ['counts', '1, 2, 3', 'en-US', [1, 2, 3]],
  ['counts', '1,2,3', 'en-US', [1, 2, 3]],
  ['counts', '1 2 3', 'en-US', [1, 2, 3]],
  ['counts', '1,500, 2,500', 'en-US', [1_500, 2_500]],
  ['counts', '1 500; 2 500', 'ru', [1_500, 2_500]],
  ['counts', '1,500', 'en-US', ['1500', '1, 500']],
  ['counts', '1,000', 'en-US', [1_000]],
  ['counts', '1, x', 'en-US', undefined],
  ['counts', '1,500 2,500', 'en-US', [1_500, 2_500]],
  ['counts', '1 500 2 500', 'ru', ['1500, 2500', '1, 500, 2, 500']],
  // A comma beside other separators is part of a number.
  ['rates', '1,5 2,5', 'ru', [1.5, 2.5]],
  ['rates', '1,5; 2,5', 'ru', [1.5, 2.5]],
  ['rates', '1,5; 2,5', 'en-US', undefined],
  ['rates', '1,5', 'ru', ['1.5', '1, 5']],
  ['pauses', '10m, 1h 30m', 'en-US', [600, 5_400]],
  ['pauses', '1,5 ч; 2 ч', 'ru', [5_400, 7_200]],
  ['pauses', '1,5h', 'en-US', undefined],
  ['pauses', '10m 20m', 'en-US', undefined],
  ['pauses', '90 120', 'en-US', ['90120', '90, 120']],
  ['times', '9 pm, 9:30', 'en-US', ['21:00', '09:30']],
  ['times', '9:00 9:30', 'en-US', ['09:00', '09:30']],
  ['colors', 'dark blue, red #58F', 'en-US', ['#206694', '#ED4245', '#5588FF']],
  ['colors', 'dark blue red', 'en-US', undefined],
  ['colors', 'dark blue, red', 'en-US', ['#206694', '#ED4245']],
])('the list %s: %j in %s is %j', (name, typed, language, items) => {
  expect(read(name, typed, language)).toStrictEqual(items);
});

test('the label of a choice in the language of the reader is read before another in a language that they do not have', () => {
  const level = settingOf('level');
  for (const language of LANGUAGES)
    for (const choice of ['yes', 'on', 'none']) {
      const names = typedWords(level, { language }).namesOf(choice);
      expect(names[0]).toBe(choiceText(level, choice, language));
    }
});

test.each([
  ['en-US', 'green', 'navy'],
  ['ru', 'зелёный', 'тёмно-голубой'],
  ['es-ES', 'verde', 'azul marino'],
  ['ja', '緑', '紺'],
  ['hi', 'हरा', 'नेवी'],
] as const)('colors are called in %s as its readers write them', (language, green, navy) => {
  const shown = (hex: string) => namedValues('color', language).find(({ value }) => value === hex)?.names[0];
  expect([shown('#57F287'), shown('#34495E')]).toEqual([green, navy]);
  const color = settingOf('color');
  expect(parseTyped(color, navy, typedWords(color, { language }))).toBe('#34495E');
});
