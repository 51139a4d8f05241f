import type { z } from 'zod';
import { pointerTo, shortened } from '../issues.ts';
import type { ProblemIssue } from '../problem.ts';

/** The way to a part of a declaration: `['settings', 'xpRate', 'min']`. */
export type Path = readonly (string | number)[];

const NOUNS: Readonly<Record<string, string>> = {
  object: 'an object',
  string: 'a text',
  int: 'an integer',
  number: 'an integer',
  array: 'a list',
};

/** Collects all that is not valid in a declaration. */
export class DeclarationFlaws {
  readonly all: ProblemIssue[] = [];

  add(path: Path, message: string): void {
    const keys = shortKeys(path);
    this.all.push({ path: keys, pointer: pointerTo(keys), message });
  }

  hasAt(path: Path): boolean {
    const pointer = pointerTo(shortKeys(path));
    return this.all.some((flaw) => flaw.pointer === pointer || flaw.pointer.startsWith(`${pointer}/`));
  }

  /** Returns a value by its schema; undefined: it has flaws, which are added. */
  parse<Schema extends z.ZodType>(path: Path, schema: Schema, value: unknown): z.output<Schema> | undefined {
    const { data, error } = schema.safeParse(value, { error: expected });
    for (const issue of error?.issues ?? []) {
      const at = [...path, ...(issue.path as (string | number)[])];
      if (issue.code !== 'unrecognized_keys') this.add(at, issue.message);
      else for (const key of issue.keys) this.add([...at, key], issue.message);
    }
    return data;
  }
}

function shortKeys(path: Path): (string | number)[] {
  return path.map((key) => (typeof key === 'number' ? key : shortened(key)));
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns a value for a message. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (isObject(value)) return 'an object';
  if (typeof value === 'string') return JSON.stringify(shortened(value));
  return typeof value === 'function' ? 'a function' : String(value);
}

/** Returns the message of an issue that the schema has no message of its own for. */
function expected(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return `expected ${NOUNS[issue.expected] ?? issue.expected}, received ${shown(issue.input)}`;
    case 'invalid_value':
      return `expected ${oneOf(issue.values)}, received ${shown(issue.input)}`;
    case 'unrecognized_keys':
      return `unknown field; expected ${oneOf(Object.keys((issue.inst as z.ZodObject).shape))}`;
    case 'too_small':
      return `expected at least ${issue.minimum}${itemsOf(issue)}, received ${countOf(issue)}`;
    case 'too_big':
      return `expected at most ${issue.maximum}${itemsOf(issue)}, received ${countOf(issue)}`;
    default:
      return undefined;
  }
}

/** Returns an enumeration for a message: `a`, or `one of a, b`. */
export function oneOf(values: readonly unknown[]): string {
  return values.length === 1 ? String(values[0]) : `one of ${values.join(', ')}`;
}

function itemsOf({ origin }: { readonly origin?: unknown }): string {
  return origin === 'array' ? ' items' : '';
}

function countOf({ input }: { readonly input?: unknown }): string {
  return Array.isArray(input) ? String(input.length) : shown(input);
}
