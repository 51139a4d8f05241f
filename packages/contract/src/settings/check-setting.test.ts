import { describe, expect, test } from 'vitest';
import { checkDeclaration } from './check-declaration.ts';

const label = { 'en-US': 'A label' };

/** Returns the flaws of a setting as lines: a pointer within it, and the message. */
function flawsOfSetting(setting: unknown): string[] {
  const { flaws = [] } = checkDeclaration({ settings: { x: setting } });
  return flaws.map(({ pointer, message }) => `${pointer}: ${message}`.replace('/settings/x', ''));
}

describe('texts for people', () => {
  test.each([
    [undefined, '/label: expected an object, received nothing'],
    [{}, "/label: expected text in at least one of Discord's languages, such as en-US, hi, ru, ja, es-ES"],
    [
      { 'en-US': undefined },
      "/label: expected text in at least one of Discord's languages, such as en-US, hi, ru, ja, es-ES",
    ],
    [{ 'en-US': '' }, '/label/en-US: expected at least 1 character, received 0'],
    [{ 'en-US': ' ' }, '/label/en-US: expected no white space at the start'],
    [{ ja: '字'.repeat(46) }, '/label/ja: expected at most 45 characters, received 46'],
    [{ 'en-US': 'a\nb' }, '/label/en-US: expected one line, received a line break'],
  ])('a label is not %j', (given, flaw) => {
    expect(flawsOfSetting({ kind: 'switch', label: given })).toEqual([flaw]);
  });

  test('have lengths in code points: 45 emoji are a label, and 300 a description', () => {
    const emoji = (count: number) => ({ 'en-US': '🎉'.repeat(count) });
    expect(flawsOfSetting({ kind: 'switch', label: emoji(45), description: emoji(300) })).toEqual([]);
    expect(flawsOfSetting({ kind: 'switch', label, description: emoji(301) })).toEqual([
      '/description/en-US: expected at most 300 characters, received 301',
    ]);
  });
});

test.each(['__proto__', 'toString', '', 'x'.repeat(65), 'a\tb', ' a'])('%j is not a name of a choice', (name) => {
  const choices = Object.fromEntries([
    ['ok', label],
    [name, label],
  ]);
  expect(flawsOfSetting({ kind: 'choice', choices, default: 'ok', label })).toHaveLength(1);
});

describe('the options of a kind', () => {
  const range = { min: 0, max: 9, default: 0, label };
  test.each([
    [{ kind: 'switch', many: { max: 2 }, label }, '/many: unknown field; expected one of kind, default, label'],
    [{ kind: 'text', label }, '/max: expected an integer, received nothing'],
    [{ kind: 'text', max: 0, label }, '/max: expected at least 1, received 0'],
    [{ kind: 'text', max: 2_001, label }, '/max: expected at most 2000, received 2001'],
    [{ kind: 'text', max: 101, many: { max: 2 }, label }, '/max: expected at most 100 for the texts of a list'],
    [{ kind: 'text', max: 9, lines: 'many', many: { max: 2 }, label }, '/lines: expected one'],
    [{ kind: 'role', many: { max: 101 }, label }, '/many/max: expected at most 100, received 101'],
    [{ kind: 'role', many: { max: 0 }, label }, '/many/max: expected at least 1, received 0'],
    [{ kind: 'role', many: { max: 1, min: 1 }, label }, '/many/min: unknown field; expected max'],
    [{ kind: 'role', types: ['text'], label }, '/types: unknown field'],
    [{ kind: 'channel', types: [], label }, '/types: expected at least 1 item, received 0'],
    [{ kind: 'channel', types: ['dm'], label }, '/types/0: expected one of text, announcement, voice'],
    [{ kind: 'channel', types: ['text', 'text'], label }, '/types: expected each type once'],
    [{ kind: 'role', needs: ['ViewChannel'], label }, '/needs: unknown field'],
    [{ kind: 'channel', needs: 'SendMessages', label }, '/needs: expected an array, received "SendMessages"'],
    [{ kind: 'channel', needs: ['SEND_MESSAGES'], label }, '/needs/0: expected one of CreateInstantInvite, ManageCh'],
    [{ kind: 'channel', needs: ['Administrator'], label }, 'BypassSlowmode, received "Administrator"'],
    [{ kind: 'channel', needs: ['Speak', 'Speak'], label }, '/needs: expected each permission once'],
    [{ kind: 'integer', ...range, min: 2 ** 53 }, '/min: expected at most'],
    [{ kind: 'integer', ...range, max: -1 }, '/min: expected at most max, which is -1, received 0'],
    [{ kind: 'integer', ...range, unit: 'x'.repeat(11) }, '/unit: expected at most 10 characters, received 11'],
    [{ kind: 'duration', ...range, min: -1 }, '/min: expected at least 0, received -1'],
    [{ kind: 'duration', ...range, unit: 's' }, '/unit: unknown field'],
    [{ kind: 'choice', label }, '/choices: expected an object, received nothing'],
    [{ kind: 'choice', choices: {}, label }, '/choices: expected at least 1 of the choices, received none'],
    [{ kind: 'choice', choices: { a: {} }, default: 'a', label }, '/choices/a: expected text in at least one'],
  ])('%j has a flaw: %s', (setting, flaw) => {
    expect(flawsOfSetting(setting)).toEqual([expect.stringContaining(flaw)]);
  });

  test('are at most 25 choices', () => {
    const choices = Object.fromEntries(Array.from({ length: 26 }, (_, index) => [`c${index}`, label]));
    expect(flawsOfSetting({ kind: 'choice', choices, default: 'c0', label })).toEqual([
      '/choices: expected at most 25 choices, received 26',
    ]);
  });

  test.each([
    ['channel', { anyText: 100 }],
    ['text', { max: 9, noLeadingSpace: true }],
    ['text', { max: 9, noInvisible: true }],
    ['choice', { choices: { a: label }, default: 'a', open: 9 }],
    ['switch', { examples: [true] }],
    ['switch', { place: 'record' }],
  ])('of a %s of a team are not those of the specified settings: %j', (kind, options) => {
    expect(flawsOfSetting({ kind, ...options, label })).toEqual([expect.stringContaining('unknown field; expected')]);
  });
});

