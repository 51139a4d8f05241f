import { randomUUID } from 'node:crypto';
import { Refusal } from '../../i18n/text.ts';
import type { CommandName } from '../command.ts';
import { nameOf } from '../command-texts.ts';
import type { Invocation, Reply } from '../invocation.ts';

export interface CommandReply extends Reply {
  readonly outcome: 'done' | 'refused' | 'failed';
}

/** Discord's limit for a message, in code points. */
const MAX_LENGTH = 2_000;

export interface ActionRun {
  readonly invocation: Invocation;
  readonly perform: () => Promise<Reply>;
  readonly onError: (error: unknown, reference: string) => void;
}

export async function runAction(run: ActionRun): Promise<CommandReply> {
  const { invocation, perform, onError } = run;
  try {
    const reply = await perform();
    return { ...reply, content: truncate(reply.content), outcome: 'done' };
  } catch (error) {
    if (error instanceof Refusal) return { content: truncate(error.message), outcome: 'refused' };
    const reference = randomUUID().slice(0, 8);
    onError(error, reference);
    return { content: invocation.translator.t('errors.unexpected', { reference }), outcome: 'failed' };
  }
}

export function cooldownReply(invocation: Invocation, command: CommandName, waitMs: number) {
  // Rounded up to whole seconds: a use after them is allowed.
  const relative = invocation.translator.relative(Math.ceil(waitMs / 1_000) * 1_000);
  const content = invocation.translator.t('errors.tooOften', { command: nameOf(invocation, [command]), relative });
  return { content, outcome: 'limited' as const };
}

/** Cuts a text to the length of a message, after a whole line or word if one ends in its second half. */
export function truncate(content: string): string {
  const characters = [...content];
  if (characters.length <= MAX_LENGTH) return content;
  const kept = characters.slice(0, MAX_LENGTH - 1).join('');
  const end = [kept.lastIndexOf('\n'), kept.lastIndexOf(' ')].find((place) => place > kept.length / 2) ?? kept.length;
  return `${kept.slice(0, end)}…`;
}
