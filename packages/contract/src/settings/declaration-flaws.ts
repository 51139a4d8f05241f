import type { z } from 'zod';
import { EXPECTED, pointerTo, shortened } from '../issues.ts';
import type { ProblemIssue } from '../problem.ts';

/** The path to a part of a declaration: `['settings', 'xpRate', 'min']`. */
export type Path = readonly (string | number)[];

/** Collects all flaws of a declaration. */
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

  /** Parses a value by its schema; undefined: it has flaws, which are added. */
  parse<Schema extends z.ZodType>(path: Path, schema: Schema, value: unknown): z.output<Schema> | undefined {
    const { data, error } = schema.safeParse(value, EXPECTED);
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
