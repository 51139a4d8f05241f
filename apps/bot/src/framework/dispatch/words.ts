import { Lexer } from '@sapphire/lexure';

export interface Word {
  readonly value: string;
  readonly raw: string;
  readonly leading: string;
}

const QUOTES = [
  ['"', '"'],
  ['“', '”'],
  ['„', '“'],
  ['«', '»'],
  ['「', '」'],
  ['『', '』'],
] as const;

const lexer = new Lexer({ quotes: QUOTES.map(([open, close]) => [open, close] as [string, string]) });

/** Splits text into words at white space of any kind. An unpaired quotation mark is part of a word. */
export function splitWords(text: string): Word[] {
  let end = 0;
  // The lexer knows one kind of white space, so it runs on a copy and the words are cut out of the original.
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

/** Joins words as they were typed, without the white space before the first. A single quoted phrase loses its quotes. */
export function joinWords(words: readonly Word[]): string {
  const [first, ...others] = words;
  if (first === undefined) return '';
  if (others.length === 0) return first.value;
  return first.raw + others.map(({ leading, raw }) => leading + raw).join('');
}
