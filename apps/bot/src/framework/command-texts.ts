import { code, wordFor } from '../i18n/text.ts';
import { type Language, LOCALES } from '../i18n/translator.ts';
import type { CommandName } from './command.ts';
import type { Invocation } from './invocation.ts';
import type { Option, OptionSet } from './options.ts';

export interface CommandTexts {
  readonly name: string;
  readonly description: string;
  readonly options?: Readonly<Record<string, CommandTexts>>;
  readonly subcommands?: Readonly<Record<string, CommandTexts>>;
}

export type CommandPath = readonly [command: CommandName, subcommand?: string];

export function textsOf(language: Language, [command, subcommand]: CommandPath): CommandTexts {
  const texts: CommandTexts = LOCALES[language].commands[command];
  return subcommand === undefined ? texts : (texts.subcommands?.[subcommand] ?? texts);
}

type NamePlace = Pick<Invocation, 'translator' | 'prefix'>;

/** Returns how a command is typed in the invocation's guild, as code. */
export function nameOf(invocation: NamePlace, path: CommandPath, ...values: string[]): string {
  return code(typedName(invocation, path, values));
}

function typedName({ translator: { language }, prefix }: NamePlace, path: CommandPath, values: string[]): string {
  const [command, subcommand] = path;
  const names = [textsOf(language, [command]).name];
  if (subcommand !== undefined) names.push(textsOf(language, path).name);
  return `${prefix}${[...names, ...values.map((value) => wordFor(language, value))].join(' ')}`;
}

/** Returns how a slash command is typed, as code. */
export function slashNameOf(invocation: Invocation, path: CommandPath, ...values: string[]): string {
  return nameOf({ ...invocation, prefix: '/' }, path, ...values);
}

/** Returns how an action is typed, as code: `!settings set <setting> <value>`. */
export function usageOf(invocation: Invocation, path: CommandPath, options: OptionSet): string {
  const texts = textsOf(invocation.translator.language, path).options ?? {};
  const placeholders = Object.entries(options).map(([name, option]) => placeholder(texts[name]?.name ?? name, option));
  return code([typedName(invocation, path, []), ...placeholders].join(' '));
}

function placeholder(name: string, option: Option): string {
  if (option.kind === 'text' && option.takes === 'named') return `[--${name}=…]`;
  return option.required ? `<${name}>` : `[${name}]`;
}
