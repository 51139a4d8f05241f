import { code, wordFor } from '../i18n/text.ts';
import type { Language } from '../i18n/translator.ts';
import { LOCALES } from '../i18n/translator.ts';
import type { CommandName } from './command.ts';
import type { Invocation } from './invocation.ts';

/** Texts of a command, a subcommand or an option in one language. */
export interface CommandTexts {
  readonly name: string;
  readonly description: string;
  readonly options?: Readonly<Record<string, CommandTexts>>;
  readonly subcommands?: Readonly<Record<string, CommandTexts>>;
}

/** English name of a command, and of a subcommand if it has any. */
export type CommandPath = readonly [command: CommandName, subcommand?: string];

/** Returns the texts of a command or subcommand. */
export function textsOf(language: Language, [command, subcommand]: CommandPath): CommandTexts {
  const texts: CommandTexts = LOCALES[language].commands[command];
  return subcommand === undefined ? texts : (texts.subcommands?.[subcommand] ?? texts);
}

/** Returns how a command is typed in the invocation's guild, as code. */
export function nameOf(
  { translator: { language }, prefix }: Invocation,
  path: CommandPath,
  ...values: string[]
): string {
  const [command, subcommand] = path;
  const names = [textsOf(language, [command]).name];
  if (subcommand !== undefined) names.push(textsOf(language, path).name);
  return code(`${prefix}${[...names, ...values.map((value) => wordFor(language, value))].join(' ')}`);
}
