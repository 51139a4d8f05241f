import { expect, test } from 'vitest';
import { isNameTyped, isTypable } from './danger-page.tsx';

const id = '197038439483310086';

test.each([
  ['Discord Testers', 'Discord Testers', true],
  [' Discord  Testers ', 'Discord Testers', true],
  ['Café', 'Cafe\u0301', true],
  ['discord testers', 'Discord Testers', false],
  ['Discord', 'Discord Testers', false],
  ['', 'Discord Testers', false],
  // Invisible characters.
  ['GamingHub', 'Gaming\u200BHub', true],
  ['Chess', '\u2066Chess\u2069\u3164', true],
  ['Love \u2764', 'Love \u2764\uFE0F', true],
  ['Family 👩‍👩‍👧', 'Family 👩‍👩‍👧', true],
  // Styled letters.
  ['Gaming', '𝕲𝖆𝖒𝖎𝖓𝖌', true],
  ['ABC 1', 'ＡＢＣ\u3000①', true],
  // No name at all.
  ['', '', false],
  ['', '\u3000\u3000', false],
  ['\u200B', '\u200B', false],
])('%j for the name %j: %s', (typed, name, expected) => expect(isNameTyped(typed, { id, name })).toBe(expected));

test.each(['Discord Testers', '\u3000', 'Gaming\u200BHub', ''])('the id confirms a guild with the name %j', (name) => {
  expect([isNameTyped(` ${id} `, { id, name }), isNameTyped('197038439483310087', { id, name })]).toStrictEqual([
    true,
    false,
  ]);
});

test.each([
  ['Discord Testers', true],
  ['👩‍👩‍👧', true],
  ['', false],
  ['\u3000\u3000', false],
  ['\u200B\u3164\uFE0F', false],
])('%j can be typed: %s', (name, expected) => expect(isTypable(name)).toBe(expected));
