/** Returns what was typed with the digits, letters and signs of ASCII: `－５` of a Japanese keyboard is `-5`, and so is `−5`. */
export function plainDigits(typed: string): string {
  return typed.normalize('NFKC').replaceAll('\u2212', '-').trim();
}
