import type { CommandName } from '../commands/command.ts';
import { nameOf } from '../commands/command-texts.ts';
import type { Invocation } from '../commands/invocation.ts';

/** The text for a person who used a command too often. */
export function tooOften(invocation: Invocation, command: CommandName, waitMs: number): string {
  // Whole seconds, rounded up: what is used after them is allowed.
  const relative = invocation.speech.relative(Math.ceil(waitMs / 1_000) * 1_000);
  return invocation.speech.t('errors.tooOften', { command: nameOf(invocation, [command]), relative });
}
