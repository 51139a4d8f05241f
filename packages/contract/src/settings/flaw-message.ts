import { counted } from './counted.ts';
import type { Flaw } from './flaw.ts';

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
};

export function flawMessage(flaw: Flaw): string {
  return MESSAGES[flaw.key](flaw);
}
