import { describe, expect, test } from 'vitest';
import { add } from '../../commands/remind/add.ts';
import { set } from '../../commands/settings/set.ts';
import type { Language } from '../../i18n/translator.ts';
import type { CommandPath } from '../command-texts.ts';
import { readMessageOptions } from './message-options.ts';
import { splitWords } from './words.ts';

function read(text: string, language: Language = 'en-US', path: CommandPath = ['remind', 'add']) {
  const options = path[0] === 'remind' ? add.options : set.options;
  const { values, extra } = readMessageOptions(options, path, splitWords(text), language);
  return { ...values, extra: extra.map(({ value }) => value) };
}

describe('the words of a message', () => {
  test.each<[string, Language, string, string]>([
    ['10m tea', 'en-US', '10m', 'tea'],
    ['in 10 minutes drink tea', 'en-US', 'in 10 minutes', 'drink tea'],
    ['in 1 week 2 days 3 hours 4 minutes tea', 'en-US', 'in 1 week 2 days 3 hours 4 minutes', 'tea'],
    ['tomorrow at 6 pm tea', 'en-US', 'tomorrow at 6 pm', 'tea'],
    ['"in 10m" tea', 'en-US', 'in 10m', 'tea'],
    ['whenever tea', 'en-US', 'whenever', 'tea'],
    ['через 10 минут чай', 'ru', 'через 10 минут', 'чай'],
    ['10 मिनट में चाय', 'hi', '10 मिनट में', 'चाय'],
    ['10分後 お茶', 'ja', '10分後', 'お茶'],
    ['dentro de 10 minutos té', 'es-ES', 'dentro de 10 minutos', 'té'],
  ])('"%s" (%s) are the time "%s" and the text "%s"', (joinWords, language, when, text) => {
    expect(read(joinWords, language)).toEqual({ when, text, timezone: undefined, extra: [] });
  });

  test.each<[string, Language]>([
    ['10m --timezone=Europe/Berlin tea', 'en-US'],
    ['10m --timezone Europe/Berlin tea', 'en-US'],
    ['--TimeZone=Europe/Berlin 10m tea', 'en-US'],
    ['10m tea —timezone=Europe/Berlin', 'en-US'],
    ['10m tea\n--timezone=Europe/Berlin', 'en-US'],
    ['10m --пояс=Europe/Berlin tea', 'ru'],
    ['10m —タイムゾーン Europe/Berlin tea', 'ja'],
    ['10m --टाइमज़ोन=Europe/Berlin tea', 'hi'],
    ['10m --zona=Europe/Berlin tea', 'es-ES'],
  ])('name an option wherever it stands: %s (%s)', (joinWords, language) => {
    expect(read(joinWords, language)).toEqual({ when: '10m', text: 'tea', timezone: 'Europe/Berlin', extra: [] });
  });

  test('that look like an option and are none belong to the text, and an option without a value is empty', () => {
    const text = 'run it with --force and --a=b — now';
    expect(read(`10m ${text}`)).toMatchObject({ text, timezone: undefined });
    expect(read('10m tea --timezone')).toMatchObject({ text: 'tea', timezone: '' });
  });

  test('are a value to the end of the message, with its line breaks', () => {
    expect(read('10m\n- tea\n- cake')).toMatchObject({ when: '10m', text: '- tea\n- cake' });
    const path: CommandPath = ['settings', 'set'];
    expect(read('prefix hey bot', 'en-US', path)).toEqual({ setting: 'prefix', value: 'hey bot', extra: [] });
  });
});
