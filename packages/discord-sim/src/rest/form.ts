import { ChannelType, RESTJSONErrorCodes } from 'discord-api-types/v10';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { parseJson, record } from '../json.ts';
import { type FieldError, invalidField, invalidForm, refusal } from './error-body.ts';

type Complaint = Pick<FieldError, 'code' | 'message'>;

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

/** Adds an error to those of a form, with its path in the refined value. */
export function complain(
  context: Pick<z.core.$RefinementCtx, 'addIssue'>,
  { code, message }: Complaint,
  path: PropertyKey[] = [],
): void {
  context.addIssue({ code: 'custom', path, message, params: { code } });
}

export function repeatsIn(values: readonly unknown[]): number[] {
  return values.flatMap((value, index) => (values.indexOf(value) < index ? [index] : []));
}

interface Bounds {
  readonly min?: number;
  readonly max?: number;
}

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

function numeric(kind: 'int' | 'float', read: (value: unknown) => number | null) {
  return ({ min = -Infinity, max = Infinity }: Bounds = {}) =>
    field<number>((input) => {
      const value = read(input);
      if (value === null) return { complaint: notCoercible(input, kind) };
      const complain = (code: string, bound: string) => ({
        complaint: { code, message: `${kind} value should be ${bound}.` },
      });
      if (value < min) return complain('NUMBER_TYPE_MIN', `greater than or equal to ${min}`);
      return value > max ? complain('NUMBER_TYPE_MAX', `less than or equal to ${max}`) : { value };
    });
}

export const integer = numeric('int', (value) => (Number.isInteger(value) ? Number(value) : null));

export const integerText = numeric('int', (value) =>
  typeof value === 'string' && /^-?[0-9]+$/.test(value) ? Number(value) : null,
);

export const float = numeric('float', (value) => (typeof value === 'number' ? value : null));

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

/** Returns true if a value is an id in Discord's form: an unsigned 64-bit number without leading zeros. */
function isId(value: unknown): value is string {
  return typeof value === 'string' && /^(0|[1-9][0-9]{0,19})$/.test(value) && BigInt(value) < 2n ** 64n;
}

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

/** An ISO 8601 date and time according to RFC 3339. `Date.parse` alone would accept `1`. */
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

export const channelTypes = list(integer({ min: ChannelType.GuildText, max: ChannelType.GuildMedia }));

export function optional<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullish().transform((value): Exclude<z.output<Schema>, null> | undefined => {
    return (value ?? undefined) as Exclude<z.output<Schema>, null> | undefined;
  });
}

export function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUndefined);
  if (typeof value !== 'object' || value === null) return value;
  const present = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(present.map(([key, inner]) => [key, withoutUndefined(inner)]));
}

/**
 * @param at - the position of the value in the form, for the paths of errors
 * @throws {RestRefusal} 400 (50035) with the errors of all fields
 */
export function readForm<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  at: readonly PropertyKey[] = [],
): z.output<Schema> {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  throw invalidForm(result.error.issues.map((issue) => fieldError(issue, at)));
}

function fieldError(issue: z.core.$ZodIssue, at: readonly PropertyKey[]): FieldError {
  return { path: [...at, ...issue.path], ...complaint(issue) };
}

function complaint(issue: z.core.$ZodIssue): Complaint {
  switch (issue.code) {
    case 'custom':
      return { code: String(issue.params?.code), message: issue.message };
    case 'invalid_union':
      return noVariant(issue);
    case 'invalid_key':
      return { code: 'DICT_TYPE_KEY', message: issue.issues[0]?.message ?? issue.message };
    case 'invalid_type':
      return issue.input === undefined || issue.input === null ? REQUIRED : wrongContainer(issue.expected);
    default:
      return { code: 'BASE_TYPE_INVALID', message: issue.message };
  }
}

function noVariant(issue: z.core.$ZodIssueInvalidUnion): Complaint {
  const { discriminator, input } = issue;
  const given = (input as Readonly<Record<string, unknown>> | undefined)?.[discriminator ?? ''];
  if (given === undefined || given === null) return REQUIRED;
  const choices = 'options' in issue ? (issue.options ?? []) : [];
  const message = `Value of field "${discriminator}" must be one of (${choices.map(String).join(', ')}).`;
  return { code: 'UNION_TYPE_CHOICES', message };
}

function wrongContainer(expected: string): Complaint {
  switch (expected) {
    case 'array':
      return { code: 'LIST_TYPE_CONVERT', message: 'Only iterables may be used in a ListType' };
    case 'record':
      return { code: 'DICT_TYPE_CONVERT', message: 'Only dictionaries may be used in a DictType' };
    default:
      return { code: 'MODEL_TYPE_CONVERT', message: 'Expected an object/dictionary.' };
  }
}

/** @throws {RestRefusal} 400 (50035) with the invalid ids in the path */
export function checkPathIds({ params }: Pick<FastifyRequest, 'params'>): void {
  const errors = Object.entries(record(params)).flatMap(([name, value]) =>
    name.endsWith('Id') && !isId(value) ? [{ path: [snakeCase(name)], ...notCoercible(value, 'snowflake') }] : [],
  );
  if (errors.length > 0) throw invalidForm(errors);
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/**
 * Parses JSON bodies only. An empty body counts as absent.
 *
 * @see https://discord.com/developers/docs/reference#http-api
 */
export function acceptJson(api: FastifyInstance): void {
  api.removeAllContentTypeParsers();
  api.addContentTypeParser('application/json', { parseAs: 'string' }, async (_: unknown, body: string) => {
    return body === '' ? undefined : parsed(body);
  });
  api.addContentTypeParser('*', { parseAs: 'string' }, async (_: unknown, body: string) => {
    if (body === '') return undefined;
    const message = 'Expected "Content-Type" header to be one of {\'application/json\'}.';
    throw invalidField([], 'CONTENT_TYPE_INVALID', message);
  });
}

function parsed(body: string): unknown {
  try {
    return parseJson(body);
  } catch {
    throw refusal(400, RESTJSONErrorCodes.RequestBodyContainsInvalidJSON, 'The request body contains invalid JSON.');
  }
}
