import { folded } from '@guild-settings/contract/settings';

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
