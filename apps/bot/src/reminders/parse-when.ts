import type { Language } from '@guild-settings/contract';
import { Ambiguous } from '@guild-settings/contract/settings';
import { amountsIn, timeIn, UNIT_SECONDS } from '@guild-settings/i18n';
import { Temporal } from 'temporal-polyfill';

/** A duration. Seconds are exact, days are calendar days. */
export interface Span {
  readonly seconds: number;
  readonly days: number;
}

export type When =
  | { readonly kind: 'ahead'; readonly span: Span }
  | { readonly kind: 'time'; readonly time: Temporal.PlainTime; readonly day: 'next' | 'today' | 'tomorrow' }
  | { readonly kind: 'date'; readonly date: Temporal.PlainDate; readonly time: Temporal.PlainTime };

/** Time of day for a date without one. */
const MORNING = Temporal.PlainTime.from('09:00');

/** Limit of a span. The calendar's limit is above it. */
const MOST_DAYS = 1_000_000;

/**
 * Parses a point in time in a language or in English: a span (`10m`, `in 1h 30m`, `через 10 минут`), a time (`18:00`,
 * `at 6pm`, `tomorrow 9:00`) or a date (`2026-12-24`, `2026-12-24 18:00`, `24.12.2026 18:00`).
 * @returns undefined for any other text
 */
export function parseWhen(text: string, language: string): When | Ambiguous | undefined {
  const span = parseSpan(text, language);
  if (span !== undefined) return span instanceof Ambiguous ? span : { kind: 'ahead', span };
  const typed = normalize(text);
  return parseDayAndTime(typed, language) ?? parseDateAndTime(typed, language);
}

export function parseSpan(text: string, language: string): Span | Ambiguous | undefined {
  // A capital M may mean a month.
  const amounts = amountsIn(bare(spaced(text), 'Span', language), language);
  if (amounts === undefined || amounts instanceof Ambiguous) return amounts;
  let [seconds, days] = [0, 0];
  for (const { unit, digits, decimals } of amounts) {
    const count = Number(digits) / 10 ** decimals;
    const isCalendar = Number.isInteger(count) && (unit === 'days' || unit === 'weeks');
    if (isCalendar) days += count * (unit === 'weeks' ? 7 : 1);
    else seconds += count * UNIT_SECONDS[unit];
  }
  // An amount with decimals may result in fractions of a second.
  return { seconds: Math.min(Math.round(seconds), MOST_DAYS * UNIT_SECONDS.days), days: Math.min(days, MOST_DAYS) };
}

export function parseTime(text: string, language: string): Temporal.PlainTime | undefined {
  const time = timeIn(bare(normalize(text), 'Time', language), language);
  return time === undefined ? undefined : Temporal.PlainTime.from(time);
}

function parseDayAndTime(typed: string, language: string): When | undefined {
  for (const day of ['today', 'tomorrow'] as const) {
    const word = wordsOf(language, day).find((candidate) => typed.startsWith(candidate));
    if (word === undefined) continue;
    const left = typed.slice(word.length).trim();
    const time = left === '' && day === 'tomorrow' ? MORNING : parseTime(left, language);
    return time && { kind: 'time', time, day };
  }
  const time = parseTime(typed, language);
  return time && { kind: 'time', time, day: 'next' };
}

function parseDateAndTime(typed: string, language: string): When | undefined {
  const [, written = '', left = ''] =
    /^(\d{1,4}[-./]\d{1,2}[-./]\d{1,4})(?:t|\s+|$)(.*)$/u.exec(bare(typed, 'Time', language)) ?? [];
  const date = parseDate(written, language);
  const time = left.trim() === '' ? MORNING : parseTime(left, language);
  return date && time && { kind: 'date', date, time };
}

