import { DeclaredSettings } from '@guild-settings/contract';
import { UsageError } from '@guild-settings/runtime/command-line';
import { expect, test } from 'vitest';
import { type GivenMapping, mappingOf, parseFieldMap, parseKeyPattern } from './mapping.ts';
import { parseReplacement } from './take-value.ts';

const label = { 'en-US': 'Rate' };
const DECLARED = new DeclaredSettings({ settings: { xpRate: { kind: 'integer', min: 0, max: 9, default: 5, label } } });

test.each([
  ['--map', 'xpRate=a,custom.xpRate=b', 'Expected one path for xpRate, received two.'],
  ['--map', 'colour=a', 'fields: prefix, announcement_channel, beta, language, enabledFeatures, xpRate) for --map, '],
  ['--map', 'custom.prefix=a', 'received "custom.prefix".'],
  ['--value', 'colour:a=b', 'for --value, received "colour".'],
  ['--value', 'language:*=Elvish', 'Expected another value behind = in --value: language: '],
  ['--value', 'custom.xpRate:*=10', 'Expected another value behind = in --value: custom.xpRate: expected at most 9.'],
])('%s %s is refused: %s', (option, text, message) => {
  const keys = parseKeyPattern('{guild}');
  const replacement = option === '--value' ? parseReplacement(text) : undefined;
  if (keys === undefined) throw new Error('Expected a pattern');
  const given: GivenMapping = {
    paths: option === '--map' ? (parseFieldMap(text) ?? []) : [],
    replacements: replacement === undefined ? [] : [replacement],
    guildPath: undefined,
    keys,
    emptyPrefix: 'refuse',
  };
  expect(() => mappingOf(given, DECLARED)).toThrow(UsageError);
  expect(() => mappingOf(given, DECLARED)).toThrow(message);
});
