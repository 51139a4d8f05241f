import { type Declaration, defineSettings } from '@guild-settings/contract/settings';
import { expect, test } from 'vitest';
import { declarationTag } from './declaration-tag.ts';

const label = { 'en-US': 'A label' };
const on = { kind: 'switch', label } as const;
const rate = { kind: 'integer', min: 0, max: 9, default: 1, label } as const;
const level = { kind: 'choice', choices: { a: label, b: label }, default: 'a', label } as const;
const channel = { kind: 'channel', label } as const;
const message = { kind: 'text', max: 9, label } as const;

const DECLARATION = defineSettings({ settings: { on, rate, level, channel, message } });
const TAG = declarationTag(DECLARATION);

const withSettings = (settings: Declaration['settings']): Declaration => ({
  settings: { ...DECLARATION.settings, ...settings },
});

test('the tag of a declaration is the same in every version of the service', () => {
  expect(TAG).toBe('d861b224');
});

test.each<[string, Declaration]>([
  ['a setting more', withSettings({ more: on })],
  ['a setting less', { settings: { on, rate, level, channel } }],
  ['another order', { settings: { rate, on, level, channel, message } }],
  ['another name', { settings: { off: on, rate, level, channel, message } }],
  ['another kind', withSettings({ rate: { ...rate, kind: 'duration' } })],
  ['another default', withSettings({ rate: { ...rate, default: 2 } })],
  ['a default of a kind that has one', withSettings({ on: { ...on, default: true } })],
  ['another limit', withSettings({ rate: { ...rate, max: 10 } })],
  ['a list in place of a value', withSettings({ channel: { ...channel, many: { max: 2 } } })],
  ['another length of a list', withSettings({ channel: { ...channel, many: { max: 3 } } })],
  ['types of channels', withSettings({ channel: { ...channel, types: ['text'] } })],
  ['another choice', withSettings({ level: { ...level, choices: { a: label, c: label } } })],
  ['lines', withSettings({ message: { ...message, lines: 'many' } })],
  ['people who may not set it', withSettings({ on: { ...on, setBy: 'application' } })],
  ['a default of a specified setting', { ...DECLARATION, defaults: { prefix: '?' } }],
])('the tag changes with %s', (_, declaration) => {
  expect(declarationTag(declaration)).toMatch(/^[0-9a-f]{8}$/);
  expect(declarationTag(declaration)).not.toBe(TAG);
});

test.each<[string, Declaration]>([
  ['of the fields of a setting', withSettings({ rate: { label, default: 1, max: 9, min: 0, kind: 'integer' } })],
  ['of parts', { features: {}, ...DECLARATION, groups: {} }],
])('the tag does not depend on the order %s', (_, declaration) => {
  expect(declarationTag(declaration)).toBe(TAG);
});

test.each<[string, Declaration]>([
  ['labels', withSettings({ on: { ...on, label: { ja: '別の名前' }, description: label } })],
  ['the labels of choices', withSettings({ level: { ...level, choices: { a: { ja: 'エー' }, b: label } } })],
  ['a unit', withSettings({ rate: { ...rate, unit: '%' } })],
  ['groups', { groups: { g: { label } }, ...withSettings({ on: { ...on, group: 'g' } }) }],
  ['features', { ...DECLARATION, features: { music: { label } } }],
])('the tag does not depend on %s', (_, declaration) => {
  expect(declarationTag(declaration)).toBe(TAG);
});

test.each<[string, Declaration]>([
  ['of a switch', withSettings({ on: { ...on, default: false } })],
  ['of a text', withSettings({ message: { ...message, lines: 'one', default: '' } })],
  ['of a specified setting', { ...DECLARATION, defaults: { prefix: '!', beta: false } }],
])('a default that is written out is the same as the one %s', (_, declaration) => {
  expect(declarationTag(declaration)).toBe(TAG);
});
