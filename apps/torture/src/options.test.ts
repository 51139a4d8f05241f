import { expect, test } from 'vitest';
import { readOptions, UsageError } from './options.ts';

test('options have defaults, and a leading -- is skipped', () => {
  expect(readOptions(['--', '--seed', '7'])).toEqual({
    store: 'sqlite',
    rounds: 20,
    seed: 7,
    apiMain: undefined,
    json: false,
  });
  expect(readOptions(['--store', 'postgres', '--rounds', '3', '--json'])).toMatchObject({
    store: 'postgres',
    rounds: 3,
    json: true,
  });
  expect(readOptions(['--help'])).toBeNull();
});

test.each([[['--store', 'mysql']], [['--rounds', 'many']], [['--seed', '-1']], [['--what']], [['extra']]])(
  '%j is refused',
  (args) => {
    expect(() => readOptions(args)).toThrow(UsageError);
  },
);
