import { z } from 'zod';
import { invisibleIn } from './invisible.ts';

/**
 * Text without control characters (Cc), in a syntax that the languages of all callers share, because the OpenAPI document
 * contains it: docs/decisions/0030-portable-patterns.md
 */
const PRINTABLE = '^[^\\x00-\\x1F\\x7F-\\x9F]*$';
const PRINTABLE_ONLY = new RegExp(PRINTABLE, 'u');

/** A surrogate without its other half (Cs), which UTF-8 cannot represent. */
const LONE_SURROGATE = /\p{Cs}/u;

interface TextOptions {
  /** Minimum number of code points; 0 unless given. */
  readonly min?: number;
  /** Maximum number of code points. */
  readonly max: number;
  /** Rejects white space at the start. */
  readonly noLeadingSpace?: boolean;
  /** Rejects characters that are not shown, so that no two texts look the same. */
  readonly noInvisible?: boolean;
  /** What the text is, for the OpenAPI document. The rules that a portable pattern cannot express are added. */
  readonly description?: string;
}

/** Returns the length in code points, counted only where the number of UTF-16 units leaves it open. */
function lengthOf(value: string, { min, max }: Required<Pick<TextOptions, 'min' | 'max'>>): number {
  return value.length <= max && value.length >= 2 * min ? value.length : [...value].length;
}

/**
 * Makes the schema of one line of text. Lengths are in code points, as in JSON Schema: an emoji is one character. The
 * metadata repeats the limits for the OpenAPI document.
 */
export function text({ min = 0, max, noLeadingSpace = false, noInvisible = false, description }: TextOptions) {
  const more = [
    ...(noLeadingSpace ? [', no white space at the start'] : []),
    ...(noInvisible ? [', no invisible characters but in emoji and between letters that they join'] : []),
  ];
  const rules = `No control characters, no lone surrogates${more.join('')}.`;
  return z
    .string()
    .check((context) => {
      const refuse = (message: string) => context.issues.push({ code: 'custom', message, input: context.value });
      const length = lengthOf(context.value, { min, max });
      if (length < min) refuse(`expected at least ${min} characters, received ${length}`);
      if (length > max) refuse(`expected at most ${max} characters, received ${length}`);
      if (noLeadingSpace && /^\s/u.test(context.value)) refuse('expected no white space at the start');
      if (!PRINTABLE_ONLY.test(context.value) || LONE_SURROGATE.test(context.value)) {
        refuse('expected no control characters and well-formed Unicode');
      }
      const invisible = noInvisible ? invisibleIn(context.value) : undefined;
      if (invisible !== undefined) {
        refuse(
          `expected no invisible characters but in emoji and between letters that they join, received ${invisible}`,
        );
      }
    })
    .meta({
      ...(min > 0 && { minLength: min }),
      maxLength: max,
      pattern: PRINTABLE,
      description: description === undefined ? rules : `${description} ${rules}`,
    });
}
