import { parseArgs } from 'node:util';
import type { OptionShape, Values } from './option.ts';
import { UsageError } from './usage-error.ts';

/**
 * Parses arguments. `--help` and `-h` are options of every program. A leading `--`, which some package managers pass on, is
 * skipped.
 * @returns null for `--help`
 * @throws UsageError
 */
export function readArguments<Shape extends OptionShape>(shape: Shape, args: readonly string[]): Values<Shape> | null {
  const given = parse(shape, args[0] === '--' ? args.slice(1) : args);
  if (given.help !== undefined) return null;
  const texts = Object.entries(shape).map(([name, option]) => [name, option, (given[name] ?? []).map(String)] as const);
  const repeated = texts.find(([, { isRepeatable }, { length }]) => length > 1 && !isRepeatable);
  if (repeated) throw new UsageError(`Expected --${repeated[0]} once, received it ${repeated[2].length} times.`);
  const entries = texts.map(([name, option, given]) => [name, option.read(given, name)]);
  // The type of a record's entries is lost in Object.fromEntries.
  return Object.fromEntries(entries) as Values<Shape>;
}

function parse(
  shape: OptionShape,
  args: readonly string[],
): Readonly<Record<string, (string | boolean)[] | undefined>> {
  const named = Object.entries(shape).map(([name, { placeholder }]) => {
    return [name, { type: placeholder === undefined ? 'boolean' : 'string', multiple: true }] as const;
  });
  const help = { type: 'boolean', short: 'h', multiple: true } as const;
  try {
    return parseArgs({ args: [...args], options: { ...Object.fromEntries(named), help } }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
