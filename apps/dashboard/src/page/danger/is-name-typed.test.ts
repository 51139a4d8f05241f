import { expect, test } from 'vitest';
import { isNameTyped } from './is-name-typed.ts';

test.each([
  ['Discord Testers', 'Discord Testers', true],
  [' Discord  Testers ', 'Discord Testers', true],
  ['Café', 'Cafe\u0301', true],
  ['discord testers', 'Discord Testers', false],
  ['Discord', 'Discord Testers', false],
  ['', 'Discord Testers', false],
])('%j for %j: %s', (typed, name, expected) => expect(isNameTyped(typed, name)).toBe(expected));
