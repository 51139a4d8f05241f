import { randomUUID } from 'node:crypto';
import { Refusal } from '../../i18n/refusal.ts';
import type { Action } from '../command.ts';
import type { Invocation } from '../invocation.ts';
import type { RawOptions } from '../options.ts';
import type { Services } from '../services.ts';

/** What the bot says to somebody's use of a command. */
export interface Answer {
  readonly content: string;
  readonly outcome: 'done' | 'refused' | 'failed';
}

/** Discord's limit for a message, in code points. */
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
export async function runAction({ action, invocation, readOptions, services, onError }: Attempt): Promise<Answer> {
  try {
    const content = await action.execute(invocation, readOptions, services);
    return { content: cut(content), outcome: 'done' };
  } catch (error) {
    if (error instanceof Refusal) return { content: cut(error.message), outcome: 'refused' };
    const reference = randomUUID().slice(0, 8);
    onError(error, reference);
    return { content: invocation.translator.t('errors.unexpected', { reference }), outcome: 'failed' };
  }
}

/** As much as a message holds: whole lines where there are any, else whole words or at least whole characters. */
function cut(content: string): string {
  const letters = [...content];
  if (letters.length <= LONGEST) return content;
  const kept = letters.slice(0, LONGEST - 1).join('');
  const end = [kept.lastIndexOf('\n'), kept.lastIndexOf(' ')].find((place) => place > kept.length / 2) ?? kept.length;
  return `${kept.slice(0, end)}…`;
}
