/** A string, or an integer that may exceed the precision of a double: from 2^53, which has 16 digits. */
const STRING_OR_LONG_INTEGER = /"(?:[^"\\]|\\.)*"|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g;

/**
 * Parses JSON. Integers beyond 2^53 become strings: Discord accepts snowflakes as both, and a double would round them.
 *
 * @throws {SyntaxError} when the text is not JSON
 */
export function parseJson(text: string): unknown {
  const exact = text.replace(STRING_OR_LONG_INTEGER, (token) => {
    return token.startsWith('"') || Number.isSafeInteger(Number(token)) ? token : `"${token}"`;
  });
  return JSON.parse(exact);
}

export function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
