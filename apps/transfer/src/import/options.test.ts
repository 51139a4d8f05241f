import { UsageError } from '@guild-settings/runtime/command-line';
import { expect, test } from 'vitest';
import { parseOptions } from '../../test/transfer-kit.ts';
import { commandOf } from './options.ts';

function parse(args: readonly string[], canAsk = false) {
  return commandOf(parseOptions(args), canAsk);
}

test('the key of a guild and the fields have defaults for each kind of file', () => {
  expect(parse(['--from', 'keyv:a.sqlite', '--yes'])).toMatchObject({
    source: { kind: 'keyv', path: expect.stringMatching(/\/a\.sqlite$/) },
    mapping: { keys: { text: 'keyv:{guild}' }, guildPath: undefined, paths: [] },
    mayReplace: true,
    mode: 'apply',
  });
  expect(parse(['--from', 'csv:a.csv', '--map', 'prefix=a,beta=b.c'], true)).toMatchObject({
    mapping: {
      guildPath: 'guild',
      paths: [
        { field: 'prefix', path: 'a' },
        { field: 'beta', path: 'b.c' },
      ],
    },
    mayReplace: false,
    mode: 'ask',
  });
});

test('an empty prefix is asked about on a terminal, unless --yes wants no question', () => {
  const emptyPrefixOf = (args: string[], canAsk: boolean) =>
    parse(['--from', 'json:x', ...args], canAsk).mapping.emptyPrefix;
  expect(emptyPrefixOf([], true)).toBe('ask');
  expect(emptyPrefixOf(['--dry-run'], true)).toBe('ask');
  expect(emptyPrefixOf(['--yes'], true)).toBe('refuse');
  expect(emptyPrefixOf(['--dry-run'], false)).toBe('refuse');
  expect(emptyPrefixOf(['--empty-prefix', 'off'], true)).toBe('off');
});

test.each([
  [['--from', 'csv:x.csv'], 'Expected --yes or --dry-run, because there is no terminal to ask on.'],
  [['--from', 'csv:x.csv', '--yes', '--dry-run'], 'Expected --yes or --dry-run, received both.'],
  [['--from', 'mongo:x', '--yes'], '(kinds: keyv, quick.db, enmap, json, ndjson, csv) for --from, received "mongo:x".'],
  [
    ['--from', 'csv:x', '--empty-prefix', '?', '--yes'],
    'Expected one of default, off for --empty-prefix, received "?".',
  ],
  [['--from', 'csv:x', '--scale', 'xp=+5', '--yes'], 'Expected arithmetic such as cooldown=/1000, xpRate=*100 or '],
  [['--from', 'csv:x', '--scale', 'xp=/0', '--yes'], 'with a number other than 0 for --scale, received "xp=/0".'],
  [['--from', 'csv:x', '--key', '{guild}', '--yes'], 'Expected --key alone, and a file with keys, received csv.'],
  [['--from', 'keyv:x', '--key', 'x', '--yes'], 'Expected a pattern with {guild}'],
])('%j is refused: %s', (args, message) => {
  expect(() => parse(args)).toThrow(UsageError);
  expect(() => parse(args)).toThrow(message);
});
