import type { KindName } from '../setting-declaration.ts';
import { COLOR } from './color.ts';
import type { Kind, Options } from './kind.ts';
import { DURATION, INTEGER, NUMBER } from './numbers.ts';
import { CHANNEL, EMOJI, ROLE, USER } from './references.ts';
import { CHOICE, SWITCH, TEXT } from './texts.ts';
import { TIME, TIME_ZONE } from './times.ts';

/** The kinds of settings other than tables, and of the columns of tables. */
export const SCALARS: { readonly [Name in Exclude<KindName, 'table'>]: Kind<Options<Name>> } = {
  switch: SWITCH,
  integer: INTEGER,
  number: NUMBER,
  choice: CHOICE,
  duration: DURATION,
  time: TIME,
  timeZone: TIME_ZONE,
  text: TEXT,
  color: COLOR,
  emoji: EMOJI,
  channel: CHANNEL,
  role: ROLE,
  user: USER,
};
