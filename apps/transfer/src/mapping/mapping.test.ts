import { DeclaredSettings } from '@guild-settings/contract';
import { UsageError } from '@guild-settings/runtime/command-line';
import { expect, test } from 'vitest';
import { parseOptions } from '../../test/testing/parse-options.ts';
import { commandOf } from '../import/options.ts';
import { mappingOf } from './mapping.ts';

const label = { 'en-US': 'Rate' };
const DECLARED = new DeclaredSettings({ settings: { xpRate: { kind: 'integer', min: 0, max: 9, default: 5, label } } });

test.each([
  ['--map', 'xpRate=a,custom.xpRate=b', 'Expected one path for xpRate, received two.'],
  ['--map', 'colour=a', 'fields: prefix, announcement_channel, beta, language, enabledFeatures, xpRate) for --map, '],
  ['--map', 'custom.prefix=a', 'received "custom.prefix".'],
  ['--value', 'colour:a=b', 'for --value, received "colour".'],
  ['--value', 'language:*=Elvish', 'Expected another value behind = in --value: language: '],
  ['--value', 'custom.xpRate:*=10', 'Expected another value behind = in --value: custom.xpRate: expected at most 9.'],
])('%s %s is refused: %s', (option, value, message) => {
  const { mapping } = commandOf(parseOptions(['--from', 'csv:x', option, value, '--yes']), false);
  expect(() => mappingOf(mapping, DECLARED)).toThrow(UsageError);
  expect(() => mappingOf(mapping, DECLARED)).toThrow(message);
});
