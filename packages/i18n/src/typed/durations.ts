import type { Language } from '@guild-settings/contract/constants';
import { Ambiguous, folded, plainDigits } from '@guild-settings/contract/settings';
import { inLanguage } from './in-language.ts';
import { type Decimal, numberIn, shownDecimalIn } from './numbers.ts';

export const UNIT_SECONDS = { seconds: 1, minutes: 60, hours: 3_600, days: 86_400, weeks: 604_800 } as const;

type Unit = keyof typeof UNIT_SECONDS;

/** The words of each language for the units of durations, including those written by `Intl`. */
const UNIT_WORDS: Readonly<Record<Language, Readonly<Record<Unit, string>>>> = {
  'en-US': {
    seconds: 's sec secs second seconds',
    minutes: 'm min mins minute minutes',
    hours: 'h hr hrs hour hours',
    days: 'd day days',
    weeks: 'w wk wks week weeks',
  },
  ru: {
    seconds: 'с сек секунду секунды секунд секунда',
    minutes: 'м мин минуту минуты минут минута',
    hours: 'ч час часа часов',
    days: 'д дн день дня дней сутки суток',
    weeks: 'н нед неделю недели недель неделя',
  },
  'es-ES': {
    seconds: 's seg segundo segundos',
    minutes: 'm min minuto minutos',
    hours: 'h hora horas',
    days: 'd día días',
    weeks: 'sem semana semanas',
  },
  hi: {
    seconds: 'से सेकंड सेकेंड सेकण्ड',
    minutes: 'मि मिनट मिनटों',
    hours: 'घं घंटा घंटे घंटों घण्टा घण्टे',
    days: 'दि दिन दिनों',
    weeks: 'हफ़्ता हफ़्ते हफ़्तों सप्ताह सप्ताहों',
  },
  ja: {
    seconds: '秒 秒間',
    minutes: '分 分間',
    hours: '時間',
    days: '日 日間',
    weeks: '週 週間',
  },
};

const READ = new Map<string, ReadonlyMap<string, Unit>>();

/** Returns the unit for a word of a language; undefined: not a unit. */
function unitOf(word: string, language: string): Unit | undefined {
  let units = READ.get(language);
  if (units === undefined) {
    const entries = inLanguage(UNIT_WORDS, language).flatMap((words) => Object.entries(words) as [Unit, string][]);
    units = new Map(
      entries.toReversed().flatMap(([unit, words]) => words.split(' ').map((one) => [folded(one), unit] as const)),
    );
    READ.set(language, units);
  }
  return units.get(folded(word));
}

/** An amount with its unit, and a separator before the next one: a comma, and a word for "and". */
const AMOUNT = /(\d[\d.,٫٬ ]*?) ?([\p{L}\p{M}]+)[.॰]?(?: ?[,、])?(?: ?(?:and|&|и|y|और|と)(?=[ \d]))? ?/giuy;

const MAX_TYPED = 200;

/**
 * Returns the seconds of `90`, `10m`, `1.5h`, `1 hour and 30 minutes`, or `1:30:00`, in a language or in English.
 * Months have no fixed length.
 */
export function secondsIn(typed: string, language: string): number | Ambiguous | undefined {
  const text = plainDigits(typed).replaceAll(/\s+/g, ' ');
  if (text.length > MAX_TYPED) return undefined;
  if (/^\d+:\d{1,2}(?::\d{1,2})?$/.test(text)) return clockSeconds(text.split(':').map(Number));
  if (/^\d[\d.,٫٬ ]*$/.test(text)) return numberIn(text, 0, language);
  const amounts = amountsIn(text, language);
  if (amounts === undefined || amounts instanceof Ambiguous) return amounts;
  const units = amounts.reduce((sum, { unit, digits, decimals }) => {
    return sum + digits * BigInt(UNIT_SECONDS[unit]) * 10n ** BigInt(MAX_DECIMALS - decimals);
  }, 0n);
  const seconds = Number(units / FRACTIONS);
  return units % FRACTIONS === 0n && Number.isSafeInteger(seconds) ? seconds : undefined;
}

/** The unit of a number that follows another one without a space: `1h30`. */
const NEXT: Readonly<Record<string, Unit>> = { hours: 'minutes', minutes: 'seconds' };

interface Amount extends Decimal {
  readonly unit: Unit;
}

/** Returns the amounts of a duration with their units in typed order; undefined: not a duration. */
export function amountsIn(typed: string, language: string): readonly Amount[] | Ambiguous | undefined {
  const text = plainDigits(typed).replaceAll(/\s+/g, ' ').replace('時間半', '時間30分');
  if (text.length > MAX_TYPED) return undefined;
  let end = 0;
  const amounts: Amount[] = [];
  for (const { 0: all, 1: count = '', 2: word = '' } of text.matchAll(AMOUNT)) {
    const unit = unitOf(word, language);
    const amount = shownDecimalIn(count, language);
    // A repeated unit is not a single duration: `10m 20m`.
    if (unit === undefined || amounts.some((one) => one.unit === unit)) return undefined;
    if (/^[MМ]$/.test(word) && !/\d ?[WDHSНДЧС](?!\p{L})/u.test(text)) return monthOrMinute(text);
    if (amount === undefined || amount.decimals > MAX_DECIMALS) return undefined;
    amounts.push({ unit, ...amount });
    end += all.length;
  }
  const unit = NEXT[amounts.at(-1)?.unit ?? ''];
  const rest = /^\d{1,2}$/.exec(text.slice(end))?.[0];
  if (unit !== undefined && rest !== undefined && /\S/.test(text[end - 1] ?? ' ')) {
    return [...amounts, { unit, digits: BigInt(rest), decimals: 0 }];
  }
  return end === text.length && amounts.length > 0 ? amounts : undefined;
}

/** Maximum digits of an amount after its decimal point. */
const MAX_DECIMALS = 9;

const FRACTIONS = 10n ** BigInt(MAX_DECIMALS);

/** Returns the seconds of hours, minutes and seconds. Two numbers are ambiguous. */
function clockSeconds([first = 0, second = 0, third]: readonly number[]): number | Ambiguous | undefined {
  if (second > 59 || (third ?? 0) > 59) return undefined;
  if (third === undefined) return new Ambiguous([`${first}h ${second}m`, `${first}m ${second}s`]);
  const seconds = first * 3_600 + second * 60 + third;
  return Number.isSafeInteger(seconds) ? seconds : undefined;
}

/** Returns the meanings of `1M`, also in Cyrillic: no other unit is written in capitals, so it may be a month. */
function monthOrMinute(text: string): Ambiguous {
  return new Ambiguous([
    text.replaceAll(/[MМ]/g, (letter) => letter.toLowerCase()),
    text.replaceAll(/(\d+) ?[MМ]/g, (_, count) => `${Number(count) * 30}d`),
  ]);
}
