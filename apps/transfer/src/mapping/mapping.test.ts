import { DeclaredSettings, SPECIFIED_SETTINGS } from '@guild-settings/contract/settings';
import { UsageError } from '@guild-settings/runtime/command-line';
import { expect, test } from 'vitest';
import { type GivenMapping, mappingOf, parseFieldMap, parseKeyPattern } from './mapping.ts';
import { parseScale } from './scale.ts';
import { parseReplacement } from './take-value.ts';

const label = { 'en-US': 'Rate' };
const DECLARED = new DeclaredSettings({
  settings: {
    xpRate: { kind: 'integer', min: 0, max: 9, default: 5, label },
    warns: {
      kind: 'table',
      max: 3,
      columns: { at: { kind: 'integer', min: 1, max: 9, label }, role: { kind: 'role', label } },
      label,
    },
  },
});

test.each([
  ['--map', 'xpRate=a,custom.xpRate=b', 'Expected one path for xpRate, received two.'],
  [
    '--map',
    'colour=a',
    `fields: ${SPECIFIED_SETTINGS.all.map(({ name }) => name).join(', ')}, xpRate, warns) for --map, `,
  ],
  ['--map', 'custom.prefix=a', 'received "custom.prefix".'],
  ['--value', 'colour:a=b', 'for --value, received "colour".'],
  ['--map', 'warns.at=a,custom.warns.at=b', 'Expected one path for at, received two.'],
  ['--map', 'warns.count=a', 'Expected a column of warns (warns.at, warns.role) for --map, received "warns.count".'],
  ['--scale', 'colour=/5', 'for --scale, received "colour".'],
  ['--scale', 'prefix=/5', 'Expected a setting of numbers for --scale, received "prefix", whose kind is text.'],
  ['--scale', 'warns.role=/5', 'received "warns.role", whose kind is role.'],
  ['--scale', 'warns=/5', 'received "warns", whose kind is table.'],
  [
    '--value',
    'warns.at:x=10',
    'Expected another value behind = in --value: custom.warns.at: expected at most 9, received 10.',
  ],
  ['--value', 'language:*=Elvish', 'Expected another value behind = in --value: language: '],
  [
    '--value',
    'custom.xpRate:*=10',
    'Expected another value behind = in --value: custom.xpRate: expected at most 9, received 10.',
  ],
])('%s %s is refused: %s', (option, text, message) => {
  const keys = parseKeyPattern('{guild}');
  const replacement = option === '--value' ? parseReplacement(text) : undefined;
  if (keys === undefined) throw new Error('Expected a pattern');
  const given: GivenMapping = {
    paths: option === '--map' ? (parseFieldMap(text) ?? []) : [],
    replacements: replacement === undefined ? [] : [replacement],
    scales: option === '--scale' ? [parseScale(text) ?? expect.fail(`${text} is no scale`)] : [],
    guildPath: undefined,
    keys,
    emptyPrefix: 'refuse',
  };
  expect(() => mappingOf(given, DECLARED)).toThrow(UsageError);
  expect(() => mappingOf(given, DECLARED)).toThrow(message);
});
