import { ProblemError } from '@guild-settings/contract';

/** Creates the problem of a request header that does not have the expected form. */
export function malformedHeader(name: string, expected: string): ProblemError {
  return new ProblemError('invalid-request', {
    detail: `The header ${name} is malformed: ${expected}.`,
    issues: [{ path: [name], pointer: `/${name}`, message: expected }],
  });
}
