import type { CommandName } from '../command.ts';
import { nameOf } from '../command-texts.ts';
import type { Invocation } from '../invocation.ts';

/** The text for a person who used a command too often. */
export function cooldownReply(invocation: Invocation, command: CommandName, waitMs: number): string {
  // Whole seconds, rounded up: what is used after them is allowed.
  const relative = invocation.translator.relative(Math.ceil(waitMs / 1_000) * 1_000);
  return invocation.translator.t('errors.tooOften', { command: nameOf(invocation, [command]), relative });
}
