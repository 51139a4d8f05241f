/** A value that no rule can convert, with its position in the value of the setting. */
export interface ConversionProblem {
  /** Indexes in lists, and columns: `['1', 'minutes']`. */
  readonly at: readonly string[];
  readonly message: string;
}

/** Maximum problems of one value that are listed. The others are counted. */
const MAX_NAMED = 5;

/** Thrown for values that no rule can convert. The messages contain the expected and the received value. */
export class ConversionError extends Error {
  override readonly name = 'ConversionError';
  readonly problems: readonly ConversionProblem[];

  /** @param how the calculation of the value from that of the file */
  constructor(expected: string, received: unknown, how?: string);
  constructor(problems: readonly ConversionProblem[]);
  constructor(expected: string | readonly ConversionProblem[], received?: unknown, how = '') {
    const problems =
      typeof expected === 'string'
        ? [{ at: [], message: `expected ${expected}, received ${receivedText(received)}${how}` }]
        : expected;
    super(problems.map(({ message }) => message).join('; '));
    this.problems = problems;
  }

  /** Returns the messages with the positions of the values. @param field the setting */
  in(field: string): string {
    const named = this.problems.slice(0, MAX_NAMED).map(({ at, message }) => `${[field, ...at].join('.')}: ${message}`);
    const others = this.problems.length - named.length;
    return [...named, ...(others > 0 ? [`and ${others} more`] : [])].join('; ');
  }
}

/**
 * Converts each of several values.
 * @throws ConversionError with the problems of all of them
 */
export function convertEach<Value, Converted>(
  values: Iterable<readonly [at: string, value: Value]>,
  convert: (value: Value) => Converted,
): Converted[] {
  const converted: Converted[] = [];
  const problems: ConversionProblem[] = [];
  for (const [at, value] of values) {
    try {
      converted.push(convert(value));
    } catch (error) {
      if (!(error instanceof ConversionError)) throw error;
      problems.push(...error.problems.map((problem) => ({ ...problem, at: [at, ...problem.at] })));
    }
  }
  if (problems.length > 0) throw new ConversionError(problems);
  return converted;
}

const MAX_ID = 1e20;

/** Returns a value for a message. An id in the form of a number was rounded if a JavaScript program wrote it. */
export function receivedText(value: unknown): string {
  if (value === undefined) return 'nothing';
  const isRounded = typeof value === 'number' && value > Number.MAX_SAFE_INTEGER && value < MAX_ID;
  return isRounded ? `the number ${value}, whose last digits may be lost: ids must be strings` : shown(value);
}

/** Returns a value as JSON, cut off if it is too long for a message. */
export function shown(value: unknown, maxCharacters = 80): string {
  const json = JSON.stringify(value) ?? String(value);
  return json.length > maxCharacters ? `${json.slice(0, maxCharacters)}...` : json;
}
