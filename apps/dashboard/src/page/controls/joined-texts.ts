/** Joins what is said of a control; undefined: nothing is. */
export function joinedTexts(...texts: readonly (string | undefined)[]): string | undefined {
  return texts.filter((text) => text !== undefined).join(' ') || undefined;
}
