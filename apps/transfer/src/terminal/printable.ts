/** Returns a text from a file in one line, without characters that a terminal would obey. */
export function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, ' ');
}
