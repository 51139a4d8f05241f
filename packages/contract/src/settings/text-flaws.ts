import { invisibleIn } from '../invisible.ts';
import type { Flaw } from './flaw.ts';

/**
 * Text without control characters (Cc), in a regular expression syntax that the languages of all callers share, because
 * the OpenAPI document contains it: docs/decisions/0030-portable-patterns.md
 */
const PRINTABLE = '^[^\\x00-\\x1F\\x7F-\\x9F]*$';
/** Text that may also contain tabs and line breaks, for texts of several lines. */
const PRINTABLE_LINES = '^[^\\x00-\\x08\\x0B\\x0C\\x0E-\\x1F\\x7F-\\x9F]*$';

const ONE_LINE = new RegExp(PRINTABLE, 'u');
const MANY_LINES = new RegExp(PRINTABLE_LINES, 'u');

const LINE_BREAK = /\r\n?|\n/g;

/** A surrogate without its other half (Cs), which UTF-8 cannot represent. */
const LONE_SURROGATE = /\p{Cs}/u;

/** Maximum bytes of a code point in UTF-8. The valid characters of a text are not longer as JSON. */
export const CODE_POINT_BYTES = 4;

export interface TextRules {
  readonly min?: number;
  readonly max: number;
  readonly lines?: 'one' | 'many';
  readonly noLeadingSpace?: boolean;
  /** Rejects invisible characters, so that different texts do not look the same. */
  readonly noInvisible?: boolean;
}

/** Returns a text with line feeds as line breaks: Windows writes `\r\n`. */
export function withLineFeeds(text: string): string {
  return text.replaceAll(LINE_BREAK, '\n');
}

/**
 * Returns all flaws of a text, with any kind of line breaks. Lengths are in code points, as in JSON Schema: an emoji
 * counts as one character.
 */
export function textFlaws(given: string, { min = 0, max, lines, noLeadingSpace, noInvisible }: TextRules): Flaw[] {
  const flaws: Flaw[] = [];
  const hasLines = lines === 'many';
  const text = withLineFeeds(given);
  // Code points are only counted if the number of UTF-16 units is not conclusive.
  const length = text.length <= max && text.length >= 2 * min ? text.length : [...text].length;
  if (length < min) flaws.push({ key: 'tooShort', count: min, length });
  if (length > max) flaws.push({ key: 'tooLong', count: max, length });
  if (noLeadingSpace && /^\s/u.test(text)) flaws.push({ key: 'leadingSpace', count: 0 });
  if (!hasLines && text.includes('\n')) flaws.push({ key: 'lineBreak', count: 0 });
  const isPrintable = hasLines ? MANY_LINES.test(text) : ONE_LINE.test(text.replaceAll('\n', ''));
  if (!isPrintable || LONE_SURROGATE.test(text)) flaws.push({ key: 'unprintable', count: 0 });
  const codePoint = noInvisible ? invisibleIn(text) : undefined;
  if (codePoint !== undefined) flaws.push({ key: 'invisible', count: 0, codePoint });
  return flaws;
}

/** Returns the rules of a text that a portable pattern cannot express, as a sentence. */
export function textRules({ noLeadingSpace, noInvisible, lines }: Omit<TextRules, 'max'>): string {
  const more = [
    ...(noLeadingSpace ? [', no white space at the start'] : []),
    ...(noInvisible ? [', no invisible characters except in emoji and between letters that they join'] : []),
  ];
  const except = lines === 'many' ? ' except tabs and line breaks' : '';
  return `No control characters${except}, no lone surrogates${more.join('')}.`;
}

export function textLimits({ min = 0, max, lines }: TextRules) {
  return {
    ...(min > 0 && { minLength: min }),
    maxLength: max,
    pattern: lines === 'many' ? PRINTABLE_LINES : PRINTABLE,
  };
}
