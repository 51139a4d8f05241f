import { Ambiguous, folded } from '@guild-settings/contract/settings';
import { ambiguousText } from '@guild-settings/i18n';
import type { Translator } from './translator.ts';

/** Precedes what only the application sets. */
export const LOCK = '🔒 ';

/**
 * Formats text as inline code of Discord's Markdown, whatever characters are in it. Text with a backtick stands between two of them, so
 * that it can be copied. Two backticks in a row, which begin a code block with the next one, are shown as similar characters.
 */
export function code(text: string): string {
  const shown = ordered(text);
  if (!shown.includes('`')) return `\`${shown}\``;
  if (shown.includes('``')) return `\`${shown.replaceAll('`', 'ˋ')}\``;
  // The spaces keep a backtick at either end apart from those around it. Discord does not show them.
  const before = shown.startsWith('`') ? ' ' : '';
  const after = shown.endsWith('`') ? ' ' : '';
  return `\`\`${before}${shown}${after}\`\``;
}

/** Formats text so that Discord shows it as it is: without formatting, mentions and links. */
export function literal(text: string): string {
  return ordered(text).replaceAll(/[!-/:-@[-`{-~]/g, '\\$&');
}

/** Names the characters of a text that would reorder what stands around them. */
export function ordered(text: string): string {
  return text.replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, (character) => {
    return `U+${character.codePointAt(0)?.toString(16).toUpperCase()}`;
  });
}

/** Rejects a command. The message is the reply to the user, in the guild's language. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}

/** Rejects what was filled in in a form: the reply gives back the texts that were typed. */
export class FormRefusal extends Refusal {}

/**
 * Returns what was read in a text, or undefined.
 * @throws Refusal that names what it may mean, where that is not clear
 */
export function withOneMeaning<Value>(value: Value | Ambiguous | undefined, translator: Translator): Value | undefined {
  if (!(value instanceof Ambiguous)) return value;
  throw new Refusal(ambiguousText(value.meanings.map(code), translator));
}

/** Returns the lines that offer what a person may have meant; none where nothing is similar. */
export function didYouMean(suggestion: string | undefined, { t }: Pick<Translator, 't'>): string[] {
  return suggestion === undefined ? [] : [t('errors.didYouMean', { suggestion: code(suggestion) })];
}

/** Typing mistakes at which a text is taken for another, at most. */
const MAX_MISTAKES = 2;

/** Letters of a text for each mistake: fewer are another word. */
const LETTERS_PER_MISTAKE = 3;

/** Returns the text that a person most likely meant; undefined: none is similar. The first one wins a tie. */
export function nearest(typed: string, texts: readonly string[]): string | undefined {
  const wanted = [...folded(typed.trim())];
  let found: string | undefined;
  let fewest = Math.min(MAX_MISTAKES, Math.floor(wanted.length / LETTERS_PER_MISTAKE)) + 1;
  for (const text of texts) {
    const letters = [...folded(text)];
    if (Math.abs(letters.length - wanted.length) >= fewest) continue;
    const count = mistakes(wanted, letters);
    if (count < fewest) [found, fewest] = [text, count];
  }
  return found;
}

/**
 * Returns how many letters are missing, too many, wrong, or swapped with the next one.
 * @see https://en.wikipedia.org/wiki/Damerau%E2%80%93Levenshtein_distance#Optimal_string_alignment_distance
 */
function mistakes(a: readonly string[], b: readonly string[]): number {
  const at = (row: readonly number[], index: number) => row[index] ?? Number.POSITIVE_INFINITY;
  let before: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of a.entries()) {
    const next = [i + 1];
    for (const [j, other] of b.entries()) {
      const isSwapped = letter === b[j - 1] && a[i - 1] === other;
      next.push(
        Math.min(
          at(row, j) + (letter === other ? 0 : 1),
          at(row, j + 1) + 1,
          at(next, j) + 1,
          isSwapped ? at(before, j - 1) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    [before, row] = [row, next];
  }
  return at(row, b.length);
}
