import { expect, test } from 'vitest';
import { type ButtonId, formatButtonId, parseButtonId } from './reply-payload.ts';

const id: Omit<ButtonId, 'subcommand' | 'name' | 'values'> = {
  command: 'settings',
  replyId: '18446744073709551615',
};
const REVISION = String(Number.MAX_SAFE_INTEGER);

test.each<ButtonId>([
  { ...id, subcommand: 'history', name: 'older', values: [REVISION, 'announcement_channel'] },
  { ...id, subcommand: 'undo', name: 'confirm', values: [REVISION, REVISION] },
  { ...id, subcommand: 'undo', name: 'cancel', values: [] },
])('the longest custom id of $subcommand $name is short enough for Discord, and is parsed', (longest) => {
  const customId = formatButtonId(longest);
  // Discord's limit.
  expect([...customId].length).toBeLessThanOrEqual(100);
  expect(parseButtonId(customId)).toEqual(longest);
});

test.each(['', 'yes', 'a|b|c|d|e', `settings|undo|confirm|someone`, '|||||||||'])(
  'the custom id %j of another program is not one of the bot',
  (customId) => {
    expect(parseButtonId(customId)).toBeUndefined();
  },
);
