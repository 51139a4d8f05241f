import { LABEL_LANGUAGES, PERMISSIONS } from '@guild-settings/contract';
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
    const textsAt = (path: CommandPath) => (locale: string) =>
      vocabulary.commandTexts(vocabulary.languageOf(locale) ?? 'en-US', path);
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

/** Returns the texts for people with a Discord locale. */
type TextsOf = (locale: string) => CommandTexts | undefined;

function subcommandOf(name: string, action: Action, texts: TextsOf): APIApplicationCommandOption {
  return {
    type: ApplicationCommandOptionType.Subcommand,
    ...namesOf(name, texts),
    options: optionsOf(action, texts),
  };
}

function optionsOf(action: Action, texts: TextsOf): APIApplicationCommandBasicOption[] {
  return Object.entries(action.options).map(([name, option]) => ({
    ...namesOf(name, (locale) => texts(locale)?.options?.[name]),
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
    case 'group':
      return { type: ApplicationCommandOptionType.String as const, max_length: MAX_SETTING_NAME, ...suggested };
  }
}

function namesOf(name: string, texts: TextsOf) {
  const english = texts('en-US');
  const all = LABEL_LANGUAGES.map((locale) => [locale, texts(locale)] as const);
  const others = all.filter(([, one]) => one !== english);
  return {
    name,
    // Interactions contain this name, regardless of the displayed one.
    name_localizations: localized(english?.name === name ? others : all, 'name'),
    description: english?.description ?? name,
    description_localizations: localized(others, 'description'),
  };
}

function localized(
  texts: readonly (readonly [locale: string, CommandTexts | undefined])[],
  text: 'name' | 'description',
): LocalizationMap {
  return Object.fromEntries(texts.map(([locale, one]) => [locale, one?.[text]]));
}

/** @see https://docs.discord.com/developers/interactions/application-commands#application-command-object-application-command-naming */
const NAME = /^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$/u;
const MAX_DESCRIPTION = 100;

type Registered = Pick<
  APIApplicationCommandOption,
  'name' | 'name_localizations' | 'description' | 'description_localizations'
> & { readonly options?: readonly Registered[] };

/** @throws TypeError that lists the names and descriptions that Discord does not accept */
export function requireRegistrable(command: RESTPostAPIChatInputApplicationCommandsJSONBody): void {
  const flaws = new Set(registrationFlaws(command as Registered, ''));
  if (flaws.size > 0) throw new TypeError(`Expected a command that Discord accepts: ${[...flaws].join('; ')}`);
}

function* registrationFlaws(command: Registered, parent: string): Iterable<string> {
  const { name, options = [] } = command;
  const path = `${parent}/${name}`;
  for (const [text, where] of textsOf(name, command.name_localizations)) {
    if (NAME.test(text) && text === text.toLowerCase()) continue;
    yield `the name ${JSON.stringify(text)} of ${path}${where} is not 1 to 32 letters, digits, - and _ in lower case`;
  }
  for (const [text, where] of textsOf(command.description, command.description_localizations)) {
    const length = [...text].length;
    if (length > MAX_DESCRIPTION) yield `the description of ${path}${where} has ${length} characters, more than 100`;
  }
  const shared = new Map<string, string[]>();
  for (const locale of LABEL_LANGUAGES) {
    const names = options.map((option) => option.name_localizations?.[locale] ?? option.name);
    for (const one of new Set(names.filter((shown, index) => names.indexOf(shown) !== index))) {
      const having = options.filter((_, index) => names[index] === one).map((option) => option.name);
      const flaw = `${having.join(' and ')} of ${path} have the same name ${JSON.stringify(one)}`;
      shared.set(flaw, [...(shared.get(flaw) ?? []), locale]);
    }
  }
  for (const [flaw, locales] of shared) yield `${flaw} in ${locales.join(', ')}`;
  for (const option of options) yield* registrationFlaws(option, path);
}

/** Returns the distinct texts of a name or a description, with the locales in which people see them. */
function textsOf(text: string, localizations: LocalizationMap | null | undefined): (readonly [string, string])[] {
  const locales = new Map([[text, ['']]]);
  for (const [locale, localized] of Object.entries(localizations ?? {})) {
    locales.set(localized ?? '', [...(locales.get(localized ?? '') ?? []), locale]);
  }
  return [...locales].map(([one, [first = '', ...others]]) => [
    one,
    first === '' ? '' : ` in ${[first, ...others].join(', ')}`,
  ]);
}
