import { folded } from '@guild-settings/contract/settings';
import type { Language } from '../i18n/translator.ts';
import type { Action, Command } from './command.ts';
import { type CommandPath, textsOf } from './command-texts.ts';

export interface FoundAction {
  readonly command: Command;
  readonly action: Action;
  readonly path: CommandPath;
}

export function findAction(
  commands: readonly Command[],
  name: string,
  subcommand: string | null,
): FoundAction | undefined {
  const command = commands.find((candidate) => candidate.name === name);
  if (command?.action) return { command, action: command.action, path: [command.name] };
  if (command?.subcommands === undefined || subcommand === null) return undefined;
  const action = Object.hasOwn(command.subcommands, subcommand) ? command.subcommands[subcommand] : undefined;
  return action && { command, action, path: [command.name, subcommand] };
}

export function findCommand(commands: readonly Command[], language: Language, wanted: string): Command | undefined {
  const typed = folded(wanted);
  return commands.find(({ name }) => name === typed || folded(textsOf(language, [name]).name) === typed);
}

/** Finds a subcommand by its name in a language or in English, without regard to case. */
export function findSubcommand(
  { name, subcommands = {} }: Command,
  language: Language,
  wanted: string,
): readonly [name: string, action: Action] | undefined {
  const typed = folded(wanted);
  return Object.entries(subcommands).find(
    ([subcommand]) => subcommand === typed || folded(textsOf(language, [name, subcommand]).name) === typed,
  );
}
