import type { Language } from '@guild-settings/contract/constants';
import { folded, plainDigits } from '@guild-settings/contract/settings';
import { inLanguage } from './in-language.ts';

/** A word in a time: a half of the day, a part of it, the night around midnight, a unit, or a filler. */
type Meaning =
  | 'am'
  | 'pm'
  | 'morning'
  | 'day'
  | 'evening'
  | 'night'
  | 'noon'
  | 'midnight'
  | 'hours'
  | 'minutes'
  | 'filler';

const WORDS: Readonly<Record<Language, Readonly<Record<Meaning, string>>>> = {
  'en-US': {
    am: 'am',
    pm: 'pm|in the afternoon',
    morning: 'in the morning',
    day: '',
    evening: 'in the evening',
    night: 'at night',
    noon: 'noon|midday',
    midnight: 'midnight',
    hours: "h|o'clock|o’clock",
    minutes: 'm|min',
    filler: 'at',
  },
  ru: {
    am: '',
    pm: '',
    morning: 'утра',
    day: 'дня',
    evening: 'вечера',
    night: 'ночи',
    noon: 'полдень|полд',
    midnight: 'полночь|полн',
    hours: 'ч|час|часа|часов',
    minutes: 'м|мин|минут|минуты|минута',
    filler: 'в|во',
  },
  'es-ES': {
    am: 'a m|de la madrugada',
    pm: 'p m|de la tarde',
    morning: 'de la mañana',
    day: 'del mediodía',
    evening: '',
    night: 'de la noche',
    noon: 'mediodía',
    midnight: 'medianoche',
    hours: 'h|hora|horas',
    minutes: 'm|min',
    filler: 'a la|a las|la|las|y',
  },
  hi: {
    am: 'पूर्वाह्न',
    pm: 'अपराह्न',
    morning: 'सुबह|सवेरे',
    day: '',
    evening: 'शाम',
    night: 'रात',
    noon: 'दोपहर',
    midnight: 'आधी रात',
    hours: 'बजे|बजकर',
    minutes: 'मिनट',
    filler: 'को|के|पर',
  },
  ja: {
    am: '午前',
    pm: '午後',
    morning: '朝',
    day: '昼',
    evening: '夕方',
    night: '夜|夜中|深夜',
    noon: '正午',
    midnight: '真夜中',
    hours: '時',
    minutes: '分',
    filler: 'に|の',
  },
};

/** The languages that write a point between hours and minutes. */
const WITH_POINT: readonly string[] = ['ru', 'es-ES', 'hi'];

const MAX_TYPED = 50;

/**
 * Returns a time of day as `HH:MM`, from a text in a language or in English: `9:30`, `9:30 pm`, `21h30`, `午後9時`;
 * undefined: not a time. A number alone is not a time.
 */
export function timeIn(typed: string, language: string): string | undefined {
  if (typed.length > MAX_TYPED) return undefined;
  const text = spelled(plainDigits(typed).replace('時半', '時30分'));
  const meanings = meaningsOf(language);
  const alone = wordsIn(text, meanings)?.filter((meaning) => meaning !== 'filler');
  if (alone?.length === 1 && alone[0] === 'noon') return '12:00';
  if (alone?.length === 1 && alone[0] === 'midnight') return '00:00';
  const [, before = '', hour, between, minute, behind = ''] =
    /^(\D*)(\d{1,2})(?:(\D+)(\d{1,2}))?(?:(?<=:\d\d:\d\d|:\d\d):00)?(\D*)$/.exec(text) ?? [];
  const separator = between?.trim();
  const isClock = separator === ':' || (separator === '.' && WITH_POINT.includes(language));
  if (hour === undefined || (isClock && minute?.length !== 2)) return undefined;
  const words = [before, isClock ? '' : (separator ?? ''), behind].map((part) => wordsIn(part, meanings));
  if (words.includes(undefined)) return undefined;
  const [first = [], middle = [], last = []] = words as Meaning[][];
  const halves = [...first, ...last].filter((meaning) => HALVES.includes(meaning));
  const isSpoken = middle.includes('hours') || (minute === undefined && last.includes('hours'));
  const isLeft = middle.some((meaning) => HALVES.includes(meaning)) || first.includes('hours') || halves.length > 1;
  const isTime = isClock || isSpoken || (halves.length === 1 && minute === undefined);
  // 0 pm and 13 pm are invalid, but 午後0時 and 21:30 вечера are valid.
  const isTwelve = !/[ap]m$/.test(text) || (Number(hour) >= 1 && Number(hour) <= 12);
  return isTime && isTwelve && !isLeft ? timeText(Number(hour), Number(minute ?? 0), halves[0]) : undefined;
}

const HALVES: readonly Meaning[] = ['am', 'pm', 'morning', 'day', 'evening', 'night', 'noon', 'midnight'];

/**
 * Returns the meanings of the words of a text, which Japanese writes without spaces; undefined: one of them is unknown.
 */
function wordsIn(text: string, known: readonly (readonly [string, Meaning])[]): Meaning[] | undefined {
  const found: Meaning[] = [];
  let rest = text.trim();
  while (rest !== '') {
    const [word, meaning] = known.find(([one]) => rest.startsWith(one)) ?? [];
    if (word === undefined || meaning === undefined) return undefined;
    found.push(meaning);
    rest = rest.slice(word.length).trim();
  }
  return found;
}

const MORNINGS: readonly Meaning[] = ['am', 'morning'];

/** Returns a time in the 24-hour format. */
function timeText(written: number, minute: number, half: Meaning | undefined): string | undefined {
  // 12 in the morning is noon or midnight, as is 12 in the evening.
  if (written === 12 && (half === 'morning' || half === 'evening')) return undefined;
  const isMorning =
    MORNINGS.includes(half as Meaning) ||
    half === 'midnight' ||
    (half === 'night' && (written < 6 || written === 12)) ||
    // The hours before noon count as day.
    ((half === 'day' || half === 'noon') && written >= 9 && written < 12);
  const isTwelve = half !== undefined && written <= 12;
  const hour = isTwelve ? (written % 12) + (isMorning ? 0 : 12) : written;
  if (hour > 23 || minute > 59 || (half !== undefined && MORNINGS.includes(half) && written > 12)) return undefined;
  return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
}

const MEANINGS = new Map<string, readonly (readonly [string, Meaning])[]>();

/** Returns the words of a language and of English, longest first. */
function meaningsOf(language: string): readonly (readonly [string, Meaning])[] {
  let meanings = MEANINGS.get(language);
  if (meanings === undefined) {
    meanings = inLanguage(WORDS, language)
      .flatMap((words) => Object.entries(words) as [Meaning, string][])
      .flatMap(([meaning, words]) => words.split('|').map((word) => [spelled(word), meaning] as const))
      .filter(([word]) => word !== '')
      .toSorted(([one], [other]) => other.length - one.length);
    MEANINGS.set(language, meanings);
  }
  return meanings;
}

/** Returns a text in the form for comparison: `p. m.` is `pm`. */
function spelled(text: string): string {
  return folded(text)
    .normalize('NFC')
    .replaceAll(/(?<!\d)\.|\.(?!\d)/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\b([ap]) m\b/g, '$1m')
    .trim();
}
