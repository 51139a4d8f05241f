import { Ambiguous, folded } from '@guild-settings/contract/settings';
import { ambiguousText } from '@guild-settings/i18n';
import type { Translator } from './translator.ts';

/** Prefix of settings that only the application can set. */
export const LOCK = '🔒 ';

/**
 * Formats any text as inline code of Discord's Markdown. Text with a backtick is enclosed in double backticks, so that
 * it can be copied. Two consecutive backticks, which could begin a code block, are replaced by similar characters.
 */
export function code(text: string): string {
  const shown = ordered(text);
  if (!shown.includes('`')) return `\`${shown}\``;
  if (shown.includes('``')) return `\`${shown.replaceAll('`', 'ˋ')}\``;
  // The spaces separate a backtick at either end from the delimiters. Discord does not show them.
  const before = shown.startsWith('`') ? ' ' : '';
  const after = shown.endsWith('`') ? ' ' : '';
  return `\`\`${before}${shown}${after}\`\``;
}

/** Escapes text so that Discord shows it literally: without formatting, mentions and links. */
export function literal(text: string): string {
  return ordered(text).replaceAll(/[!-/:-@[-`{-~]/g, '\\$&');
}

/** Replaces characters that would reorder the surrounding text by their names. */
export function ordered(text: string): string {
  return text.replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, (character) => {
    return `U+${character.codePointAt(0)?.toString(16).toUpperCase()}`;
  });
}

/** Rejects a command. The message is the reply to the user, in the guild's language. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}

/** Rejects a submitted form: the reply repeats the typed texts. */
export class FormRefusal extends Refusal {}

/**
 * Returns the parsed value, or undefined.
 * @throws Refusal with the possible meanings if the text is ambiguous
 */
export function withOneMeaning<Value>(value: Value | Ambiguous | undefined, translator: Translator): Value | undefined {
  if (!(value instanceof Ambiguous)) return value;
  throw new Refusal(ambiguousText(value.meanings.map(code), translator));
}

/** Returns the lines with a suggestion of a similar text; empty if there is none. */
export function didYouMean(suggestion: string | undefined, { t }: Pick<Translator, 't'>): string[] {
  return suggestion === undefined ? [] : [t('errors.didYouMean', { suggestion: code(suggestion) })];
}

/** Maximum typing mistakes for a text to count as similar. */
const MAX_MISTAKES = 2;

/** Letters of a text per mistake: shorter texts are other words. */
const LETTERS_PER_MISTAKE = 3;

/** Returns the most similar text; undefined: none is similar. The first one wins a tie. */
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
 * Returns the number of missing, additional, wrong or swapped letters.
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
