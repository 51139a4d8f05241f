/**
 * A reason why a value is not valid. Texts for people are in packages/i18n by the key, those of problems in
 * `flaw-message.ts`.
 */
export interface Flaw {
  readonly key:
    | 'tooShort'
    | 'tooLong'
    | 'leadingSpace'
    | 'lineBreak'
    | 'unprintable'
    | 'invisible'
    | 'tooMany'
    | 'tooSmall'
    | 'tooLarge'
    | 'notChoice'
    | 'notId'
    | 'everyone'
    | 'decimals'
    | 'notTime'
    | 'notTimeZone'
    | 'notColor'
    | 'notEmoji'
    | 'unknownPlaceholder'
    | 'unknownColumn'
    | 'sameKey';
  /** The limit that was exceeded; 0 where there is none. */
  readonly count: number;
  readonly length?: number;
  /** The invisible character, such as `U+200B`. */
  readonly codePoint?: string;
  /** The noun of what exceeds the limit, in the singular. */
  readonly of?: 'name' | 'item' | 'row';
  /** The position in a list of the item that is not valid. */
  readonly at?: number;
  /** The column of a table with the cell that is not valid. */
  readonly column?: string;
  /** The name that is not known. */
  readonly name?: string;
  /** The names that there are. */
  readonly names?: readonly string[];
}

const MESSAGES: Readonly<Record<Flaw['key'], (flaw: Flaw) => string>> = {
  tooShort: ({ count, length }) => `expected at least ${counted(count, 'character')}, received ${length}`,
  tooLong: ({ count, length }) =>
    `expected at most ${counted(count, 'character')}, received ${length?.toLocaleString('en')}`,
  leadingSpace: () => 'expected no white space at the start',
  lineBreak: () => 'expected one line, received a line break',
  unprintable: () => 'expected no control characters and well-formed Unicode',
  invisible: ({ codePoint }) =>
    `expected no invisible characters but in emoji and between letters that they join, received ${codePoint}`,
  tooMany: ({ count, of }) => `expected at most ${counted(count, of ?? 'item')}`,
  tooSmall: ({ count }) => `expected at least ${count}`,
  tooLarge: ({ count }) => `expected at most ${count}`,
  notChoice: () => 'expected one of the declared choices',
  notId: () => 'expected a Discord id of 17 to 20 decimal digits, or an empty string for none',
  everyone: () => 'expected another role than @everyone, whose id is that of the guild',
  decimals: ({ count }) => `expected at most ${counted(count, 'digit')} behind the decimal point`,
  notTime: () => 'expected a time of day as HH:MM, from 00:00 to 23:59',
  notTimeZone: () => 'expected the IANA name of a time zone, such as Europe/Berlin or UTC',
  notColor: () => 'expected an RGB color as #RRGGBB, such as #5865F2',
  notEmoji: () => 'expected one emoji, one of the guild as <:name:id>, or an empty string for none',
  unknownPlaceholder: ({ name, names = [] }) =>
    `expected no other placeholders than ${names.map((one) => `{${one}}`).join(', ')}, received {${name}}`,
  unknownColumn: ({ column }) => `expected the columns of the table, received ${JSON.stringify(column)}`,
  sameKey: ({ names = [] }) => `expected another ${names.join(' and ')} than in a row above`,
};

/** Returns the way to what is not valid within a value: the position in a list, and the column. */
export function flawPath({ at, column }: Flaw): (string | number)[] {
  return [...(at === undefined ? [] : [at]), ...(column === undefined ? [] : [column])];
}

export function flawMessage(flaw: Flaw): string {
  return MESSAGES[flaw.key](flaw);
}

/** Returns a number with its noun for English messages: `1 guild`, `1,204 guilds`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}
