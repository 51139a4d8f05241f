import { isDeepStrictEqual } from 'node:util';
import {
  type APIApplicationCommand,
  type APIApplicationCommandOption,
  ApplicationCommandOptionType,
  type RESTPostAPIChatInputApplicationCommandsJSONBody,
} from 'discord.js';

export type CommandData = RESTPostAPIChatInputApplicationCommandsJSONBody;

/**
 * Returns true if a registered command was made from the given one, or from an earlier version of it: the description
 * is the same in one language, or descriptions of subcommands are the same in two languages. Commands of other programs
 * have other sentences, or few of the same in their only language, such as "Shows the settings". Options are not
 * compared, because "Which setting" is not distinctive.
 */
export function isVersionOf(registered: APIApplicationCommand, command: CommandData): boolean {
  const has = textsOf(registered);
  if (textsOf(command).some((text) => has.includes(text))) return true;
  const subcommands = (command.options ?? []).filter(isSubcommand).map(textsOf);
  const shared = (registered.options ?? []).filter(isSubcommand).flatMap((subcommand) => {
    const texts = textsOf(subcommand);
    return subcommands.flatMap((known) => known.filter((text) => texts.includes(text)));
  });
  return new Set(shared.map((text) => text.split(' ')[0])).size > 1;
}

function isSubcommand({ type }: APIApplicationCommandOption): boolean {
  return type === ApplicationCommandOptionType.Subcommand;
}

interface Described {
  readonly description?: string | undefined;
  readonly description_localizations?: Readonly<Partial<Record<string, string | null>>> | null | undefined;
}

/** Returns the descriptions with their languages. Discord's two kinds of Spanish are treated as one language. */
function textsOf({ description, description_localizations: localized }: Described): string[] {
  const texts = Object.entries({ 'en-US': description, ...localized });
  return texts.flatMap(([locale, text]) => (text ? [`${locale.split('-')[0]} ${text}`] : []));
}

/** The fields that registrations set. Discord adds others. */
const COMPARED = [
  'type',
  'name',
  'name_localizations',
  'description',
  'description_localizations',
  'default_member_permissions',
  'required',
  'autocomplete',
  'choices',
  'channel_types',
  'min_value',
  'max_value',
  'min_length',
  'max_length',
] as const;

/** Returns true if a registered command equals the one to send. */
export function isEqual(registered: APIApplicationCommand, sent: CommandData): boolean {
  return (
    isDeepStrictEqual(formOf(registered), formOf(sent)) &&
    (sent.contexts === undefined || isDeepStrictEqual(registered.contexts, sent.contexts)) &&
    (sent.integration_types === undefined || isDeepStrictEqual(registered.integration_types, sent.integration_types))
  );
}

/** Returns the definition of a command or an option without parts that have no effect, some of which Discord omits. */
function formOf(command: object): unknown {
  const { options } = command as { readonly options?: readonly object[] };
  const compared = COMPARED.map((field) => [field, Reflect.get(command, field)]);
  return withoutEmpty({ ...Object.fromEntries(compared), options: options?.map(formOf) });
}

function withoutEmpty(value: unknown): unknown {
  if (value === null || value === false) return undefined;
  if (typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(withoutEmpty);
  const entries = Object.entries(value).flatMap(([key, one]) => {
    const left = withoutEmpty(one);
    return left === undefined ? [] : [[key, left]];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
