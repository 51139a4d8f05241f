import { folded } from '@guild-settings/contract/settings';
import type { CommandPath, Translator } from '../../i18n/translator.ts';
import type { Option, OptionSet, RawOptions } from '../options.ts';

export interface Word {
  readonly value: string;
  readonly raw: string;
  readonly leading: string;
}

/**
 * A phrase in the quotation marks of keyboards and phones in several languages, or a word. A single quote before a
 * letter is an apostrophe, which does not end a phrase.
 */
const WORD =
  /(?<leading>\s*)(?:(?<phrase>"[^"]*"|“[^”]*”|„[^“”"]*[“”"]|”[^”]*”|«[^»]*»|»[^«]*«|「[^」]*」|『[^』]*』|['‘’‚].*?['‘’](?![\p{L}\p{M}\p{N}]))|(?<word>\S+))/gsu;

/** Splits text into words at any white space. An unpaired quotation mark is part of a word. */
export function splitWords(text: string): Word[] {
  return [...text.matchAll(WORD)].map(({ groups }) => {
    const raw = groups?.phrase ?? groups?.word ?? '';
    return { value: groups?.phrase?.slice(1, -1) ?? raw, raw, leading: groups?.leading ?? '' };
  });
}

/** Joins words as they were typed, without leading white space. A single quoted phrase loses its quotes. */
export function joinWords(words: readonly Word[]): string {
  const [first, ...others] = words;
  if (first === undefined) return '';
  if (others.length === 0) return first.value;
  return first.raw + others.map(({ leading, raw }) => leading + raw).join('');
}

/** Maximum UTF-16 code units of a prefix in a message: 20 code points, in any Unicode form. */
const MAX_LENGTH = 256;

const DASHES = /[\u2010-\u2013\u2212]/gu;
/** Phones replace two hyphens by these. */
const LONG_DASHES = /[\u2014\u2015]/gu;
const VARIATION_SELECTORS = /[\ufe0e\ufe0f]/gu;
const APOSTROPHES = /[‘’‚‛‹›]/gu;
const QUOTES = /[“”„‟«»]/gu;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * Returns the length of the prefix at the start of a message, in UTF-16 code units; undefined: not at the start.
 * Ignores case, width, Unicode form, variation selectors of emoji and typographic variants of dashes, quotation marks,
 * ellipses and spaces. Half of a replaced sequence does not match: `-` is not the start of the dash that a phone writes
 * for `--`, which may be the prefix of another bot.
 */
export function matchPrefix(content: string, prefix: string): number | undefined {
  const wanted = foldedPrefix(prefix);
  if (wanted === '') return content.startsWith(prefix) ? prefix.length : undefined;
  // Almost every message ends here: visible ASCII at the start of a grapheme folds to its lower case.
  const first = content.charAt(0);
  if (isAscii(first) && isAscii(wanted.charAt(0)) && first.toLowerCase() !== wanted[0]) return undefined;
  let found = '';
  for (const { segment, index } of graphemes.segment(content.slice(0, MAX_LENGTH))) {
    found += foldedGrapheme(segment);
    if (found === wanted) return index + segment.length;
    if (!wanted.startsWith(found)) break;
  }
  // The last character of the prefix and the first of the command can form one grapheme.
  return content.startsWith(prefix) ? prefix.length : undefined;
}

/** Number of remembered folded prefixes: those of the active guilds. */
const MAX_FOLDED = 1_000;

const foldedPrefixes = new Map<string, string>();

function foldedPrefix(prefix: string): string {
  const known = foldedPrefixes.get(prefix);
  if (known !== undefined) return known;
  let wanted = '';
  for (const { segment } of graphemes.segment(prefix)) wanted += foldedGrapheme(segment);
  if (foldedPrefixes.size >= MAX_FOLDED) foldedPrefixes.clear();
  foldedPrefixes.set(prefix, wanted);
  return wanted;
}

function isAscii(character: string): boolean {
  return character >= '!' && character <= '~';
}

function foldedGrapheme(grapheme: string): string {
  const plain = grapheme
    .replaceAll(VARIATION_SELECTORS, '')
    .replaceAll(LONG_DASHES, '--')
    .replaceAll(DASHES, '-')
    .replaceAll(APOSTROPHES, "'")
    .replaceAll(QUOTES, '"');
  // Upper case first, because it unifies several lower-case forms, such as those of the Greek sigma.
  return plain.normalize('NFKD').toUpperCase().toLowerCase().normalize('NFKC').replaceAll(/\s/gu, ' ');
}

interface MessageOptions {
  readonly values: RawOptions;
  readonly extra: readonly Word[];
}

const MAX_PHRASE_WORDS = 10;

export function readMessageOptions(
  options: OptionSet,
  path: CommandPath,
  words: readonly Word[],
  translator: Translator,
): MessageOptions {
  const { language } = translator;
  const values: Record<string, string | undefined> = {};
  const texts = translator.commandTexts(path).options ?? {};
  let left = words;
  for (const [name, option] of Object.entries(options)) {
    if (!isNamed(option)) continue;
    const found = findNamed([name, texts[name]?.name ?? name], left, (words) => wordsFor(option, words, language));
    values[name] = found?.value;
    left = found?.others ?? left;
  }
  for (const [name, option] of Object.entries(options)) {
    if (isNamed(option) || left.length === 0) continue;
    const count = wordsFor(option, left, language);
    values[name] = joinWords(left.slice(0, count));
    left = left.slice(count);
  }
  return { values, extra: left };
}

function isNamed(option: Option): boolean {
  return option.kind === 'text' && option.takes === 'named';
}

/**
 * Finds `--name=value` or `--name value`. Some keyboards replace two hyphens by a dash.
 * @param countOf returns the number of words in the value
 */
function findNamed(names: readonly string[], words: readonly Word[], countOf: (words: readonly Word[]) => number) {
  for (const [index, { value }] of words.entries()) {
    const [, name = '', given] = /^(?:--|[–—])([^=]+)(?:=(.*))?$/su.exec(value) ?? [];
    if (!names.some((candidate) => folded(candidate) === folded(name))) continue;
    const after = words.slice(index + 1);
    const first = given === undefined ? [] : [{ value: given, raw: given, leading: '' }];
    const taken = [...first, ...after];
    const count = taken.length === 0 ? 0 : countOf(taken);
    return { value: joinWords(taken.slice(0, count)), others: words.toSpliced(index, 1 + count - first.length) };
  }
  return undefined;
}

function wordsFor(option: Option, words: readonly Word[], language: string): number {
  if (option.kind === 'group') return words.length;
  if (option.kind !== 'text' || option.takes === 'word') return 1;
  if (option.takes === 'rest') return words.length;
  for (let count = Math.min(MAX_PHRASE_WORDS, words.length); count > 1; count--) {
    if (option.fits?.(joinWords(words.slice(0, count)), language)) return count;
  }
  return 1;
}
