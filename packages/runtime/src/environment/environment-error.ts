/** An unusable environment variable. */
export interface EnvironmentIssue {
  readonly key: string;
  /** The expectation, and the received text without the value of a secret. */
  readonly message: string;
}

/** Thrown when environment variables are unusable. `issues` lists all of them; `message` has a line for each. */
export class EnvironmentError extends Error {
  override readonly name = 'EnvironmentError';
  readonly issues: readonly EnvironmentIssue[];

  /** @param hint a last line that tells the operator what to do */
  constructor(issues: readonly EnvironmentIssue[], hint?: string) {
    const lines = issues.map(({ key, message }) => `  ${key}: ${message}`);
    super(['The environment is not usable:', ...lines, ...(hint === undefined ? [] : [hint])].join('\n'));
    this.issues = issues;
  }
}
