/** Normalizes a word for comparison: without regard to case, width, accents and nuktas. */
export function folded(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f\u093c]/gu, '')
    .toLowerCase();
}
