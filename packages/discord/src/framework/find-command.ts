import { folded } from '@guild-settings/contract/settings';
import type { CommandPath, Translator } from '../i18n/translator.ts';
import type { Action, Command } from './command.ts';

export interface FoundAction<Services> {
  readonly command: Command<Services>;
  readonly action: Action<Services>;
  readonly path: CommandPath;
}

/** Finds the action of a slash command by the names in Discord. */
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

/** Finds the action of a button or a form by the keys of its texts. */
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

/** Finds a command by its name in a language, in English or in Discord, ignoring case. */
export function findCommand<Services>(
  commands: readonly Command<Services>[],
  translator: Translator,
  wanted: string,
): Command<Services> | undefined {
  return firstNamed(commands, wanted, ({ name, registeredAs = name }) => namesOf([name], registeredAs, translator));
}

/** Finds a subcommand by its name in a language, in English or in Discord, ignoring case. */
export function findSubcommand<Services>(
  { name, subcommands = {} }: Command<Services>,
  translator: Translator,
  wanted: string,
): readonly [name: string, action: Action<Services>] | undefined {
  return firstNamed(Object.entries(subcommands), wanted, ([one]) => namesOf([name, one], one, translator));
}

/** The names of a command. Displayed names take precedence over names in Discord. */
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

/** Returns true if a bot has a command or subcommand. */
export function hasCommand(commands: readonly Command[], [command, subcommand]: CommandPath): boolean {
  const found = commands.find(({ name }) => name === command);
  return found !== undefined && (subcommand === undefined || Object.hasOwn(found.subcommands ?? {}, subcommand));
}
