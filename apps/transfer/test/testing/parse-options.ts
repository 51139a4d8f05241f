import { readArguments, type Values } from '@guild-settings/runtime/command-line';
import { PROGRAM } from '../../src/import/options.ts';

/** Parses the arguments of `import`. */
export function parseOptions(args: readonly string[]): Values<(typeof PROGRAM)['options']> {
  const options = readArguments(PROGRAM.options, args);
  if (options === null) throw new Error('Expected options, received --help');
  return options;
}
