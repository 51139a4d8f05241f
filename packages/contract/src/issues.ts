import type { z } from 'zod';
import { LIMITS } from './limits.ts';
import type { ProblemIssue } from './problem.ts';
import { counted } from './settings/flaw.ts';

type ZodIssue = z.core.$ZodIssue;

const MAX_NAME = LIMITS.featureName;

/** Returns the JSON Pointer (RFC 6901) of a field. */
export function pointerTo(path: readonly (string | number)[]): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** Returns the name of a field, cut off if it is longer than any field of the service. */
export function shortened(name: string): string {
  return name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}...` : name;
}

function issueAt(path: readonly PropertyKey[], message: string): ProblemIssue {
  const keys = path.map((key) => (typeof key === 'number' ? key : shortened(String(key))));
  return { path: keys, pointer: pointerTo(keys), message };
}

/** Returns the issues of a zod error. Each unknown field is a separate issue. */
export function issuesOf(error: { readonly issues: readonly ZodIssue[] }): ProblemIssue[] {
  return error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => issueAt([...issue.path, key], `unknown field "${shortened(key)}"`))
      : [issueAt(issue.path, issue.message)],
  );
}

const NOUNS: Readonly<Record<string, string>> = {
  object: 'an object',
  record: 'an object',
  string: 'a string',
  boolean: 'true or false',
  int: 'an integer',
  number: 'a number',
  array: 'an array',
};

/** Options of `safeParse`: the message of an issue whose schema has none. zod's own messages have another style. */
export const EXPECTED = { error: expected } as const;

function expected(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return `expected ${NOUNS[typeIn(issue)] ?? issue.expected}, received ${shown(issue.input)}`;
    case 'invalid_value':
      return `expected ${oneOf(issue.values)}, received ${shown(issue.input)}`;
    case 'invalid_union':
      return Array.isArray(issue.options) ? `expected ${oneOf(issue.options)}` : undefined;
    case 'unrecognized_keys':
      return `unknown field; expected ${oneOf(Object.keys((issue.inst as z.ZodObject).shape))}`;
    case 'too_small':
      return `expected at least ${amountOf(issue.minimum, issue)}, received ${sizeOf(issue)}`;
    case 'too_big':
      return `expected at most ${amountOf(issue.maximum, issue)}, received ${sizeOf(issue)}`;
    default:
      return undefined;
  }
}

/** Returns the expected type. zod reports a number if an integer has another type. */
function typeIn({ expected: type, inst }: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidType>): string {
  return type === 'number' && inst !== undefined && 'format' in inst._zod.def ? 'int' : type;
}

/** Returns alternatives for a message: `a`, or `one of a, b`. */
export function oneOf(values: readonly unknown[]): string {
  return values.length === 1 ? String(values[0]) : `one of ${values.join(', ')}`;
}

export function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'string') return JSON.stringify(shortened(value));
  if (typeof value === 'object' && value !== null) return 'an object';
  return typeof value === 'function' ? 'a function' : String(value);
}

/** The issue of a number, or of the length of a string or an array. */
interface Sized {
  readonly origin: string;
  readonly input?: unknown;
}

function amountOf(limit: number | bigint, { origin }: Sized): string {
  if (origin === 'array') return counted(Number(limit), 'item');
  return origin === 'string' ? counted(Number(limit), 'character') : String(limit);
}

function sizeOf({ input }: Sized): string {
  return typeof input === 'string' || Array.isArray(input) ? input.length.toLocaleString('en') : shown(input);
}
