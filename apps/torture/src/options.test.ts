import { readArguments, UsageError } from '@guild-settings/command-line';
import { expect, test } from 'vitest';
import { PROGRAM } from './options.ts';

test('options have defaults, and a leading -- is skipped', () => {
  expect(readArguments(PROGRAM.options, ['--', '--seed', '7'])).toEqual({
    store: 'sqlite',
    rounds: 20,
    seed: 7,
    api: undefined,
    json: false,
  });
  expect(readArguments(PROGRAM.options, ['--store', 'postgres', '--rounds', '3', '--json'])).toMatchObject({
    store: 'postgres',
    rounds: 3,
    json: true,
  });
  expect(readArguments(PROGRAM.options, ['--help'])).toBeNull();
});

test.each([[['--store', 'mysql']], [['--rounds', 'many']], [['--seed', '-1']], [['--what']], [['extra']]])(
  '%j is refused',
  (args) => {
    expect(() => readArguments(PROGRAM.options, args)).toThrow(UsageError);
  },
);
