/** Returns whether a person has typed a name: without regard to its composition, and to how much white space there is. */
export function isNameTyped(typed: string, name: string): boolean {
  return normalized(typed) === normalized(name);
}

function normalized(text: string): string {
  return text.normalize('NFC').trim().replaceAll(/\s+/gu, ' ');
}
