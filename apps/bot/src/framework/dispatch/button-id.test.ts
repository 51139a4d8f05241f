import { expect, test } from 'vitest';
import { type ButtonId, formatButtonId, parseButtonId } from './button-id.ts';

/** Discord's limit for a custom id. */
const LONGEST = 100;

const USER = '18446744073709551615';
const YEAR_2100 = Date.UTC(2100, 0);
const REVISION = String(Number.MAX_SAFE_INTEGER);

const LONG_IDS: readonly ButtonId[] = [
  ['history', 'older', [REVISION, 'announcement_channel']],
  ['undo', 'confirm', [REVISION, REVISION]],
  ['undo', 'cancel', []],
].map(([subcommand, name, values]) => ({
  command: 'settings',
  subcommand: subcommand as string,
  name: name as string,
  userId: USER,
  expiresAt: YEAR_2100,
  values: values as string[],
}));

test.each(LONG_IDS)('the longest custom id of $subcommand $name is short enough for Discord, and is parsed', (id) => {
  const customId = formatButtonId(id);
  expect([...customId].length).toBeLessThanOrEqual(LONGEST);
  expect(parseButtonId(customId)).toEqual(id);
});

test.each(['', 'yes', 'a|b|c|d|e', `settings|undo|confirm|${USER}|`, `settings|undo|confirm|someone|k`, '|||||||||'])(
  'the custom id %j of another program is not one of the bot',
  (customId) => {
    expect(parseButtonId(customId)).toBeUndefined();
  },
);
