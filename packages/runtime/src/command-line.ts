import { parseArgs } from 'node:util';

export { failureHint, listenRemedy } from './failure-hint.ts';

export interface Program<Shape extends OptionShape> {
  readonly summary: string;
  readonly usage: readonly string[];
  readonly options: Shape;
  readonly notes?: string;
}

/** The options of a program, by name without `--`. Operands are given in this order. */
export type OptionShape = Readonly<Record<string, Option<unknown>>>;

export type Values<Shape extends OptionShape> = { readonly [Name in keyof Shape]: ReturnType<Shape[Name]['read']> };

export interface Option<Value> {
  /** The type of its value; undefined: the option takes no value. */
  readonly type?: ValueType<unknown>;
  readonly description: string;
  readonly isRepeatable?: boolean;
  /** True: the option has a position instead of a name. */
  readonly isOperand?: boolean;
  /** Returns the value, from the texts in the order of the arguments. `label` is for messages. */
  readonly read: (texts: readonly string[], label: string) => Value;
}

export interface ValueType<Value> {
  readonly placeholder: string;
  /** The noun phrase after "Expected" in the message for an invalid value. */
  readonly expected: string;
  /** True: messages do not contain the value. */
  readonly isSecret?: boolean;
  /** Returns undefined for an invalid value. */
  readonly parse: (text: string) => Value | undefined;
}

export interface Failure {
  /** The output for standard error: a text, or an error with its stack. */
  readonly output: unknown;
  readonly exitCode: number;
}

/** Thrown for invalid arguments. The message contains the expected and the received value. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Runs a program with the arguments of this process, or prints its help. Errors are explained on standard error. */
export async function runProgram<Shape extends OptionShape>(
  program: Program<Shape>,
  main: (values: Values<Shape>) => Promise<void>,
  explain: (error: unknown) => Failure = explainFailure,
): Promise<void> {
  try {
    const values = readArguments(program.options, process.argv.slice(2));
    if (values === null) console.log(helpOf(program));
    else await main(values);
  } catch (error) {
    const { output, exitCode } = explain(error);
    console.error(output);
    process.exitCode = exitCode;
  }
}

/** Explains an error by its stack, with exit code 1; invalid arguments by the message only, with exit code 2. */
export function explainFailure(error: unknown): Failure {
  if (!(error instanceof UsageError)) return { output: error, exitCode: 1 };
  return { output: `${error.message}\n--help lists the options.`, exitCode: 2 };
}

/** Creates an option without a value: true if it is present. */
export function flag(description: string): Option<boolean> {
  return { description, read: (texts) => texts.length > 0 };
}

export function required<Value>(type: ValueType<Value>, description: string): Option<Value> {
  const read = ([text]: readonly string[], label: string) => {
    if (text === undefined) throw new UsageError(`Expected ${label}, which is missing.`);
    return parse(type, text, label);
  };
  return { type, description, read };
}

/** Creates a required positional argument. */
export function operand<Value>(type: ValueType<Value>, description: string): Option<Value> {
  return { ...required(type, description), isOperand: true };
}

export function optional<Value>(type: ValueType<Value>, description: string): Option<Value | undefined> {
  return { type, description, read: ([text], label) => (text === undefined ? text : parse(type, text, label)) };
}

/** Creates an option with a default value, which the help shows. */
export function withDefault<Value>(type: ValueType<Value>, value: Value, description: string): Option<Value> {
  const { read } = optional(type, description);
  return { type, description: `${description} (${value})`, read: (texts, label) => read(texts, label) ?? value };
}

export function repeatable<Value>(type: ValueType<Value>, description: string): Option<readonly Value[]> {
  const read = (texts: readonly string[], label: string) => texts.map((text) => parse(type, text, label));
  return { type, description, isRepeatable: true, read };
}

function parse<Value>({ expected, isSecret, parse }: ValueType<Value>, text: string, label: string): Value {
  const value = parse(text);
  if (value !== undefined) return value;
  throw new UsageError(
    `Expected ${expected} for ${label}, received ${isSecret ? 'a hidden value' : JSON.stringify(text)}.`,
  );
}

export function text(placeholder: string): ValueType<string> {
  return { placeholder, expected: 'a text', parse: (given) => given };
}

/** A non-negative integer of at most ten digits. */
export const integer: ValueType<number> = {
  placeholder: 'N',
  expected: 'a non-negative integer',
  parse: (given) => (/^\d{1,10}$/.test(given) ? Number(given) : undefined),
};

