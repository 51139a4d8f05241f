import { DEFAULT_SETTINGS } from '@guild-settings/contract';
import { expect, test } from 'vitest';
import { translatorOf } from '../../i18n/translator.ts';
import { prefixLines } from './change-settings.ts';

test.each([
  ['!', true, []],
  ['', true, ['Prefix commands are off now. Slash commands and <@1> go on working.']],
  ['!', false, ['Only slash commands work: this bot does not read messages.']],
  ['', false, ['Only slash commands work: this bot does not read messages.']],
])(
  'after a change of the prefix to %j, reading messages: %s, the reply says what works',
  (prefix, readsMessages, lines) => {
    const translator = translatorOf({ language: 'en-US' });
    const connection = { mention: '<@1>', readsMessages, guilds: 1, shardOf: () => ({ id: 0, count: 1 }) };
    expect(prefixLines(['prefix'], { ...DEFAULT_SETTINGS, prefix }, { translator, connection })).toEqual(lines);
  },
);
