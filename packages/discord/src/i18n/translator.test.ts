import { LANGUAGES } from '@guild-settings/contract';
import { Ambiguous } from '@guild-settings/contract/settings';
import { timeZoneIn } from '@guild-settings/i18n';
import { flatTexts, textFlaws } from '@guild-settings/i18n/compare-texts';
import { anyCharacter } from '@guild-settings/testing/any-character';
import { translatorOf } from '@guild-settings/testing/bot';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LOCALES } from './translator.ts';

const SECOND = 1_000;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const numbers = [...Array(200).keys(), 1_000, 1_000_000, 1_000_001, 1.5];

describe.each(LANGUAGES)('%s', (language) => {
  const texts = flatTexts(LOCALES[language]);
  const translator = translatorOf({ language });
  const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories.toSorted();

  test('has the texts of English', () => {
    expect(textFlaws(language, LOCALES[language], LOCALES['en-US'])).toStrictEqual([]);
  });

  test('has no text with a place that is left empty', () => {
    expect(() => translator.t('settings.noSuch', { name: 'a' })).toThrow('Expected a value for {{command}}');
  });

  test('says each plural form for its numbers', () => {
    const rules = new Intl.PluralRules(language);
    const said = new Set<string>();
    for (const count of numbers) {
      const form = `errors.tooLong_${rules.select(count)}`;
      said.add(form);
      expect(translator.t('errors.tooLong', { count, option: '{{option}}' })).toBe(
        texts.get(form)?.replace('{{count}}', String(count)),
      );
    }
    expect([...said].map((form) => form.replace(/.*_/, '')).toSorted()).toEqual(categories);
  });

  test('keeps what people write as it is', () => {
    const piece = fc.constantFrom(...'{{ }} {{x}} {{help}} $t(ping.pong) $t( ) $& $1 $$ & < - a'.split(' '));
    const written = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.array(piece).map((parts) => parts.join('')),
    );
    const property = fc.property(written, written, (name, command) => {
      const [start = '', middle = '', end = ''] = (texts.get('settings.noSuch') ?? '').split(/\{\{\w+\}\}/);
      expect(translator.t('settings.noSuch', { name, command })).toBe(`${start}${name}${middle}${command}${end}`);
    });
    fc.assert(property, { numRuns: 300 });
  });
});

test('durations have at most two units', () => {
  for (const [length, text] of [
    [0.4, '0 milliseconds'],
    [999, '999 milliseconds'],
    [59_600, '1 minute'],
    [DAY + 2 * HOUR + 3 * MINUTE, '1 day, 2 hours'],
    [DAY + 5 * MINUTE, '1 day, 5 minutes'],
  ] as const) {
    expect(translatorOf({ language: 'en-US' }).duration(length)).toBe(text);
  }
  // The conjunction depends on the version of Node.
  const joined = LANGUAGES.map((language) => translatorOf({ language }).duration(HOUR + 30 * MINUTE));
  const units = [/hour.*minutes/, /घंटा.*मिनट/, /час.*минут/, /時間.*分/, /hora.*minutos/];
  expect(joined).toEqual(units.map((unit) => expect.stringMatching(unit)));
});

test('a time ahead has its units, at most two unless it is exact', () => {
  const relative = (length: number, units?: number) => translatorOf({ language: 'en-US' }).relative(length, units);
  expect([0, 29_600, MINUTE].map((length) => relative(length))).toEqual([
    'in 1 second',
    'in 30 seconds',
    'in 1 minute',
  ]);
  expect([HOUR - 1, 36 * HOUR, 400 * DAY].map((length) => relative(length))).toEqual([
    'in 1 hour',
    'in 1 day 12 hours',
    'in 400 days',
  ]);
  const odd = DAY + HOUR + MINUTE + SECOND;
  expect([relative(odd), relative(odd, 4)]).toEqual(['in 1 day 1 hour', 'in 1 day 1 hour 1 minute 1 second']);
  const inTenMinutes = LANGUAGES.map((language) => translatorOf({ language }).relative(10 * MINUTE));
  expect(inTenMinutes).toEqual(['in 10 minutes', '10 मिनट में', 'через 10 минут', '10 分後', 'dentro de 10 minutos']);
  const inNinetyOneMinutes = LANGUAGES.map((language) => translatorOf({ language }).relative(91 * MINUTE));
  expect(inNinetyOneMinutes).toEqual([
    'in 1 hour 31 minutes',
    '1 घंटे 31 मिनट में',
    'через 1 час 31 минуту',
    '1 時間 31 分後',
    'dentro de 1 hora 31 minutos',
  ]);
});

test('the zone of a moment is printed as an offset, which is read as the same one', () => {
  const zones = ['UTC', 'Europe/Berlin', 'Asia/Tokyo', 'Asia/Kolkata', 'America/New_York', 'Asia/Kathmandu'];
  const english = translatorOf({ language: 'en-US' });
  for (const at of ['2026-01-15T12:00:00Z', '2026-07-15T12:00:00Z'].map(Date.parse)) {
    for (const zone of zones) {
      for (const language of LANGUAGES) {
        const offset = /(?:UTC|GMT)\S*/.exec(translatorOf({ language }).moment(at, zone))?.[0] ?? '';
        const read = timeZoneIn(offset);
        const same = read instanceof Ambiguous ? read.meanings[0] : read;
        expect(english.moment(at, same ?? offset).split(' GMT')[0]).toBe(english.moment(at, zone).split(' GMT')[0]);
      }
    }
  }
});

test('dates have the format of the language, in the given time zone', () => {
  const at = Date.parse('2026-12-24T17:05:00Z');
  const moments = LANGUAGES.map((language) =>
    translatorOf({ language }).moment(at, 'Europe/Berlin').replaceAll(/\s/g, ' '),
  );
  // The words in between depend on the version of Node.
  const parts = [
    /^December 24, 2026.* 6:05 PM (GMT\+1|CET)/,
    /^24 दिसंबर 2026.* 18:05/,
    /^24 декабря 2026.* 18:05/,
    /^2026年12月24日 18:05/,
    /^24 de diciembre de 2026.* 18:05/,
  ];
  expect(moments).toEqual(parts.map((part) => expect.stringMatching(part)));
  expect(moments.every((moment) => /GMT\+1|CET/.test(moment))).toBe(true);
});
