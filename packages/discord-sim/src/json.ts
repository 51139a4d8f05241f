/** A string, or an integer that a double may not hold: from 2^53, which has 16 digits. */
const STRING_OR_LONG_INTEGER = /"(?:[^"\\]|\\.)*"|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g;

/**
 * Parses JSON. Integers beyond 2^53 become strings: Discord accepts snowflakes as both, and a double would round them.
 *
 * @throws {SyntaxError} when the text is no JSON
 */
export function parseJson(text: string): unknown {
  return JSON.parse(text.replace(STRING_OR_LONG_INTEGER, (token) => (isExact(token) ? token : `"${token}"`)));
}

function isExact(token: string): boolean {
  return token.startsWith('"') || Number.isSafeInteger(Number(token));
}

export function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
