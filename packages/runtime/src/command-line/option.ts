import { UsageError } from './usage-error.ts';
import type { ValueType } from './value-type.ts';

/** An option of a program. */
export interface Option<Value> {
  /** The placeholder of its value in the help; undefined: the option takes no value. */
  readonly placeholder: string | undefined;
  readonly description: string;
  readonly isRepeatable: boolean;
  /** True: the option has a position instead of a name. Operands are given in the order of the shape. */
  readonly isOperand: boolean;
  /** Returns the value, from the texts in the order of the arguments. `name` is for messages. */
  readonly read: (texts: readonly string[], name: string) => Value;
}

/** The options of a program, by their names without `--`. */
export type OptionShape = Readonly<Record<string, Option<unknown>>>;

export type Values<Shape extends OptionShape> = { readonly [Name in keyof Shape]: ReturnType<Shape[Name]['read']> };

/** Makes an option without a value: true where it is present. */
export function flag(description: string): Option<boolean> {
  const read = (texts: readonly string[]) => texts.length > 0;
  return { placeholder: undefined, description, isRepeatable: false, isOperand: false, read };
}

/** Makes an option that must be there. */
export function required<Value>(type: ValueType<Value>, description: string): Option<Value> {
  return option(type, description, (values, name) => {
    const [value] = values;
    if (value === undefined) throw new UsageError(`Expected ${name}, which is missing.`);
    return value;
  });
}

/** Makes an argument without a name that must be there. */
export function operand<Value>(type: ValueType<Value>, description: string): Option<Value> {
  return { ...required(type, description), isOperand: true };
}

/** Makes an option that may be left out. */
export function optional<Value>(type: ValueType<Value>, description: string): Option<Value | undefined> {
  return option(type, description, ([value]) => value);
}

/** Makes an option that has a value also where it is left out. */
export function withDefault<Value>(type: ValueType<Value>, value: Value, description: string): Option<Value> {
  return option(type, `${description} (${value})`, ([given]) => given ?? value);
}

/** Makes an option that may be there several times. */
export function repeatable<Value>(type: ValueType<Value>, description: string): Option<readonly Value[]> {
  return { ...option(type, description, (values) => values), isRepeatable: true };
}

function option<Value, Result>(
  { placeholder, expected, isSecret = false, parse }: ValueType<Value>,
  description: string,
  read: (values: readonly Value[], name: string) => Result,
): Option<Result> {
  const parseText = (text: string, name: string): Value => {
    const value = parse(text);
    if (value !== undefined) return value;
    const received = isSecret ? 'a value not shown' : JSON.stringify(text);
    throw new UsageError(`Expected ${expected} for ${name}, received ${received}.`);
  };
  return {
    placeholder,
    description,
    isRepeatable: false,
    isOperand: false,
    read: (texts, name) =>
      read(
        texts.map((text) => parseText(text, name)),
        name,
      ),
  };
}
