/** Thrown for a value that no rule converts. The message says what was expected and what was received. */
export class ConversionError extends Error {
  override readonly name = 'ConversionError';

  constructor(expected: string, received: unknown) {
    super(`expected ${expected}, received ${shown(received)}`);
  }
}

/** Returns a value as JSON, cut off where it is too long for a message. */
export function shown(value: unknown, maxCharacters = 80): string {
  const json = JSON.stringify(value) ?? String(value);
  return json.length > maxCharacters ? `${json.slice(0, maxCharacters)}...` : json;
}
