/** Thrown for a value that no rule converts. The message says what was expected and what was received. */
export class ConversionError extends Error {
  override readonly name = 'ConversionError';

  constructor(expected: string, received: unknown) {
    super(`expected ${expected}, received ${receivedText(received)}`);
  }
}

const MAX_ID = 1e20;

/** Returns a value for a message. An id as a number was rounded where a program in JavaScript wrote it. */
export function receivedText(value: unknown): string {
  const isRounded = typeof value === 'number' && value > Number.MAX_SAFE_INTEGER && value < MAX_ID;
  return isRounded ? `the number ${value}, whose last digits may be lost: ids must be strings` : shown(value);
}

/** Returns a value as JSON, cut off where it is too long for a message. */
export function shown(value: unknown, maxCharacters = 80): string {
  const json = JSON.stringify(value) ?? String(value);
  return json.length > maxCharacters ? `${json.slice(0, maxCharacters)}...` : json;
}
