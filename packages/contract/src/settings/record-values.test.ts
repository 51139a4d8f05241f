import { expect, test } from 'vitest';
import { defineSettings } from './declaration.ts';
import { DeclaredSettings } from './declared-settings.ts';
import { patchOf, valueIn } from './record-values.ts';
import { parseTyped } from './setting.ts';

const { all } = new DeclaredSettings(
  defineSettings({ settings: { roles: { kind: 'role', many: { max: 2 }, label: { 'en-US': 'Roles' } } } }),
);

test('a patch has each value where a record has it', () => {
  expect(patchOf(all.map((setting) => [setting, setting.default]))).toStrictEqual({
    prefix: '!',
    announcement_channel: '',
    beta: false,
    language: 'en-US',
    enabledFeatures: [],
    custom: { roles: [] },
  });
  for (const setting of all) expect(valueIn(patchOf([[setting, setting.default]]), setting)).toBe(setting.default);
});

test('a patch of specified settings alone has no `custom`, and no value of the others', () => {
  const patch = patchOf(all.slice(0, 1).map((setting) => [setting, '?']));
  expect(patch).toStrictEqual({ prefix: '?' });
  expect(all.map((setting) => valueIn(patch, setting))).toStrictEqual(['?', ...Array(5).fill(undefined)]);
});

test.each([
  ['none', []],
  [' , ', undefined],
  ['1300000000000000001 1300000000000000001', ['1300000000000000001']],
])('the typed list %j has the items %j', (typed, items) => {
  const words = {
    wordOf: (text: string) => (text === 'none' ? ('none' as const) : undefined),
    idOf: (text: string) => text,
    namesOf: () => [],
  };
  expect(all.filter(({ name }) => name === 'roles').map((setting) => parseTyped(setting, typed, words))).toStrictEqual([
    items,
  ]);
});

test.each([
  ['9007199254740991', Number.MAX_SAFE_INTEGER],
  ['-9007199254740991', Number.MIN_SAFE_INTEGER],
  ['9007199254740993', undefined],
])('the typed number %s is %s', (typed, value) => {
  const label = { 'en-US': 'Many' };
  const declared = new DeclaredSettings({ settings: { many: { kind: 'integer', min: 0, max: 9, default: 0, label } } });
  const words = { wordOf: () => undefined, idOf: () => undefined, namesOf: () => [] };
  expect(declared.custom?.map((setting) => parseTyped(setting, typed, words))).toStrictEqual([value]);
});
