/** Parses the text of an option's value. */
export interface ValueType<Value> {
  /** The placeholder in the help, such as `FILE`. */
  readonly placeholder: string;
  /** The noun phrase after "Expected" in the message for a wrong value. */
  readonly expected: string;
  /** True: the value is left out of messages. */
  readonly isSecret?: boolean;
  /** Returns undefined when the text is no such value. */
  readonly parse: (text: string) => Value | undefined;
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

/** Makes the type of a text that is a member of a list. */
export function choice<const Word extends string>(...words: readonly Word[]): ValueType<Word> {
  return {
    placeholder: words.join('|'),
    expected: `one of ${words.join(', ')}`,
    parse: (given) => words.find((word) => word === given),
  };
}
