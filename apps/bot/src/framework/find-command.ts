import { fold } from '../i18n/text.ts';
import type { Language } from '../i18n/translator.ts';
import type { Action, Command } from './command.ts';
import { textsOf } from './command-texts.ts';

/** Finds a command by its name in a language or in English, without regard to case. */
export function findCommand(commands: readonly Command[], language: Language, wanted: string): Command | undefined {
  const typed = fold(wanted);
  return commands.find(({ name }) => name === typed || fold(textsOf(language, [name]).name) === typed);
}

/** Finds a subcommand by its name in a language or in English, without regard to case. */
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
