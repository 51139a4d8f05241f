import type { KindName } from './setting-declaration.ts';

/** A reason why a value is invalid. Texts for people are in packages/i18n by the key. */
export interface Flaw {
  readonly key: keyof typeof MESSAGES | `not${Capitalize<KindName>}`;
  /** The expected value, for problems; only for flaws of a single kind. */
  readonly expected?: string;
  /** The exceeded limit; 0 if there is none. */
  readonly count: number;
  readonly length?: number;
  /** The invisible character, such as `U+200B`. */
  readonly codePoint?: string;
  /** The noun for the parts that exceed the limit, in the singular. */
  readonly of?: 'name' | 'item' | 'row';
  /** The index of the invalid item in a list. */
  readonly at?: number;
  /** The column with the invalid cell of a table. */
  readonly column?: string;
  /** The unknown name. */
  readonly name?: string;
  /** The known names. */
  readonly names?: readonly string[];
}

type FlawParts = Omit<Flaw, 'key'>;

const MESSAGES = {
  tooShort: ({ count, length }: FlawParts) => `expected at least ${counted(count, 'character')}, received ${length}`,
  tooLong: ({ count, length }: FlawParts) =>
    `expected at most ${counted(count, 'character')}, received ${length?.toLocaleString('en')}`,
  leadingSpace: () => 'expected no white space at the start',
  lineBreak: () => 'expected one line, received a line break',
  unprintable: () => 'expected no control characters and well-formed Unicode',
  invisible: ({ codePoint }: FlawParts) =>
    `expected no invisible characters except in emoji and between letters that they join, received ${codePoint}`,
  tooMany: ({ count, of }: FlawParts) => `expected at most ${counted(count, of ?? 'item')}`,
  tooSmall: ({ count }: FlawParts) => `expected at least ${count}`,
  tooLarge: ({ count }: FlawParts) => `expected at most ${count}`,
  notChoice: () => 'expected one of the declared choices',
  notId: () => 'expected a Discord id of 17 to 20 decimal digits, or an empty string for none',
  everyone: () => 'expected a role other than @everyone, whose id is that of the guild',
  decimals: ({ count }: FlawParts) => `expected at most ${counted(count, 'decimal place')}`,
  unknownPlaceholder: ({ name, names = [] }: FlawParts) =>
    `expected no other placeholders than ${names.map((one) => `{${one}}`).join(', ')}, received {${name}}`,
  unknownColumn: ({ column }: FlawParts) => `expected the columns of the table, received ${JSON.stringify(column)}`,
  sameKey: ({ names = [] }: FlawParts) => `expected another ${names.join(' and ')} than in a row above`,
};

/** Returns the path to the invalid part within a value: the index in a list, and the column. */
export function flawPath({ at, column }: Flaw): (string | number)[] {
  return [...(at === undefined ? [] : [at]), ...(column === undefined ? [] : [column])];
}

export function flawMessage(flaw: Flaw): string {
  return flaw.expected === undefined ? MESSAGES[flaw.key as keyof typeof MESSAGES](flaw) : `expected ${flaw.expected}`;
}

/** Returns a number with its noun for English messages: `1 guild`, `1,204 guilds`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}
