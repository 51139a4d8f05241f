import { Ambiguous, folded, plainDigits } from '@guild-settings/contract/settings';

/** An exact decimal number: `digits` without the point, of which the last `decimals` are after it. */
export interface Decimal {
  readonly digits: bigint;
  readonly decimals: number;
}

/** Words and letters for powers of ten, by their exponents. */
const SCALES: Readonly<Record<string, string>> = {
  3: 'k thousand к тыс тысяча тысячи тысяч mil 千 हज़ार',
  4: '万 萬',
  5: 'lakh lakhs लाख',
  6: 'mn million millions млн миллион миллиона миллионов millon millones मिलियन',
  7: 'crore crores करोड़ क॰',
  8: '億',
};

const EXPONENTS: ReadonlyMap<string, number> = new Map(
  Object.entries(SCALES).flatMap(([exponent, words]) =>
    words.split(' ').map((word) => [folded(word), Number(exponent)] as const),
  ),
);

const SIGNED = /^([+-]?)([\d.,٫٬ ]*\d[.,]?) ?([\p{L}\p{M}॰]*)\.?$/u;

/**
 * Parses a number in the format of the reader's language, or otherwise of English.
 * @param decimals maximum decimal places. A text with more digits is still parsed, unless it is 0.
 */
export function numberIn(typed: string, decimals: number, language: string): number | Ambiguous | undefined {
  const [, sign, written = '', scale = ''] = (typed.length <= MAX_TYPED && SIGNED.exec(plainDigits(typed))) || [];
  if (sign === undefined) return undefined;
  const isNegative = sign === '-';
  if (scale === 'm' || scale === 'M') return million(written, scale, { isNegative, decimals, language });
  const exponent = scale === '' ? 0 : EXPONENTS.get(folded(scale));
  if (exponent === undefined) return undefined;
  return numberOf(decimalIn(written, decimals + exponent, language), { exponent, isNegative, decimals, language });
}

/** Maximum characters of a text that is parsed. */
const MAX_TYPED = 60;

interface Reading {
  readonly exponent: number;
  readonly isNegative: boolean;
  readonly decimals: number;
  readonly language: string;
}

/** Parses `1M` as a million. `1m` may mean minutes or meters if the setting has no unit, and then the number one. */
function million(written: string, scale: 'm' | 'M', reading: Omit<Reading, 'exponent'>) {
  const { decimals, language } = reading;
  const [many, few] = [6, 0].map((exponent) =>
    numberOf(decimalIn(written, decimals + exponent, language), { ...reading, exponent }),
  );
  if (scale === 'M' || typeof many !== 'number') return many;
  const meanings = [many, few].filter((one) => typeof one === 'number');
  return new Ambiguous(meanings.map((one) => plainText(one, language)));
}

function numberOf(
  read: readonly Decimal[],
  { exponent, isNegative, decimals, language }: Reading,
): number | Ambiguous | undefined {
  const numbers = read.flatMap((one) => {
    const number = exactNumber({ digits: one.digits, decimals: one.decimals - exponent });
    if (number === undefined || (decimals === 0 && !Number.isInteger(number))) return [];
    return [isNegative && number !== 0 ? -number : number];
  });
  const [only, ...others] = new Set(numbers);
  return others.length === 0 ? only : new Ambiguous([...new Set(numbers)].map((one) => plainText(one, language)));
}

/** Returns the value of a decimal; undefined: it exceeds the precision of a double. */
function exactNumber({ digits, decimals }: Decimal): number | undefined {
  let [rest, point] = [digits, decimals];
  while (rest !== 0n && rest % 10n === 0n) [rest, point] = [rest / 10n, point - 1];
  const number = Number(`${rest}e${-point}`);
  if (point <= 0) return Number.isSafeInteger(number) ? number : undefined;
  // The double, printed with as many digits, must equal the typed number.
  const isExact = rest <= MAX_EXACT && point <= MAX_TYPED && BigInt(number.toFixed(point).replace('.', '')) === rest;
  return isExact ? number : undefined;
}

const MAX_EXACT = BigInt(Number.MAX_SAFE_INTEGER);

/** Returns a number without digit groups in the format of the language. */
function plainText(number: number, language: string): string {
  return new Intl.NumberFormat(language, { useGrouping: false, maximumFractionDigits: 20 }).format(number);
}

interface Style {
  readonly group: string;
  readonly decimal: string;
}

const STYLES = new Map<string, Style>();

/** Returns the separators of a language for digit groups and decimals. */
function styleOf(language: string): Style {
  let style = STYLES.get(language);
  if (style === undefined) {
    const parts = new Intl.NumberFormat(language).formatToParts(1_234_567.5);
    const sign = (type: string) => plainDigits(`1${parts.find((part) => part.type === type)?.value}1`).slice(1, -1);
    style = { group: sign('group'), decimal: sign('decimal') };
    STYLES.set(language, style);
  }
  return style;
}

/**
 * Returns the possible numbers for a text without a sign: one, unless a group of three digits may be three decimals. If
 * decimals are not possible, it is a group.
 */
function decimalIn(typed: string, decimals: number, language: string): readonly Decimal[] {
  const text = typed.replaceAll('٫', '.').replaceAll('٬', '');
  const style = styleOf(language);
  const inOwn = withStyle(text, style, language);
  const isGroup = /^[1-9]\d{0,2}[.,]\d{3}$/.test(text);
  if (!isGroup) return [inOwn ?? withStyle(text, ENGLISH, language)].filter((one) => one !== undefined);
  const grouped = { digits: BigInt(text.replace(/[.,]/, '')), decimals: 0 };
  const fraction = { ...grouped, decimals: 3 };
  const isPoint = text.includes(style.decimal);
  // The decimal point of English and the comma of other languages are unambiguous.
  if (decimals > 0) return isPoint || (style.group !== '.' && text.includes('.')) ? [fraction] : [grouped, fraction];
  // For an integer, a comma separates groups in any language. A point between groups is Spanish.
  return text.includes(',') || style.group === '.' ? [grouped] : [grouped, fraction].filter(() => text.endsWith('000'));
}

/** Parses a number as displayed in the language: a single separator before three digits separates groups. */
export function shownDecimalIn(typed: string, language: string): Decimal | undefined {
  return withStyle(typed, styleOf(language), language) ?? withStyle(typed, ENGLISH, language);
}

const ENGLISH: Style = { group: ',', decimal: '.' };

function withStyle(text: string, { group, decimal }: Style, language: string): Decimal | undefined {
  const [whole = '', fraction = '', ...more] = text.split(decimal);
  if (more.length > 0 || !/^\d*$/.test(fraction) || (whole === '' && fraction === '')) return undefined;
  const separator = whole.includes(' ') ? ' ' : group;
  const groups = whole.split(separator);
  if (groups.some((one) => !/^\d*$/.test(one)) || (groups.length > 1 && !areGroups(groups, language))) return undefined;
  return { digits: BigInt(`${groups.join('')}${fraction}` || '0'), decimals: fraction.length };
}

/** Returns true if digits are grouped by thousands, or as in India: 12,34,567. */
function areGroups(groups: readonly string[], language: string): boolean {
  const text = groups.join(' ');
  return /^[1-9]\d{0,2}(?: \d{3})+$/.test(text) || (language === 'hi' && /^[1-9]\d?(?: \d{2})* \d{3}$/.test(text));
}
