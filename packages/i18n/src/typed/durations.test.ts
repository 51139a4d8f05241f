import { LANGUAGES, type Language } from '@guild-settings/contract/constants';
import { Ambiguous } from '@guild-settings/contract/settings';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { secondsIn } from './durations.ts';

function read(typed: string, language: string): unknown {
  const seconds = secondsIn(typed, language);
  return seconds instanceof Ambiguous ? seconds.meanings : seconds;
}

describe('in every language, a duration in English is read', () => {
  test.each<[string, unknown]>([
    ['90', 90],
    ['10m', 600],
    ['10 minutes', 600],
    ['1.5h', 5_400],
    ['1h 30m', 5_400],
    ['1H 30M', 5_400],
    ['1 hour and 30 minutes', 5_400],
    ['1 day, 2 hrs., 3 min', 93_780],
    ['１ｈ　３０ｍ', 5_400],
    ['2 weeks', 1_209_600],
    ['1h30', 5_400],
    ['5m30', 330],
    ['1,500', 1_500],
    ['1:30:00', 5_400],
    // Hours and minutes, or minutes and seconds.
    ['1:30', ['1h 30m', '1m 30s']],
    // A month, or a minute.
    ['1M', ['1m', '30d']],
    ['1h 1M', ['1h 1m', '1h 30d']],
    ['1 month', undefined],
    ['2 years', undefined],
    ['0.5s', undefined],
    ['1h 30', undefined],
    ['1d12', undefined],
    ['1.5', undefined],
    ['-5m', undefined],
    ['1:75', undefined],
    ['10 m n', undefined],
    ['10m 20m', undefined],
    ['m', undefined],
    ['', undefined],
    ['999999999999999d', undefined],
    ['__proto__', undefined],
  ])('%j', (typed, meant) => {
    expect(LANGUAGES.map((language) => read(typed, language))).toStrictEqual(LANGUAGES.map(() => meant));
  });
});

test.each<[Language, string, unknown]>([
  ['ru', '10 мин', 600],
  ['ru', '10 минут', 600],
  ['ru', '1,5 ч', 5_400],
  ['ru', '1 час 30 минут и 5 секунд', 5_405],
  ['ru', '2 нед.', 1_209_600],
  ['ru', '1 месяц', undefined],
  // A capital of Cyrillic may be a month as well.
  ['ru', '1М', ['1м', '30d']],
  ['ru', '1Ч 30М', 5_400],
  ['es-ES', '1 hora y 30 minutos', 5_400],
  ['es-ES', '3 dias', 259_200],
  ['es-ES', '1,5 h', 5_400],
  ['ja', '10分', 600],
  ['ja', '1.5時間', 5_400],
  ['ja', '１時間３０分', 5_400],
  ['ja', '2週間', 1_209_600],
  ['ja', '1時間半', 5_400],
  ['hi', '1 घंटा 30 मिनट', 5_400],
  ['hi', '1 घण्टा और 30 मिनट', 5_400],
  ['hi', '१० मिनट', 600],
  ['hi', '1 हफ्ता', 604_800],
  ['en-US', '1,234 days', 106_617_600],
  ['en-US', '1,5 h', undefined],
])('in %s, %j is %j seconds', (language, typed, seconds) => expect(read(typed, language)).toStrictEqual(seconds));

// Node 22 has no formatter of durations.
test.skipIf(!('DurationFormat' in Intl)).each(LANGUAGES)(
  'in %s, every form that Intl has for an amount and for several is read',
  (language) => {
    const sizes = { days: 86_400, hours: 3_600, minutes: 60, seconds: 1 };
    const amounts = fc.record({
      days: fc.integer({ min: 0, max: 9_999_999 }),
      hours: fc.integer({ min: 0, max: 23 }),
      minutes: fc.integer({ min: 0, max: 59 }),
      seconds: fc.integer({ min: 1, max: 59 }),
    });
    // The types of this version lack the formatter, which newer runtimes have.
    const { DurationFormat } = Intl as unknown as { DurationFormat: typeof Intl.NumberFormat };
    const styles = ['long', 'short', ...(language === 'ja' ? [] : ['narrow'])];
    const property = fc.property(amounts, fc.constantFrom(...styles), (duration, style) => {
      const text = new DurationFormat(language, { style } as object).format(duration as never);
      const total = Object.entries(sizes).reduce((sum, [unit, size]) => sum + size * duration[unit as 'days'], 0);
      expect([text, read(text, language)]).toStrictEqual([text, total]);
    });
    fc.assert(property, { numRuns: 200 });
  },
);
