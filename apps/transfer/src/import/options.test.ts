import { UsageError } from '@guild-settings/runtime/command-line';
import { expect, test } from 'vitest';
import { parseOptions } from '../../test/testing/parse-options.ts';
import { commandOf } from './options.ts';

function parse(args: readonly string[], canAsk = false) {
  return commandOf(parseOptions(args), canAsk);
}

test('the key of a guild and the fields have defaults for each kind of file', () => {
  expect(parse(['--from', 'keyv:a.sqlite', '--yes'])).toMatchObject({
    source: { kind: 'keyv', path: expect.stringMatching(/\/a\.sqlite$/) },
    mapping: { keys: { text: 'keyv:{guild}' }, guildPath: undefined, isMapped: false },
    mayReplace: true,
    mode: 'apply',
  });
  expect(parse(['--from', 'csv:a.csv', '--map', 'prefix=a,beta=b.c'], true)).toMatchObject({
    mapping: {
      guildPath: 'guild',
      paths: [{ path: 'a' }, { field: 'beta', path: 'b.c' }],
    },
    mayReplace: false,
    mode: 'ask',
  });
});

test.each([
  [['--from', 'csv:x.csv'], 'Expected --yes or --dry-run, because there is no terminal to ask on.'],
  [['--from', 'csv:x.csv', '--yes', '--dry-run'], 'Expected --yes or --dry-run, received both.'],
  [['--from', 'mongo:x', '--yes'], '(kinds: keyv, quick.db, enmap, json, ndjson, csv) for --from, received "mongo:x".'],
  [['--from', 'csv:x', '--map', 'prefix=a,prefix=b', '--yes'], 'Expected one path for prefix, received two.'],
  [['--from', 'csv:x', '--map', 'colour=a', '--yes'], '(fields: prefix, announcement_channel, beta, language, '],
  [['--from', 'csv:x', '--key', '{guild}', '--yes'], 'Expected --key alone, and a file with keys, received csv.'],
  [['--from', 'keyv:x', '--key', 'x', '--yes'], 'Expected a pattern with {guild}'],
])('%j is refused: %s', (args, message) => {
  expect(() => parse(args)).toThrow(UsageError);
  expect(() => parse(args)).toThrow(message);
});
