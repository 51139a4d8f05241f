import { expect, test } from 'vitest';
import { DEFAULT_SETTINGS } from '../guild.ts';
import { defineSettings } from './declaration.ts';
import { DeclaredSettings } from './declared-settings.ts';
import type { TypedWords } from './kinds/kind.ts';
import { parseTyped } from './parse-typed.ts';
import { patchOf, valueIn } from './record-values.ts';

const { all } = new DeclaredSettings(
  defineSettings({ settings: { roles: { kind: 'role', many: { max: 2 }, label: { 'en-US': 'Roles' } } } }),
);

test('a patch has each value where a record has it', () => {
  expect(patchOf(all.map((setting) => [setting, setting.default]))).toStrictEqual({
    ...DEFAULT_SETTINGS,
    custom: { roles: [] },
  });
  for (const setting of all) expect(valueIn(patchOf([[setting, setting.default]]), setting)).toBe(setting.default);
});

test('a patch of specified settings alone has no `custom`, and no value of the others', () => {
  const patch = patchOf(all.slice(0, 1).map((setting) => [setting, '?']));
  expect(patch).toStrictEqual({ prefix: '?' });
  expect(all.filter((setting) => valueIn(patch, setting) !== undefined).map(({ name }) => name)).toEqual(['prefix']);
});

const none = () => undefined;
const NO_WORDS: TypedWords = {
  wordOf: none,
  idOf: none,
  namesOf: () => [],
  numberIn: none,
  secondsIn: none,
  valueIn: none,
};

test.each([
  ['none', []],
  [' , ', undefined],
  ['1300000000000000001 1300000000000000001', ['1300000000000000001']],
])('the typed list %j has the items %j', (typed, items) => {
  const words = {
    ...NO_WORDS,
    wordOf: (text: string) => (text === 'none' ? ('none' as const) : undefined),
    idOf: (text: string) => text,
    namesOf: () => [],
  };
  expect(all.filter(({ name }) => name === 'roles').map((setting) => parseTyped(setting, typed, words))).toStrictEqual([
    items,
  ]);
});

const choices = {
  ano: {},
  año: {},
  'voice chat': {},
  off: { 'en-US': 'Nothing' },
  none: {},
  nothing: { 'en-US': 'off' },
};
const CHOICES = new DeclaredSettings(
  defineSettings({
    settings: {
      one: { kind: 'choice', choices, default: 'off', label: { 'en-US': 'One' } },
      many: { kind: 'choice', choices, default: [], many: { max: 3 }, label: { 'en-US': 'Many' } },
    },
  }),
);

test.each<[name: string, typed: string, value: unknown]>([
  ['one', 'ano', 'ano'],
  ['one', 'año', 'año'],
  ['one', 'an\u0303o', 'año'],
  ['one', 'AÑO', undefined],
  ['one', 'off', 'off'],
  ['one', 'OFF', undefined],
  ['one', 'VOICE CHAT', 'voice chat'],
  ['many', 'voice chat, año', ['voice chat', 'año']],
  ['many', 'ano año', ['ano', 'año']],
  ['many', 'none', []],
  ['many', 'ano, none', ['ano', 'none']],
  ['many', 'ano and año', undefined],
])('the typed choice of %s, %j, is %j: the exact one, or the only one that is similar', (name, typed, value) => {
  const words = {
    ...NO_WORDS,
    wordOf: (text: string) => (text === 'none' ? ('none' as const) : undefined),
    idOf: () => undefined,
    namesOf: (choice: string) => ({ off: ['Nothing'], nothing: ['off'] })[choice] ?? [],
  };
  const setting = CHOICES.byField.get(`custom.${name}`);
  expect(setting && parseTyped(setting, typed, words)).toStrictEqual(value);
});
