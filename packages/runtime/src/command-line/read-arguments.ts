import { parseArgs } from 'node:util';
import type { Option, OptionShape, Values } from './option.ts';
import { UsageError } from './usage-error.ts';

/**
 * Parses arguments. `--help` and `-h` are options of every program. A leading `--`, which some package managers pass on, is
 * skipped.
 * @returns null for `--help`
 * @throws UsageError
 */
export function readArguments<Shape extends OptionShape>(shape: Shape, args: readonly string[]): Values<Shape> | null {
  const { values: given, positionals } = parse(shape, args[0] === '--' ? args.slice(1) : args);
  if (given.help !== undefined) return null;
  const operands = Object.keys(shape).filter((name) => shape[name]?.isOperand);
  const extra = positionals[operands.length];
  if (extra !== undefined) throw new UsageError(`Unexpected argument '${extra}'`);
  const texts = Object.entries(shape).map(([name, option]) => {
    const position = operands.indexOf(name);
    const own = option.isOperand ? positionals.slice(position, position + 1) : (given[name] ?? []).map(String);
    return { name, option, label: nameOf(name, option), own };
  });
  const repeated = texts.find(({ option, own }) => own.length > 1 && !option.isRepeatable);
  if (repeated) throw new UsageError(`Expected ${repeated.label} once, received it ${repeated.own.length} times.`);
  const entries = texts.map(({ name, option, label, own }) => [name, option.read(own, label)]);
  // The type of a record's entries is lost in Object.fromEntries.
  return Object.fromEntries(entries) as Values<Shape>;
}

/** Returns how an option is named in messages and in the help. */
export function nameOf(name: string, { isOperand, placeholder }: Option<unknown>): string {
  return isOperand ? String(placeholder) : `--${name}`;
}

interface Given {
  readonly values: Readonly<Record<string, (string | boolean)[] | undefined>>;
  readonly positionals: readonly string[];
}

function parse(shape: OptionShape, args: readonly string[]): Given {
  const all = Object.entries(shape);
  const named = all
    .filter(([, { isOperand }]) => !isOperand)
    .map(([name, { placeholder }]) => {
      return [name, { type: placeholder === undefined ? 'boolean' : 'string', multiple: true }] as const;
    });
  const help = { type: 'boolean', short: 'h', multiple: true } as const;
  const options = { ...Object.fromEntries(named), help };
  try {
    return parseArgs({ args: [...args], options, allowPositionals: named.length < all.length });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
