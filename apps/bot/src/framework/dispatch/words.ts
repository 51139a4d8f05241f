import { Lexer } from '@sapphire/lexure';

/** A word of a message, or several in quotes. */
export interface Word {
  /** Without its quotes. */
  readonly value: string;
  /** As it was written. */
  readonly raw: string;
  /** The white space before it. */
  readonly leading: string;
}

/** The quotation marks of the bot's languages. */
const QUOTES = [
  ['"', '"'],
  ['“', '”'],
  ['„', '“'],
  ['«', '»'],
  ['「', '」'],
  ['『', '』'],
] as const;

const lexer = new Lexer({ quotes: QUOTES.map(([open, close]) => [open, close] as [string, string]) });

/** Splits what somebody wrote into words, at white space of any kind. A quotation mark without its other half is part of a word. */
export function wordsOf(text: string): Word[] {
  let end = 0;
  // The lexer knows one kind of space, so it gets that kind and its words are taken from the text itself.
  return [...lexer.run(text.replaceAll(/\s/gu, ' '))].map(({ value, raw, leading }) => {
    const before = end;
    const start = before + leading.length;
    const inner = start + raw.indexOf(value);
    end = start + raw.length;
    return {
      value: text.slice(inner, inner + value.length),
      raw: text.slice(start, end),
      leading: text.slice(before, start),
    };
  });
}

/** Words as they were written, without what stood before the first; a lone quotation without its marks. */
export function written(words: readonly Word[]): string {
  const [first, ...others] = words;
  if (first === undefined) return '';
  if (others.length === 0) return first.value;
  return first.raw + others.map(({ leading, raw }) => leading + raw).join('');
}
