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
import type { CommandPath, CommandTexts, Vocabulary } from '../i18n/translator.ts';
import type { Action, Command } from './command.ts';
import type { Option } from './options.ts';

/**
 * Returns commands in the format of Discord's registration: in English, with localizations for the other languages.
 * @see https://discord.com/developers/docs/interactions/application-commands
 */
export function registrationOf(
  commands: readonly Command[],
  vocabulary: Vocabulary,
): RESTPostAPIChatInputApplicationCommandsJSONBody[] {
  return commands.map(({ name, registeredAs = name, forManagers = false, action, subcommands = {} }) => {
    const textsAt = (path: CommandPath) => (language: Language) => vocabulary.commandTexts(language, path);
    return {
      type: ApplicationCommandType.ChatInput,
      ...namesOf(registeredAs, textsAt([name])),
      options: action
        ? optionsOf(action, textsAt([name]))
        : Object.entries(subcommands).map(([subcommand, one]) =>
            subcommandOf(subcommand, one, textsAt([name, subcommand])),
          ),
      contexts: [InteractionContextType.Guild],
      integration_types: [ApplicationIntegrationType.GuildInstall],
      default_member_permissions: forManagers ? String(PERMISSIONS.MANAGE_GUILD) : null,
    };
  });
}

type TextsOf = (language: Language) => CommandTexts | undefined;

function subcommandOf(name: string, action: Action, texts: TextsOf): APIApplicationCommandOption {
  return {
    type: ApplicationCommandOptionType.Subcommand,
    ...namesOf(name, texts),
    options: optionsOf(action, texts),
  };
}

function optionsOf(action: Action, texts: TextsOf): APIApplicationCommandBasicOption[] {
  return Object.entries(action.options).map(([name, option]) => ({
    ...namesOf(name, (language) => texts(language)?.options?.[name]),
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

function namesOf(name: string, texts: TextsOf) {
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
