import { z } from 'zod';

/** Neither control characters (Cc) nor lone surrogates (Cs): what every store can keep and give back unchanged. */
const PLAIN = '[^\\p{Cc}\\p{Cs}]*';
const PLAIN_ONLY = new RegExp(`^${PLAIN}$`, 'u');

interface TextOptions {
  /** At least so many code points; 0 unless given. */
  readonly min?: number;
  /** At most so many code points. */
  readonly max: number;
  /** Refuse white space at the start. */
  readonly noLeadingSpace?: boolean;
}

/** In code points. They are counted only where the units of UTF-16, of which a code point has one or two, do not say enough. */
function lengthOf(value: string, { min, max }: Required<Pick<TextOptions, 'min' | 'max'>>): number {
  return value.length <= max && value.length >= 2 * min ? value.length : [...value].length;
}

/**
 * One line of text, its length counted in code points, as JSON Schema counts it: an emoji is one character.
 * The limits stand in the schema's metadata too, so that the OpenAPI document says exactly what is checked.
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
