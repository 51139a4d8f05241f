import { LANGUAGES, type Language, PERMISSIONS } from '@guild-settings/contract';
import {
  type APIApplicationCommandBasicOption,
  type APIApplicationCommandOption,
  ApplicationCommandOptionType,
  ApplicationCommandType,
  ApplicationIntegrationType,
  InteractionContextType,
  type LocalizationMap,
  type RESTPostAPIChatInputApplicationCommandsJSONBody,
} from 'discord.js';
import type { Action, Command } from './command.ts';
import { type CommandPath, type CommandTexts, type Option, textsOf } from './options.ts';

/**
 * Returns commands in the format of Discord's registration: in English, with localizations for the other languages.
 * @see https://discord.com/developers/docs/interactions/application-commands
 */
export function registrationOf(commands: readonly Command[]): RESTPostAPIChatInputApplicationCommandsJSONBody[] {
  return commands.map(({ name, forManagers = false, action, subcommands = {} }) => ({
    type: ApplicationCommandType.ChatInput,
    ...namesOf(name, (language) => textsOf(language, [name])),
    options: action ? optionsOf(action, [name]) : subcommandsOf(name, subcommands),
    contexts: [InteractionContextType.Guild],
    integration_types: [ApplicationIntegrationType.GuildInstall],
    default_member_permissions: forManagers ? String(PERMISSIONS.MANAGE_GUILD) : null,
  }));
}

function subcommandsOf(
  command: Command['name'],
  subcommands: Readonly<Record<string, Action>>,
): APIApplicationCommandOption[] {
  return Object.entries(subcommands).map(([name, action]) => ({
    type: ApplicationCommandOptionType.Subcommand,
    ...namesOf(name, (language) => textsOf(language, [command, name])),
    options: optionsOf(action, [command, name]),
  }));
}

function optionsOf(action: Action, path: CommandPath): APIApplicationCommandBasicOption[] {
  return Object.entries(action.options).map(([name, option]) => ({
    ...namesOf(name, (language) => textsOf(language, path).options?.[name]),
    required: option.required,
    ...kindOf(option, action.suggest(name) !== undefined),
  }));
}

const MAX_SETTING_NAME = 100;

function kindOf(option: Option, autocomplete: boolean) {
  const suggested = autocomplete ? { autocomplete } : {};
  switch (option.kind) {
    case 'text':
      return { type: ApplicationCommandOptionType.String as const, max_length: option.maxLength, ...suggested };
    case 'number':
      return { type: ApplicationCommandOptionType.Integer as const, min_value: 1 };
    case 'setting':
      return { type: ApplicationCommandOptionType.String as const, max_length: MAX_SETTING_NAME, ...suggested };
  }
}

function namesOf(name: string, texts: (language: Language) => CommandTexts | undefined) {
  return {
    name,
    name_localizations: localized((language) => texts(language)?.name),
    description: texts('en-US')?.description ?? name,
    description_localizations: localized((language) => texts(language)?.description),
  };
}

/** Returns a text in each language but English. Discord's two kinds of Spanish have the same text. */
function localized(text: (language: Language) => string | undefined): LocalizationMap {
  const others = LANGUAGES.filter((language) => language !== 'en-US');
  const map: LocalizationMap = Object.fromEntries(others.map((language) => [language, text(language)]));
  return { ...map, 'es-419': map['es-ES'] ?? null };
}
