import type { z } from 'zod';
import { LIMITS } from './limits.ts';
import type { ProblemIssue } from './problem.ts';

type ZodIssue = z.core.$ZodIssue;

const MAX_NAME = LIMITS.featureName;

/** Returns the JSON Pointer (RFC 6901) of a field. */
export function pointerTo(path: readonly (string | number)[]): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** Returns the name of a field, cut off where it is longer than any field that the service has. */
export function shortened(name: string): string {
  return name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}...` : name;
}

function issueAt(path: readonly PropertyKey[], message: string): ProblemIssue {
  const keys = path.map((key) => (typeof key === 'number' ? key : shortened(String(key))));
  return { path: keys, pointer: pointerTo(keys), message };
}

/** Returns the issues of a zod error. Each unknown field is an issue of its own. */
export function issuesOf(error: { readonly issues: readonly ZodIssue[] }): ProblemIssue[] {
  return error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => issueAt([...issue.path, key], `unknown field "${shortened(key)}"`))
      : [issueAt(issue.path, issue.message)],
  );
}
