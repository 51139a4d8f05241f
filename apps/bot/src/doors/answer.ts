import { randomUUID } from 'node:crypto';
import type { Action } from '../commands/command.ts';
import type { Invocation } from '../commands/invocation.ts';
import type { RawOptions } from '../commands/options.ts';
import { Refusal } from '../commands/refusal.ts';
import type { Services } from '../commands/services.ts';

/** What the bot says to somebody's use of a command. */
export interface Answer {
  readonly content: string;
  readonly outcome: 'done' | 'refused' | 'failed';
}

/** Discord's limit for a message, in UTF-16 code units at the most. */
const LONGEST = 2_000;

/** How an action is used, and what is told of it. */
export interface Attempt {
  readonly action: Action;
  readonly invocation: Invocation;
  /** Throws Refusal. */
  readonly readOptions: () => RawOptions;
  readonly services: Services;
  /** Told of errors that are nobody's who used the command, with the reference that they were given. */
  readonly onError: (error: unknown, reference: string) => void;
}

/** Has an action done. Whatever happens, there is something to say. */
export async function answerOf({ action, invocation, readOptions, services, onError }: Attempt): Promise<Answer> {
  try {
    const content = await action.execute(invocation, readOptions, services);
    return { content: content.slice(0, LONGEST), outcome: 'done' };
  } catch (error) {
    if (error instanceof Refusal) return { content: error.message.slice(0, LONGEST), outcome: 'refused' };
    const reference = randomUUID().slice(0, 8);
    onError(error, reference);
    return { content: invocation.speech.t('errors.unexpected', { reference }), outcome: 'failed' };
  }
}
