import { ProblemError } from '@guild-settings/contract';

export function malformedHeader(name: string, expected: string): ProblemError {
  return new ProblemError('invalid-request', {
    detail: `The header ${name} is malformed: ${expected}.`,
    issues: [{ path: [name], pointer: `/${name}`, message: expected }],
  });
}
