import { type ProblemIssue, pointerTo } from '@guild-settings/contract';

/** A flaw of a declaration, or of its file where the path is empty. */
export type DeclarationFlaw = Pick<ProblemIssue, 'path' | 'message'>;

/** Thrown when a file is not a declaration of settings. `message` has a line for each flaw. */
export class DeclarationError extends Error {
  override readonly name = 'DeclarationError';
  readonly flaws: readonly DeclarationFlaw[];

  constructor(file: string, flaws: readonly DeclarationFlaw[]) {
    const lines = flaws.map(({ path, message }) => `  ${[pointerTo(path), message].filter(Boolean).join(': ')}`);
    super([`${file} is not usable as a declaration of settings:`, ...lines].join('\n'));
    this.flaws = flaws;
  }
}
