import { LANGUAGES, type Language } from '@guild-settings/contract';
import { Ambiguous } from '@guild-settings/contract/settings';
import { anyCharacter } from '@guild-settings/testing/any-character';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseSpan, parseTime, parseWhen, TIME_WORDS, type When } from './parse-when.ts';

/** Returns the parsed time as a line of text. */
function told(when: When | Ambiguous | undefined): string | undefined {
  if (when instanceof Ambiguous) return when.meanings.join(' or ');
  switch (when?.kind) {
    case undefined:
      return undefined;
    case 'ahead':
      return `in ${when.span.days} d ${when.span.seconds / 60} min`;
    case 'time':
      return `${when.day} ${when.time.toString({ smallestUnit: 'minute' })}`;
    case 'date':
      return `${when.date} ${when.time.toString({ smallestUnit: 'minute' })}`;
  }
}

const UNDERSTOOD: Readonly<Record<Language, readonly (readonly [typed: string, meant: string])[]>> = {
  'en-US': [
    ['10m', 'in 0 d 10 min'],
    ['in 10 min.', 'in 0 d 10 min'],
    ['IN 1H 30M', 'in 0 d 90 min'],
    ['1h30m', 'in 0 d 90 min'],
    ['2 days', 'in 2 d 0 min'],
    ['in 1 week 2 days 3 hours', 'in 9 d 180 min'],
    ['１０ｍ', 'in 0 d 10 min'],
    ['18:00', 'next 18:00'],
    ['at 9:05', 'next 09:05'],
    ['6pm', 'next 18:00'],
    ['6 PM', 'next 18:00'],
    ['12am', 'next 00:00'],
    ['12:30 am', 'next 00:30'],
    ['12pm', 'next 12:00'],
    ['today 18:00', 'today 18:00'],
    ['today at 6pm', 'today 18:00'],
    ['tomorrow', 'tomorrow 09:00'],
    ['Tomorrow at 9:00', 'tomorrow 09:00'],
    ['2026-12-24', '2026-12-24 09:00'],
    ['2026-12-24 18:00', '2026-12-24 18:00'],
    ['2026-12-24T18:00', '2026-12-24 18:00'],
    ['on 2026-12-24 at 6pm', '2026-12-24 18:00'],
    ['24.12.2026 18:00', '2026-12-24 18:00'],
    ['12/24/2026', '2026-12-24 09:00'],
    ['2026/12/24', '2026-12-24 09:00'],
    ['２０２６－１２－２４　１８：００', '2026-12-24 18:00'],
    ['1.5h', 'in 0 d 90 min'],
    ['1M', '1m or 30d'],
    ['٣ m', 'in 0 d 3 min'],
    ['in 1 hour and 30 minutes', 'in 0 d 90 min'],
  ],
  ru: [
    ['через 10 минут', 'in 0 d 10 min'],
    ['10м', 'in 0 d 10 min'],
    ['Через 1 час 30 минут', 'in 0 d 90 min'],
    ['2ч', 'in 0 d 120 min'],
    ['через 3 дня', 'in 3 d 0 min'],
    ['2 недели', 'in 14 d 0 min'],
    ['в 18:00', 'next 18:00'],
    ['сегодня в 18:00', 'today 18:00'],
    ['завтра', 'tomorrow 09:00'],
    ['завтра 9:00', 'tomorrow 09:00'],
    ['завтра в 9:00', 'tomorrow 09:00'],
    ['24.12.2026', '2026-12-24 09:00'],
    ['24/12/2026 18:00', '2026-12-24 18:00'],
    ['tomorrow at 6pm', 'tomorrow 18:00'],
    ['через 1,5 часа', 'in 0 d 90 min'],
    ['завтра в 9 утра', 'tomorrow 09:00'],
  ],
  hi: [
    ['10 मिनट में', 'in 0 d 10 min'],
    ['1 घंटे 30 मिनट के बाद', 'in 0 d 90 min'],
    ['2 दिन बाद', 'in 2 d 0 min'],
    ['1 हफ़्ते में', 'in 7 d 0 min'],
    ['18:00 बजे', 'next 18:00'],
    ['18 बजे', 'next 18:00'],
    ['कल 9 बजे', 'tomorrow 09:00'],
    ['आज 18:00', 'today 18:00'],
    ['कल', 'tomorrow 09:00'],
    ['कल 9:00 बजे', 'tomorrow 09:00'],
    ['24/12/2026', '2026-12-24 09:00'],
    ['24.12.2026 18:00', '2026-12-24 18:00'],
    ['in 10m', 'in 0 d 10 min'],
  ],
  ja: [
    ['10分後', 'in 0 d 10 min'],
    ['あと10分', 'in 0 d 10 min'],
    ['あと 10分', 'in 0 d 10 min'],
    ['１時間３０分後に', 'in 0 d 90 min'],
    ['3日後', 'in 3 d 0 min'],
    ['2週間後', 'in 14 d 0 min'],
    ['18時', 'next 18:00'],
    ['18時5分に', 'next 18:05'],
    ['１８：００', 'next 18:00'],
    ['今日18:00', 'today 18:00'],
    ['明日', 'tomorrow 09:00'],
    ['明日9:00', 'tomorrow 09:00'],
    ['明日9時30分', 'tomorrow 09:30'],
    ['明日の午後9時', 'tomorrow 21:00'],
    ['2026/12/24 18:00', '2026-12-24 18:00'],
    ['12/24/2026', '2026-12-24 09:00'],
    ['in 10m', 'in 0 d 10 min'],
  ],
  'es-ES': [
    ['en 10 minutos', 'in 0 d 10 min'],
    ['dentro de 1 semana 2 días 3 horas 5 minutos', 'in 9 d 185 min'],
    ['2h', 'in 0 d 120 min'],
    ['3 dias', 'in 3 d 0 min'],
    ['a las 18:00', 'next 18:00'],
    ['a la 1:00', 'next 01:00'],
    ['hoy a las 18:00', 'today 18:00'],
    ['mañana', 'tomorrow 09:00'],
    ['man\u0303ana 9:00', 'tomorrow 09:00'],
    ['mañana a las 9:00', 'tomorrow 09:00'],
    ['el 24/12/2026', '2026-12-24 09:00'],
    ['24-12-2026 a las 18:00', '2026-12-24 18:00'],
    ['at 6pm', 'next 18:00'],
  ],
};

