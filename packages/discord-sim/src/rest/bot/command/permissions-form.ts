import { z } from 'zod';
import { notCoercible } from '../../form/field-error.ts';

/** A bit set of permissions as a decimal number, in a text because it may exceed 2^53. */
export const permissions = z.unknown().transform((value, context): string => {
  if (/^[0-9]{1,20}$/.test(String(value)) && BigInt(String(value)) < 2n ** 64n) return String(value);
  const { code, message } = notCoercible(value, 'int');
  context.addIssue({ code: 'custom', message, params: { code } });
  return z.NEVER;
});
