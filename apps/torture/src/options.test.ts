import { readArguments } from '@guild-settings/runtime/command-line';
import { expect, test } from 'vitest';
import { PROGRAM } from './options.ts';

test('options have defaults, and a leading -- is skipped', () => {
  const defaults = { store: 'sqlite', rounds: 20, seed: 7, api: undefined, json: false };
  expect(readArguments(PROGRAM.options, ['--', '--seed', '7'])).toEqual(defaults);
  const given = { store: 'postgres', rounds: 3, json: true };
  expect(readArguments(PROGRAM.options, ['--store', 'postgres', '--rounds', '3', '--json'])).toMatchObject(given);
  expect(readArguments(PROGRAM.options, ['--help'])).toBeNull();
});