const NONSENSE = [
  ...['', ' ', '10', 'm', 'tea', 'in', 'in tea', 'at', '10 teas', '-5m', '10m tea', '1.5.5h'],
  ...['25:00', '24:00', '18:60', '18:0', '18', 'at 6', '0pm', '13:00pm', 'today', 'tomorrow tea', 'tomorrow 25:00'],
  ...['31.02.2026', '2026-13-01', '24.13.2026', '1.1.26', '2026-12', '2026-12-24 25:00', '2026-12-24 tea'],
  ...['2026-02-30', '13pm'],
  ...['24.12/2026', '99999-12-24', '0000-00-00', 'yesterday', '__proto__', 'constructor', '🕕', '\u0000'],
];

describe.each(LANGUAGES)('in %s', (language) => {
  test.each(UNDERSTOOD[language])('"%s" means %s', (typed, meant) => {
    expect(told(parseWhen(typed, language))).toBe(meant);
  });

  test('what is no moment is not understood', () => {
    const understood = NONSENSE.filter((typed) => parseWhen(typed, language) !== undefined);
    expect(understood).toEqual([]);
  });

  test('any text is parsed or rejected within milliseconds', () => {
    const { slashes: _, ...words } = TIME_WORDS[language];
    const pieces = [...Object.values(words).flat(), ...'1 99 2026 : . - / pm t 時 １'.split(' '), ' ', '\n'];
    const typed = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 4_000 }),
      fc.array(fc.constantFrom(...pieces), { maxLength: 60 }).map((parts) => parts.join('')),
      fc.tuple(fc.constantFrom(...pieces), fc.integer({ min: 1, max: 4_000 })).map(([piece, times]) => {
        return piece.repeat(times).slice(0, 4_000);
      }),
    );
    const property = fc.property(typed, (text) => {
      const began = process.cpuUsage();
      parseWhen(text, language);
      parseSpan(text, language);
      parseTime(text, language);
      // CPU time instead of wall-clock time, because other tests run concurrently.
      return process.cpuUsage(began).user < 500_000;
    });
    // A failure prints its seed.
    fc.assert(property, { numRuns: 300 });
  });
});

test('a date with slashes is read as the language writes dates', () => {
  const read = LANGUAGES.map((language) => told(parseWhen('1/2/2026', language))?.slice(5, 10));
  expect(Object.fromEntries(LANGUAGES.map((language, index) => [language, read[index]]))).toEqual({
    ...{ 'en-US': '01-02', ja: '01-02' },
    ...{ hi: '02-01', ru: '02-01', 'es-ES': '02-01' },
  });
});

test('"30s" is thirty seconds where weeks begin with an s, too', () => {
  expect(LANGUAGES.map((language) => told(parseWhen('30s', language)))).toEqual(LANGUAGES.map(() => 'in 0 d 0.5 min'));
});

test('numbers beyond any calendar become the longest span there is', () => {
  expect(parseSpan('999999w 999999d', 'en-US')).toEqual({ seconds: 0, days: 1_000_000 });
});