export function choice<const Word extends string>(...words: readonly Word[]): ValueType<Word> {
  const expected = `one of ${words.join(', ')}`;
  return { placeholder: words.join('|'), expected, parse: (given) => words.find((word) => word === given) };
}

/**
 * Parses arguments. Every program has the options `--help` and `-h`. A leading `--`, which some package managers pass
 * on, is skipped.
 * @returns null for `--help`
 * @throws UsageError
 */
export function readArguments<Shape extends OptionShape>(shape: Shape, args: readonly string[]): Values<Shape> | null {
  const { values, positionals } = split(shape, args[0] === '--' ? args.slice(1) : [...args]);
  if (values.help !== undefined) return null;
  const entries = Object.entries(shape).map(([name, option]) => {
    const texts = option.isOperand ? positionals.splice(0, 1) : (values[name] ?? []).map(String);
    const label = labelOf(name, option);
    if (texts.length > 1 && !option.isRepeatable) {
      throw new UsageError(`Expected ${label} once, received it ${texts.length} times.`);
    }
    return [name, option.read(texts, label)];
  });
  if (positionals.length > 0) throw new UsageError(`Unexpected argument '${positionals[0]}'`);
  // Object.fromEntries loses the types of the entries.
  return Object.fromEntries(entries) as Values<Shape>;
}

function split(shape: OptionShape, args: string[]) {
  const named = Object.entries(shape).filter(([, { isOperand }]) => !isOperand);
  const typed = named.map(([name, { type }]) => [name, { type: type ? 'string' : 'boolean', multiple: true }] as const);
  const help = ['help', { type: 'boolean', short: 'h', multiple: true }] as const;
  try {
    const options = Object.fromEntries([...typed, help]);
    return parseArgs({ args, options, allowPositionals: named.length < Object.keys(shape).length });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function labelOf(name: string, { isOperand, type }: Option<unknown>): string {
  return isOperand && type ? type.placeholder : `--${name}`;
}

export function helpOf({ summary, usage, options, notes }: Program<OptionShape>): string {
  const rows = Object.entries(options).map(([name, option]) => {
    const value = option.type && !option.isOperand ? ` ${option.type.placeholder}` : '';
    return [labelOf(name, option) + value, option.description] as const;
  });
  const all = [...rows, ['-h, --help', 'print this'] as const];
  const width = Math.max(...all.map(([left]) => left.length));
  const lines = all.map(([left, right]) => {
    return `  ${left.padEnd(width)}  ${right.replaceAll('\n', `\n${' '.repeat(width + 4)}`)}`;
  });
  const paragraphs = [summary, usage.map((line) => `  ${line}`).join('\n'), ['Options', ...lines].join('\n')];
  return [...paragraphs, ...(notes === undefined ? [] : [notes])].join('\n\n');
}

/** Exit codes of programs that were ended by a signal. */
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const;

/** The reason of the abort by `stopSignal`. */
export class StoppedBySignal extends Error {
  override readonly name = 'StoppedBySignal';
  readonly signal: keyof typeof EXIT_CODES;
  readonly exitCode: number;

  constructor(signal: keyof typeof EXIT_CODES) {
    super(`Interrupted by ${signal}`);
    this.signal = signal;
    this.exitCode = EXIT_CODES[signal];
  }
}

interface StopOptions {
  /** Milliseconds until the process exits with code 1 if it has not ended before; unlimited unless given. */
  readonly timeoutMs?: number;
  /**
   * The effect of a second signal: `ignore` (the default), because a package manager may pass on a signal that the
   * terminal has already sent; `end`: the process ends at once, as without a handler.
   */
  readonly second?: 'ignore' | 'end';
}

/** Returns a signal that the first SIGTERM or SIGINT aborts, with a `StoppedBySignal` as its reason. */
export function stopSignal({ timeoutMs, second = 'ignore' }: StopOptions = {}): AbortSignal {
  const controller = new AbortController();
  const stop = (signal: keyof typeof EXIT_CODES) => {
    if (second === 'end') process.off('SIGINT', stop).off('SIGTERM', stop);
    if (controller.signal.aborted) return;
    if (timeoutMs !== undefined) setTimeout(() => process.exit(1), timeoutMs).unref();
    controller.abort(new StoppedBySignal(signal));
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  return controller.signal;
}
