import { z } from 'zod';

const MAX_LENGTH = 25;

/** Discord reads numbers as integers of 64 bits. */
const MAX_NUMBER = 2 ** 63;

/** A text or a whole number that identifies a message for its author. */
export const nonce = z.unknown().transform((value, context): string => {
  const text = isInt64(value) ? String(value) : value;
  if (typeof text === 'string' && text.length <= MAX_LENGTH) return text;
  const [code, message] =
    typeof text === 'string'
      ? ['NONCE_TYPE_TOO_LONG', `Must be ${MAX_LENGTH} or fewer characters long.`]
      : ['NONCE_TYPE_INVALID_TYPE', 'This field must be a string or integer.'];
  context.addIssue({ code: 'custom', message, params: { code } });
  return z.NEVER;
});

function isInt64(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < MAX_NUMBER;
}
