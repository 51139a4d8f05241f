import { expect, test } from 'vitest';
import { ConversionError, convert } from './convert.ts';
import type { FieldName } from './field-map.ts';

test.each<[FieldName, unknown, unknown]>([
  ['prefix', '?', '?'],
  ['prefix', 5, '5'],
  ['prefix', ['$'], '$'],
  ['announcement_channel', '381870553235193857', '381870553235193857'],
  ['announcement_channel', '<#381870553235193857>', '381870553235193857'],
  ['announcement_channel', ' ', ''],
  ['beta', true, true],
  ['beta', 'On', true],
  ['beta', 1, true],
  ['beta', 'no', false],
  ['beta', '0', false],
  ['language', 'en', 'en-US'],
  ['language', 'EN_us', 'en-US'],
  ['language', 'Spanish', 'es-ES'],
  ['language', 'español', 'es-ES'],
  ['language', 'русский', 'ru'],
  ['language', '日本語', 'ja'],
  ['enabledFeatures', 'reminders, welcome,', ['reminders', 'welcome']],
  ['enabledFeatures', ['reminders', 'reminders'], ['reminders']],
  ['enabledFeatures', { reminders: true, welcome: false }, ['reminders']],
  ['enabledFeatures', '', []],
])('%s: %j becomes %j', (field, value, expected) => {
  expect(convert(field, value)).toEqual(expected);
});

test.each<[FieldName, unknown, string]>([
  ['prefix', ['!', '?'], 'expected a text, received ["!","?"]'],
  ['announcement_channel', 38187055, 'expected the id or the mention of a channel, received 38187055'],
  ['announcement_channel', 'general', 'expected the id or the mention of a channel, received "general"'],
  ['beta', 'maybe', 'expected true or false, on or off, yes or no, 1 or 0, received "maybe"'],
  ['beta', 2, 'received 2'],
  ['language', 'en-GB', 'expected one of en-US, hi, ru, ja, es-ES or its name'],
  ['language', 3, 'received 3'],
  ['enabledFeatures', [1], 'received [1]'],
  ['enabledFeatures', { reminders: 'sometimes' }, 'received {"reminders":"sometimes"}'],
])('%s: %j is refused, not guessed', (field, value, message) => {
  expect(() => convert(field, value)).toThrow(ConversionError);
  expect(() => convert(field, value)).toThrow(message);
});
