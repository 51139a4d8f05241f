export function joinedTexts(...texts: readonly (string | undefined)[]): string | undefined {
  return texts.filter((text) => text !== undefined).join(' ') || undefined;
}
