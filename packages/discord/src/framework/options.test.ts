import type { Language } from '@guild-settings/contract';
import { invocationIn } from '@guild-settings/testing/bot';
import { describe, expect, test } from 'vitest';
import { announce } from '../../../../apps/bot/src/commands/announce.ts';
import { add } from '../../../../apps/bot/src/commands/remind/add.ts';
import { cancel } from '../../../../apps/bot/src/commands/remind/cancel.ts';
import { set } from '../commands/set.ts';
import type { CommandPath } from '../i18n/translator.ts';
import type { Action } from './command.ts';
import { type CheckedOptions, checkOptions, type RawOptions } from './options.ts';

const ACTIONS = { set, cancel, add, announce: announce.action };
const PATHS: Readonly<Record<keyof typeof ACTIONS, CommandPath>> = {
  set: ['settings', 'set'],
  cancel: ['remind', 'cancel'],
  add: ['remind', 'add'],
  announce: ['announce'],
};

function checked(name: keyof typeof ACTIONS, raw: RawOptions, language: Language = 'en-US'): CheckedOptions {
  const { options } = ACTIONS[name] as Action;
  return checkOptions(options, PATHS[name], raw, invocationIn(language));
}

describe('an option', () => {
  test('that is required and missing is named, with the usage', () => {
    expect(() => checked('set', {})).toThrow('Please add `setting`. Usage: `!settings set <setting> [value]`');
    expect(() => checked('set', {}, 'ru')).toThrow('`настройка`');
  });

  test('of white space alone is as good as missing where it would be a message', () => {
    expect(() => checked('add', { when: '10m', text: ' \n\u3000' })).toThrow('Please add `text`.');
    expect(() => checked('add', { when: '10m', text: '' })).toThrow('Please add `text`.');
    expect(checked('set', { setting: 'prefix', value: '' })).toMatchObject({ value: '' });
  });

  test('of a setting takes its name in English and in the language of the guild, its field and its label', () => {
    for (const setting of ['announcement_channel', 'CHANNEL', 'канал', 'Канал', 'канал для объявлений']) {
      expect(checked('set', { setting, value: 'x' }, 'ru')).toMatchObject({
        setting: { field: 'announcement_channel' },
      });
    }
    expect(checked('set', { setting: 'ﾌﾟﾚﾌｨｯｸｽ', value: 'x' }, 'ja')).toMatchObject({ setting: { field: 'prefix' } });
    expect(() => checked('set', { setting: 'канал', value: 'x' })).toThrow('There is no setting `канал`.');
    expect(() => checked('set', { setting: 'languge' })).toThrow('lists them all.\nDid you mean `language`?');
    expect(() => checked('set', { setting: 'префекс' }, 'ru')).toThrow('имелось в виду `префикс`?');
  });

  test('is a number where it is written as a whole one, in any width', () => {
    for (const number of ['7', '#7', '＃７', ' 007 ', 7]) expect(checked('cancel', { number })).toEqual({ number: 7 });
    for (const number of ['seven', '-7', '7.5', '1e3', '0x10', '', '1234567890123456', '##7', 'NaN']) {
      expect(() => checked('cancel', { number })).toThrow('Enter a whole number for `number`.');
    }
  });

  test('counts characters as people do', () => {
    const text = '🍵'.repeat(1_500);
    expect(checked('add', { when: '10m', text })).toMatchObject({ text });
    expect(() => checked('add', { when: '10m', text: `${text}.` })).toThrow('Use at most 1500 characters for `text`.');
  });
});
