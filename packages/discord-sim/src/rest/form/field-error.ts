import type { FieldError } from '../error-body.ts';

/** What is wrong with a field, as Discord names it. */
export type Complaint = Pick<FieldError, 'code' | 'message'>;

/** Returns the complaint for a field that is missing. */
export const REQUIRED: Complaint = { code: 'BASE_TYPE_REQUIRED', message: 'This field is required' };

/** Returns the complaint for a value whose number of characters or items is out of bounds. */
export function badLength(min: number, max: number): Complaint {
  return min === 0
    ? { code: 'BASE_TYPE_MAX_LENGTH', message: `Must be ${max} or fewer in length.` }
    : { code: 'BASE_TYPE_BAD_LENGTH', message: `Must be between ${min} and ${max} in length.` };
}

/** Returns the complaint for a value that is none of a list. */
export function notAmong(choices: readonly (string | number)[]): Complaint {
  const named = choices.map((choice) => (typeof choice === 'string' ? `'${choice}'` : choice));
  return { code: 'BASE_TYPE_CHOICES', message: `Value must be one of {${named.join(', ')}}.` };
}

/** Returns the complaint for a text that is no number of its kind. */
export function notCoercible(value: unknown, kind: 'int' | 'float' | 'snowflake'): Complaint {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return { code: 'NUMBER_TYPE_COERCE', message: `Value "${text}" is not ${kind}.` };
}
