import type { Language } from '../i18n/translator.ts';
import type { Action, Command } from './command.ts';
import { textsOf } from './command-texts.ts';

/** The command of a name, in the language or in English; names are compared without regard to case. */
export function findCommand(commands: readonly Command[], language: Language, wanted: string): Command | undefined {
  const typed = fold(wanted);
  return commands.find(({ name }) => name === typed || fold(textsOf(language, [name]).name) === typed);
}

/** The subcommand of a name, in the language or in English. */
export function findSubcommand(
  { name, subcommands = {} }: Command,
  language: Language,
  wanted: string,
): readonly [name: string, action: Action] | undefined {
  const typed = fold(wanted);
  return Object.entries(subcommands).find(
    ([subcommand]) => subcommand === typed || fold(textsOf(language, [name, subcommand]).name) === typed,
  );
}

/** One form for what people take to be the same word: without regard to case, width, accents and nuktas. */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f\u093c]/gu, '')
    .toLowerCase();
}
