interface Named {
  readonly id: string;
  readonly name: string;
}

/**
 * Returns whether a person has typed the name of a guild, or its id. Names are compared without regard to what a keyboard does
 * not show or cannot write: composition, styled letters, invisible characters, and how much white space there is.
 */
export function isNameTyped(typed: string, { id, name }: Named): boolean {
  const text = normalized(typed);
  return text !== '' && (text === id || text === normalized(name));
}

export function isTypable(name: string): boolean {
  return normalized(name) !== '';
}

/** @see https://unicode.org/reports/tr15/ for the compatibility composition (NFKC) */
function normalized(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .trim()
    .replaceAll(/\s+/gu, ' ');
}
