import {
  type APIApplicationCommand,
  type APIApplicationCommandBasicOption,
  type APIApplicationCommandOption,
  type APIApplicationCommandOptionChoice,
  ApplicationCommandOptionType,
  ApplicationCommandType,
  Locale,
  type LocalizationMap,
} from 'discord-api-types/v10';
import { canComplete } from '../people/slash-options.ts';
import { mayUseCommand } from '../world/command-access.ts';
import { displayName } from '../world/guilds.ts';
import type { World } from '../world/world.ts';
import type { Viewer } from './viewer.ts';

export interface MenuEntry {
  readonly command: string;
  readonly name: string;
  readonly description: string;
  readonly bot: string;
  readonly options: readonly MenuOption[];
}

export interface MenuOption {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly kind: 'text' | 'integer' | 'number' | 'boolean' | 'user' | 'channel' | 'unsupported';
  readonly required: boolean;
  readonly choices: readonly { readonly label: string; readonly value: string | number }[];
  /** True: its bot suggests values for what is typed. */
  readonly completes: boolean;
  /** Bounds of a number, or of a text's length. */
  readonly min: number | null;
  readonly max: number | null;
}

type Named = Pick<APIApplicationCommand, 'name' | 'description' | 'name_localizations' | 'description_localizations'>;

/** Returns the commands of the bots in a channel's guild that the user may use there, in one language. */
export function commandMenu(world: World, { person, channel }: Viewer, locale: `${Locale}`): MenuEntry[] {
  const { guildId } = channel;
  const seen = new Set<string>();
  const entries: MenuEntry[] = [];
  for (const { applicationId, userId } of world.bots.all()) {
    if (!world.guilds.findMember(guildId, userId)) continue;
    const bot = displayName(world, guildId, userId);
    for (const command of [...world.commandsOf(applicationId, guildId), ...world.commandsOf(applicationId)]) {
      // Of several commands with one name, only the first can be used.
      if (command.type !== ApplicationCommandType.ChatInput || seen.has(command.name)) continue;
      seen.add(command.name);
      if (!mayUseCommand(world, command, channel.id, person.id)) continue;
      entries.push(...leavesOf([command], command.options, locale).map((leaf) => ({ ...leaf, bot })));
    }
  }
  return entries;
}

/** Returns an entry for a command without subcommands, or for each of its subcommands. */
function leavesOf(
  way: readonly Named[],
  options: readonly APIApplicationCommandOption[] = [],
  locale: `${Locale}`,
): Omit<MenuEntry, 'bot'>[] {
  const below = options.flatMap((option) => (isBranch(option) ? [option] : []));
  if (below.length > 0) return below.flatMap((branch) => leavesOf([...way, branch], branch.options, locale));
  const names = way.map(({ name, name_localizations }) => localised(name, name_localizations, locale));
  return way.slice(-1).map(({ description, description_localizations }) => ({
    command: way.map(({ name }) => name).join(' '),
    name: names.join(' '),
    description: localised(description, description_localizations, locale),
    options: options.flatMap((option) => (isBranch(option) ? [] : [menuOption(option, locale)])),
  }));
}

function isBranch(
  option: APIApplicationCommandOption,
): option is Exclude<APIApplicationCommandOption, APIApplicationCommandBasicOption> {
  const { Subcommand, SubcommandGroup } = ApplicationCommandOptionType;
  return option.type === Subcommand || option.type === SubcommandGroup;
}

function menuOption(option: APIApplicationCommandBasicOption, locale: `${Locale}`): MenuOption {
  const choices = 'choices' in option ? (option.choices ?? []) : [];
  return {
    name: option.name,
    label: localised(option.name, option.name_localizations, locale),
    description: localised(option.description, option.description_localizations, locale),
    kind: kindOf(option.type),
    required: option.required ?? false,
    completes: canComplete(option),
    choices: choices.map(({ name, name_localizations, value }) => {
      return { label: localised(name, name_localizations, locale), value };
    }),
    ...boundsOf(option),
  };
}

function kindOf(type: APIApplicationCommandBasicOption['type']): MenuOption['kind'] {
  switch (type) {
    case ApplicationCommandOptionType.String:
      return 'text';
    case ApplicationCommandOptionType.Integer:
      return 'integer';
    case ApplicationCommandOptionType.Number:
      return 'number';
    case ApplicationCommandOptionType.Boolean:
      return 'boolean';
    case ApplicationCommandOptionType.User:
      return 'user';
    case ApplicationCommandOptionType.Channel:
      return 'channel';
    case ApplicationCommandOptionType.Role:
    case ApplicationCommandOptionType.Mentionable:
    case ApplicationCommandOptionType.Attachment:
      return 'unsupported';
  }
}

function boundsOf(option: APIApplicationCommandBasicOption): Pick<MenuOption, 'min' | 'max'> {
  switch (option.type) {
    case ApplicationCommandOptionType.String:
      return { min: option.min_length ?? null, max: option.max_length ?? null };
    case ApplicationCommandOptionType.Integer:
    case ApplicationCommandOptionType.Number:
      return { min: option.min_value ?? null, max: option.max_value ?? null };
    default:
      return { min: null, max: null };
  }
}

export function localisedChoice(
  { name, name_localizations: names }: APIApplicationCommandOptionChoice,
  locale: `${Locale}`,
): string {
  return localised(name, names, locale);
}

/** Discord's fallback locales. */
const FALLBACKS: Partial<Record<`${Locale}`, Locale>> = {
  [Locale.EnglishUS]: Locale.EnglishGB,
  [Locale.EnglishGB]: Locale.EnglishUS,
  [Locale.SpanishLATAM]: Locale.SpanishES,
};

/**
 * Returns a text of a command in one language, or the untranslated one.
 *
 * @see https://discord.com/developers/docs/interactions/application-commands#localization
 */
function localised(text: string, map: LocalizationMap | null | undefined, locale: `${Locale}`): string {
  const fallback = FALLBACKS[locale];
  return map?.[locale] ?? (fallback && map?.[fallback]) ?? text;
}