describe('the default', () => {
  const range = { min: 1, max: 9, label };
  const id = '381870553235193857';
  test.each([
    [{ kind: 'integer', ...range }, ': expected a default, required for the kind integer'],
    [{ kind: 'duration', ...range }, ': expected a default, required for the kind duration'],
    [{ kind: 'choice', choices: { a: label }, label }, ': expected a default, required for the kind choice'],
    [{ kind: 'switch', label, default: 'yes' }, ': expected true or false, received "yes"'],
    [{ kind: 'text', max: 9, label, default: null }, ': expected a string, received null'],
    [{ kind: 'integer', ...range, default: 1.5 }, ': expected an integer, received 1.5'],
    [{ kind: 'integer', ...range, default: 10 }, ': expected at most 9, received 10'],
    [{ kind: 'integer', ...range, many: { max: 2 }, default: 5 }, ': expected an array of integers, received 5'],
    [{ kind: 'integer', ...range, many: { max: 2 }, default: [5, 0] }, '/1: expected at least 1, received 0'],
    [{ kind: 'integer', ...range, many: { max: 2 }, default: [1, 2, 3] }, ': expected at most 2 items, received 3'],
    [{ kind: 'role', label, many: { max: 2 }, default: [id, id] }, ': expected each item once'],
    [{ kind: 'role', label, default: 'admin' }, ': expected a Discord id of 17 to 20 decimal digits'],
    [{ kind: 'choice', choices: { a: label }, label, default: 'b' }, ': expected a, received "b"'],
    [{ kind: 'text', max: 3, label, default: 'four' }, ': expected at most 3 characters, received 4'],
    [{ kind: 'text', max: 9, label, default: 'a\nb' }, ': expected one line, received a line break'],
    [{ kind: 'text', max: 9, label, default: 'a\u0007b' }, ': expected no control characters'],
  ])('of %j has a flaw: %s', (setting, flaw) => {
    expect(flawsOfSetting(setting)).toEqual([expect.stringContaining(`/default${flaw}`)]);
  });

  test('is not needed by lists, and by kinds that can be empty', () => {
    for (const options of [
      { kind: 'integer', min: 1, max: 9, many: { max: 2 } },
      { kind: 'choice', choices: { a: label }, many: { max: 1 } },
      { kind: 'channel' },
      { kind: 'channel', needs: [] },
      { kind: 'channel', needs: ['ViewChannel', 'SendMessages', 'EmbedLinks'], many: { max: 2 } },
      { kind: 'text', max: 9 },
      { kind: 'switch' },
    ]) {
      expect(flawsOfSetting({ ...options, label })).toEqual([]);
    }
  });

  test('is checked also where a text is not valid, and not where the limits are not', () => {
    expect(flawsOfSetting({ kind: 'integer', ...range, label: {}, default: 10 })).toHaveLength(2);
    expect(flawsOfSetting({ kind: 'integer', ...range, max: 'x', default: 10 })).toHaveLength(1);
  });
});
