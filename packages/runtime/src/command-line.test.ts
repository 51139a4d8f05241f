import { expect, expectTypeOf, test } from 'vitest';
import {
  choice,
  flag,
  helpOf,
  integer,
  operand,
  optional,
  readArguments,
  repeatable,
  required,
  text,
  UsageError,
  type ValueType,
  withDefault,
} from './command-line.ts';

const SECRET: ValueType<string> = {
  placeholder: 'URL',
  expected: 'a file URL',
  isSecret: true,
  parse: (given) => (given.startsWith('file:') ? given : undefined),
};

const OPTIONS = {
  json: flag('print JSON'),
  from: required(SECRET, 'the source'),
  store: withDefault(choice('sqlite', 'postgres'), 'sqlite', 'the store'),
  rounds: withDefault(integer, 20, 'how many'),
  seed: optional(integer, 'the seed'),
  only: repeatable(text('ID'), 'these alone'),
};

test('values have the types of their options, and a leading -- is skipped', () => {
  const values = readArguments(OPTIONS, ['--', '--from', 'file:a', '--seed=7', '--only', 'x', '--only', 'y', '--json']);
  expect(values).toStrictEqual({
    json: true,
    from: 'file:a',
    store: 'sqlite',
    rounds: 20,
    seed: 7,
    only: ['x', 'y'],
  });
  expectTypeOf(values).toEqualTypeOf<{
    readonly json: boolean;
    readonly from: string;
    readonly store: 'sqlite' | 'postgres';
    readonly rounds: number;
    readonly seed: number | undefined;
    readonly only: readonly string[];
  } | null>();
});

test.each([['--help'], ['-h', '--json'], ['--json', '--help']])('%j asks for help, whatever is missing', (...args) => {
  expect(readArguments(OPTIONS, args)).toBeNull();
});

test.each([
  [[], 'Expected --from, which is missing.'],
  [['--from', 'file:a', '--colour'], "Unknown option '--colour'"],
  [['--from', 'file:a', 'extra'], "Unexpected argument 'extra'"],
  [['--from'], "Option '--from <value>' argument missing"],
  [['--from', 'file:a', '--json=yes'], "Option '--json' does not take an argument"],
  [['--from', 'file:a', '--from', 'file:b'], 'Expected --from once, received it 2 times.'],
  [['--from', 'hunter2'], 'Expected a file URL for --from, received a hidden value.'],
  [['--from', 'file:a', '--store', 'mysql'], 'Expected one of sqlite, postgres for --store, received "mysql".'],
  [['--from', 'file:a', '--rounds', '0x10'], 'Expected a non-negative integer for --rounds, received "0x10".'],
])('%j is refused: %s', (args, message) => {
  expect(() => readArguments(OPTIONS, args)).toThrow(UsageError);
  expect(() => readArguments(OPTIONS, args)).toThrow(message);
});

test('operands are arguments by their positions, before, between and after the options', () => {
  const shape = {
    command: operand(choice('check'), 'what to do'),
    json: flag('print JSON'),
    file: operand(text('FILE'), 'a file'),
  };
  const expected = { command: 'check', json: true, file: 'a.json' };
  for (const args of [
    ['check', 'a.json', '--json'],
    ['--json', 'check', 'a.json'],
    ['check', '--json', 'a.json'],
  ]) {
    expect(readArguments(shape, args)).toStrictEqual(expected);
  }
  for (const [args, message] of [
    [['check'], 'Expected FILE, which is missing.'],
    [['clean', 'a.json'], 'Expected one of check for check, received "clean".'],
    [['check', 'a.json', 'b.json'], "Unexpected argument 'b.json'"],
  ] as const) {
    expect(() => readArguments(shape, args)).toThrow(new UsageError(message));
  }
  const help = helpOf({ summary: '', usage: [], options: shape });
  expect(help).toContain('  check       what to do\n  --json      print JSON\n  FILE        a file\n');
});
