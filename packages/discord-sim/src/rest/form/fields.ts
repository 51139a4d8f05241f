import { ChannelType } from 'discord-api-types/v10';
import { z } from 'zod';
import type { FieldError } from '../error-body.ts';

export type Complaint = Pick<FieldError, 'code' | 'message'>;

export const REQUIRED: Complaint = { code: 'BASE_TYPE_REQUIRED', message: 'This field is required' };

function badLength(min: number, max: number): Complaint {
  return min === 0
    ? { code: 'BASE_TYPE_MAX_LENGTH', message: `Must be ${max} or fewer in length.` }
    : { code: 'BASE_TYPE_BAD_LENGTH', message: `Must be between ${min} and ${max} in length.` };
}

export function notAmong(choices: readonly (string | number)[]): Complaint {
  const named = choices.map((choice) => (typeof choice === 'string' ? `'${choice}'` : choice));
  return { code: 'BASE_TYPE_CHOICES', message: `Value must be one of {${named.join(', ')}}.` };
}

export function notCoercible(value: unknown, kind: 'int' | 'float' | 'snowflake'): Complaint {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return { code: 'NUMBER_TYPE_COERCE', message: `Value "${text}" is not ${kind}.` };
}

/** Adds a complaint to the errors of a form; by its path in the value that is refined. */
export function complain(
  context: Pick<z.core.$RefinementCtx, 'addIssue'>,
  { code, message }: Complaint,
  path: PropertyKey[] = [],
): void {
  context.addIssue({ code: 'custom', path, message, params: { code } });
}

/** Returns the indexes of values that are in the list before. */
export function repeatsIn(values: readonly unknown[]): number[] {
  return values.flatMap((value, index) => (values.indexOf(value) < index ? [index] : []));
}

export interface Bounds {
  readonly min?: number;
  readonly max?: number;
}

/** Returns a value, or says what is wrong with it. */
type Read<Value> = (value: unknown) => { readonly value: Value } | { readonly complaint: Complaint };

export function field<Value>(read: Read<Value>) {
  return z.unknown().transform((input, context): Value => {
    const result = input === undefined || input === null ? { complaint: REQUIRED } : read(input);
    if ('value' in result) return result.value;
    complain(context, result.complaint);
    return z.NEVER;
  });
}

export function text({ min = 0, max = Number.POSITIVE_INFINITY }: Bounds = {}) {
  return field<string>((value) => {
    if (typeof value !== 'string') {
      const message = `Could not interpret "${JSON.stringify(value)}" as string.`;
      return { complaint: { code: 'STRING_TYPE_CONVERT', message } };
    }
    const { length } = [...value];
    return length < min || length > max ? { complaint: badLength(min, max) } : { value };
  });
}

export function textLike(follows: (value: string) => boolean, complaint: Complaint) {
  return field<string>((value) => (typeof value === 'string' && follows(value) ? { value } : { complaint }));
}

export function integer({ min = -Infinity, max = Infinity }: Bounds = {}) {
  return field<number>((value) =>
    Number.isInteger(value)
      ? withinBounds(Number(value), { min, max }, 'int')
      : { complaint: notCoercible(value, 'int') },
  );
}

export function integerText({ min = -Infinity, max = Infinity }: Bounds = {}) {
  return field<number>((value) =>
    typeof value === 'string' && /^-?[0-9]+$/.test(value)
      ? withinBounds(Number(value), { min, max }, 'int')
      : { complaint: notCoercible(value, 'int') },
  );
}

export function float({ min = -Infinity, max = Infinity }: Bounds = {}) {
  return field<number>((value) =>
    typeof value === 'number'
      ? withinBounds(value, { min, max }, 'float')
      : { complaint: notCoercible(value, 'float') },
  );
}

const NOT_BOOLEAN = { code: 'BOOLEAN_TYPE_CONVERT', message: 'Must be either true or false.' };

export const flag = field<boolean>((value) => (typeof value === 'boolean' ? { value } : { complaint: NOT_BOOLEAN }));

export const flagText = field<boolean>((value) => {
  const found = [/^(false|0)$/i, /^(true|1)$/i].findIndex((pattern) => pattern.test(String(value)));
  return found === -1 ? { complaint: NOT_BOOLEAN } : { value: found === 1 };
});

/** An id, which some libraries send as a number. */
export const id = field<string>((input) => {
  const value = Number.isSafeInteger(input) ? String(input) : input;
  return isId(value) ? { value } : { complaint: notCoercible(input, 'snowflake') };
});

/** Returns whether a value is an id as Discord writes it: an unsigned number of 64 bits without leading zeros. */
export function isId(value: unknown): value is string {
  return typeof value === 'string' && /^(0|[1-9][0-9]{0,19})$/.test(value) && BigInt(value) < 2n ** 64n;
}

/** An address with one of the schemes that Discord shows. */
export function url(max: number) {
  return field<string>((value) => {
    if (typeof value !== 'string' || !URL.canParse(value)) {
      return { complaint: { code: 'URL_TYPE_INVALID_URL', message: 'Not a well formed URL.' } };
    }
    const scheme = new URL(value).protocol.slice(0, -1);
    if (!['http', 'https', 'discord', 'attachment'].includes(scheme)) {
      const message = `Scheme "${scheme}" is not supported. Scheme must be one of ('http', 'https', 'discord').`;
      return { complaint: { code: 'URL_TYPE_INVALID_SCHEME', message } };
    }
    return value.length > max ? { complaint: badLength(0, max) } : { value };
  });
}

const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/;

/** A date and time in ISO 8601, of RFC 3339. `Date.parse` alone takes `1` for a time. */
export const timestamp = field<string>((value) => {
  const time = typeof value === 'string' && DATE_TIME.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isFinite(time)) return { value: new Date(time).toISOString() };
  return { complaint: { code: 'DATE_TIME_TYPE_PARSE', message: `Could not parse ${value}. Should be ISO8601.` } };
});

export function choice<const Value extends string | number>(choices: readonly Value[]) {
  return field<Value>((value) => {
    const found = choices.find((candidate) => candidate === value);
    return found === undefined ? { complaint: notAmong(choices) } : { value: found };
  });
}

export function list<Item extends z.ZodType>(item: Item, { min = 0, max = Number.POSITIVE_INFINITY }: Bounds = {}) {
  const { code, message } = badLength(min, max);
  return z.array(item).refine(({ length }) => length >= min && length <= max, {
    error: message,
    params: { code },
    when: ({ value }) => Array.isArray(value),
  });
}

/** The types of channels that an option or a menu offers. */
export const channelTypes = list(integer({ min: ChannelType.GuildText, max: ChannelType.GuildMedia }));

export function optional<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullish().transform((value): Exclude<z.output<Schema>, null> | undefined => {
    return (value ?? undefined) as Exclude<z.output<Schema>, null> | undefined;
  });
}

function withinBounds(value: number, { min, max }: Required<Bounds>, kind: 'int' | 'float') {
  if (value < min) {
    const message = `${kind} value should be greater than or equal to ${min}.`;
    return { complaint: { code: 'NUMBER_TYPE_MIN', message } };
  }
  if (value > max) {
    const message = `${kind} value should be less than or equal to ${max}.`;
    return { complaint: { code: 'NUMBER_TYPE_MAX', message } };
  }
  return { value };
}

export function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUndefined);
  if (typeof value !== 'object' || value === null) return value;
  const present = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(present.map(([key, inner]) => [key, withoutUndefined(inner)]));
}
