import type { KindName } from '../setting-declaration.ts';
import { CHANNEL } from './channel.ts';
import { CHOICE } from './choice.ts';
import { DURATION } from './duration.ts';
import { INTEGER } from './integer.ts';
import type { Kind, Options } from './kind.ts';
import { ROLE } from './role.ts';
import { SWITCH } from './switch.ts';
import { TEXT } from './text.ts';

export const KINDS: { readonly [Name in KindName]: Kind<Options<Name>> } = {
  switch: SWITCH,
  integer: INTEGER,
  choice: CHOICE,
  duration: DURATION,
  text: TEXT,
  channel: CHANNEL,
  role: ROLE,
};
