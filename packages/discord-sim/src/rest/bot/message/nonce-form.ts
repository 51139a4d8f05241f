import { z } from 'zod';

const MAX_LENGTH = 25;

/** A text or a whole number that identifies a message for its author. */
export const nonce = z.unknown().transform((value, context): string => {
  const text = typeof value === 'number' && Number.isInteger(value) ? String(value) : value;
  if (typeof text === 'string' && text.length <= MAX_LENGTH) return text;
  const [code, message] =
    typeof text === 'string'
      ? ['NONCE_TYPE_TOO_LONG', `Must be ${MAX_LENGTH} or fewer characters long.`]
      : ['NONCE_TYPE_INVALID_TYPE', 'This field must be a string or integer.'];
  context.addIssue({ code: 'custom', message, params: { code } });
  return z.NEVER;
});
