import { z } from 'zod';

/** Text without control characters (Cc) and lone surrogates (Cs), which every store returns unchanged. */
const PLAIN = '[^\\p{Cc}\\p{Cs}]*';
const PLAIN_ONLY = new RegExp(`^${PLAIN}$`, 'u');

interface TextOptions {
  /** Minimum number of code points; 0 unless given. */
  readonly min?: number;
  /** Maximum number of code points. */
  readonly max: number;
  /** Rejects white space at the start. */
  readonly noLeadingSpace?: boolean;
}

/** Returns the length in code points, counted only where the number of UTF-16 units leaves it open. */
function lengthOf(value: string, { min, max }: Required<Pick<TextOptions, 'min' | 'max'>>): number {
  return value.length <= max && value.length >= 2 * min ? value.length : [...value].length;
}

/**
 * Makes the schema of one line of text. Lengths are in code points, as in JSON Schema: an emoji is one character. The
 * metadata repeats the limits for the OpenAPI document.
 */
export function text({ min = 0, max, noLeadingSpace = false }: TextOptions) {
  return z
    .string()
    .check((context) => {
      const refuse = (message: string) => context.issues.push({ code: 'custom', message, input: context.value });
      const length = lengthOf(context.value, { min, max });
      if (length < min) refuse(`expected at least ${min} characters, received ${length}`);
      if (length > max) refuse(`expected at most ${max} characters, received ${length}`);
      if (noLeadingSpace && /^\s/u.test(context.value)) refuse('expected no white space at the start');
      if (!PLAIN_ONLY.test(context.value)) {
        refuse('expected no control characters and well-formed Unicode');
      }
    })
    .meta({
      ...(min > 0 && { minLength: min }),
      maxLength: max,
      pattern: noLeadingSpace ? `^(?!\\s)${PLAIN}$` : `^${PLAIN}$`,
    });
}
