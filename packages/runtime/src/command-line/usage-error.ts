/** Thrown when arguments are wrong. The message says what was expected and what was received. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