function parseDate(written: string, language: string): Temporal.PlainDate | undefined {
  const separator = /[-./]/.exec(written)?.[0] ?? '';
  const numbers = written.split(separator === '' ? '-' : separator).map(Number);
  const [first = 0, second = 0, third = 0] = numbers;
  if (numbers.length !== 3 || numbers.some(Number.isNaN)) return undefined;
  const monthFirst = separator === '/' && timeWords(language).slashes === 'month-day';
  const [year, month, day] =
    first > 31 ? [first, second, third] : monthFirst ? [third, first, second] : [third, second, first];
  if (year < 1_000) return undefined;
  try {
    return Temporal.PlainDate.from({ year, month, day }, { overflow: 'reject' });
  } catch {
    return undefined;
  }
}

function wordsOf(language: string, kind: Exclude<keyof (typeof TIME_WORDS)['ru'], 'slashes'>): readonly string[] {
  const words = [...timeWords(language)[kind], ...TIME_WORDS['en-US'][kind]];
  return words.map((word) => word.normalize('NFKC')).toSorted((a, b) => b.length - a.length);
}

function timeWords(language: string): TimeWords {
  return Object.hasOwn(TIME_WORDS, language) ? TIME_WORDS[language as Language] : TIME_WORDS['en-US'];
}

function bare(text: string, what: 'Span' | 'Time', language: string): string {
  const lower = text.toLowerCase();
  const front = wordsOf(language, `before${what}`).find((word) => isWordBefore(word, lower)) ?? '';
  const end = wordsOf(language, `after${what}`).find((word) => lower.endsWith(word)) ?? '';
  return text.slice(front.length, text.length - end.length).trim();
}

/** Returns true if a text starts with a word. In Japanese, a number follows a word without a space. */
function isWordBefore(word: string, text: string): boolean {
  return text.startsWith(word) && /^[\s\d]/u.test(text.slice(word.length));
}

function normalize(text: string): string {
  return spaced(text).toLowerCase();
}

function spaced(text: string): string {
  return text.normalize('NFKC').trim().replaceAll(/\s+/gu, ' ');
}

interface TimeWords {
  /** Before a span: "in". */
  readonly beforeSpan: readonly string[];
  /** After a span: "後". */
  readonly afterSpan: readonly string[];
  /** Before a time of day: "at". */
  readonly beforeTime: readonly string[];
  /** After a time of day: "に". */
  readonly afterTime: readonly string[];
  readonly today: readonly string[];
  readonly tomorrow: readonly string[];
  /** Order of a date with slashes that does not start with the year. */
  readonly slashes: 'day-month' | 'month-day';
}

/** Words of all languages. The parser also accepts English in every language. */
export const TIME_WORDS: Readonly<Record<Language, TimeWords>> = {
  'en-US': {
    beforeSpan: ['in'],
    afterSpan: [],
    beforeTime: ['at', 'on'],
    afterTime: [],
    today: ['today'],
    tomorrow: ['tomorrow'],
    slashes: 'month-day',
  },
  ru: {
    beforeSpan: ['через'],
    afterSpan: [],
    beforeTime: ['в', 'во'],
    afterTime: [],
    today: ['сегодня'],
    tomorrow: ['завтра'],
    slashes: 'day-month',
  },
  'es-ES': {
    beforeSpan: ['en', 'dentro de'],
    afterSpan: [],
    beforeTime: ['a las', 'a la', 'el'],
    afterTime: [],
    today: ['hoy'],
    tomorrow: ['mañana'],
    slashes: 'day-month',
  },
  hi: {
    beforeSpan: [],
    afterSpan: ['में', 'बाद', 'के बाद'],
    beforeTime: [],
    afterTime: ['को'],
    today: ['आज'],
    tomorrow: ['कल'],
    slashes: 'day-month',
  },
  ja: {
    beforeSpan: ['あと'],
    afterSpan: ['後', '後に'],
    beforeTime: [],
    afterTime: ['に'],
    today: ['今日', 'きょう'],
    tomorrow: ['明日', 'あした'],
    slashes: 'month-day',
  },
};
