import { folded } from '@guild-settings/contract/settings';
import type { CommandPath, Translator } from '../i18n/translator.ts';
import type { Action, Command } from './command.ts';

export interface FoundAction<Services> {
  readonly command: Command<Services>;
  readonly action: Action<Services>;
  readonly path: CommandPath;
}

/** Finds what a slash command does, by the names with which Discord knows it. */
export function findSlashAction<Services>(
  commands: readonly Command<Services>[],
  registeredName: string,
  subcommand: string | null,
): FoundAction<Services> | undefined {
  return actionIn(
    commands.find(({ name, registeredAs = name }) => registeredAs === registeredName),
    subcommand,
  );
}

/** Finds what a button or a form belongs to, by the keys of its texts. */
export function findAction<Services>(
  commands: readonly Command<Services>[],
  name: string,
  subcommand: string | null,
): FoundAction<Services> | undefined {
  return actionIn(
    commands.find((candidate) => candidate.name === name),
    subcommand,
  );
}

function actionIn<Services>(
  command: Command<Services> | undefined,
  subcommand: string | null,
): FoundAction<Services> | undefined {
  if (command?.action) return { command, action: command.action, path: [command.name] };
  if (command?.subcommands === undefined || subcommand === null) return undefined;
  const action = Object.hasOwn(command.subcommands, subcommand) ? command.subcommands[subcommand] : undefined;
  return action && { command, action, path: [command.name, subcommand] };
}

/** Finds a command by its name in a language, in English or in Discord, without regard to case. */
export function findCommand<Services>(
  commands: readonly Command<Services>[],
  translator: Translator,
  wanted: string,
): Command<Services> | undefined {
  return firstNamed(commands, wanted, ({ name, registeredAs = name }) => namesOf([name], registeredAs, translator));
}

/** Finds a subcommand by its name in a language, in English or in Discord, without regard to case. */
export function findSubcommand<Services>(
  { name, subcommands = {} }: Command<Services>,
  translator: Translator,
  wanted: string,
): readonly [name: string, action: Action<Services>] | undefined {
  return firstNamed(Object.entries(subcommands), wanted, ([one]) => namesOf([name, one], one, translator));
}

/** The names of a command. One that people see is meant before one that Discord knows. */
type Names = readonly [inLanguage: string, inEnglish: string, inDiscord: string];

function namesOf(path: CommandPath, registeredName: string, { vocabulary, language }: Translator): Names {
  const [inLanguage, inEnglish] = [language, 'en-US'].map((one) => vocabulary.commandTexts(one, path).name);
  return [inLanguage ?? registeredName, inEnglish ?? registeredName, registeredName];
}

function firstNamed<One>(all: readonly One[], wanted: string, namesOf: (one: One) => Names): One | undefined {
  const typed = folded(wanted);
  const found = [0, 1, 2].map((index) => all.find((one) => folded(namesOf(one)[index] ?? '') === typed));
  return found.find((one) => one !== undefined);
}

/** Returns whether a bot has a command, or a subcommand of one. */
export function hasCommand(commands: readonly Command[], [command, subcommand]: CommandPath): boolean {
  const found = commands.find(({ name }) => name === command);
  return found !== undefined && (subcommand === undefined || Object.hasOwn(found.subcommands ?? {}, subcommand));
}
