import {
  type APIApplicationCommand,
  type APIApplicationCommandAutocompleteInteraction,
  type APIApplicationCommandBasicOption,
  type APIApplicationCommandInteractionDataBasicOption,
  type APIApplicationCommandInteractionDataIntegerOption,
  type APIApplicationCommandInteractionDataNumberOption,
  type APIApplicationCommandInteractionDataOption,
  type APIApplicationCommandInteractionDataStringOption,
  type APIApplicationCommandOption,
  type APIChatInputApplicationCommandInteractionData,
  type APIInteractionDataResolved,
  type APIInteractionDataResolvedChannel,
  ApplicationCommandOptionType,
  type Snowflake,
} from 'discord-api-types/v10';
import { channelObject, memberWithoutUser, roleObject, userObject } from '../objects/guild-objects.ts';
import type { World } from '../world/world.ts';

/** Option values by name. Users and channels are ids. */
export type SlashValues = Readonly<Record<string, string | number | boolean>>;

type OptionValue = string | number | boolean;

/**
 * Validates option values like Discord's client: subcommands, required options, types, choices and bounds.
 *
 * @param path - the names after the command's own: none, a subcommand, or a group and its subcommand
 * @throws {Error} with the value that does not match the registered command
 */
export function slashOptions(
  command: Pick<APIApplicationCommand, 'name' | 'options'>,
  path: readonly string[],
  values: SlashValues,
): APIApplicationCommandInteractionDataOption[] {
  return withinSubcommands(command, path, (name, options) => basicOptions(name, options, values));
}

type Fill = (
  command: string,
  options: readonly APIApplicationCommandOption[],
) => APIApplicationCommandInteractionDataOption[];

/** Returns the entered options of a subcommand, nested in the subcommands that lead to it. */
function withinSubcommands(
  { name, options = [] }: Pick<APIApplicationCommand, 'name' | 'options'>,
  path: readonly string[],
  fill: Fill,
): APIApplicationCommandInteractionDataOption[] {
  const [next, ...rest] = path;
  if (next === undefined) return fill(name, options);
  const found = options.find((option) => option.name === next);
  if (!found || !isSubcommand(found)) throw new Error(`Command ${name} has no subcommand ${next}`);
  const inner = withinSubcommands({ name: `${name} ${next}`, options: found.options ?? [] }, rest, fill);
  return [{ type: found.type, name: next, options: inner }] as APIApplicationCommandInteractionDataOption[];
}

export function commandPath({
  name,
  options = [],
}: Pick<APIChatInputApplicationCommandInteractionData, 'name' | 'options'>): string {
  const [first] = options;
  const { Subcommand, SubcommandGroup } = ApplicationCommandOptionType;
  if (first?.type !== Subcommand && first?.type !== SubcommandGroup) return name;
  return `${name} ${commandPath(first)}`;
}

function basicOptions(
  command: string,
  options: readonly APIApplicationCommandOption[],
  values: SlashValues,
): APIApplicationCommandInteractionDataBasicOption[] {
  for (const name of Object.keys(values)) {
    if (!options.some((option) => option.name === name)) throw new Error(`Command ${command} has no option ${name}`);
  }
  return options.flatMap((option) => {
    if (isSubcommand(option)) throw new Error(`Command ${command} needs a subcommand`);
    const value = Object.hasOwn(values, option.name) ? values[option.name] : undefined;
    if (value !== undefined) return [filledIn(command, option, value)];
    if (option.required) throw new Error(`Command ${command} requires option ${option.name}`);
    return [];
  });
}

export function isSubcommand(
  option: APIApplicationCommandOption,
): option is Exclude<APIApplicationCommandOption, APIApplicationCommandBasicOption> {
  const { Subcommand, SubcommandGroup } = ApplicationCommandOptionType;
  return option.type === Subcommand || option.type === SubcommandGroup;
}

function filledIn(
  command: string,
  option: APIApplicationCommandBasicOption,
  value: OptionValue,
): APIApplicationCommandInteractionDataBasicOption {
  const { name, type } = option;
  const wrong = new Error(`Option ${name} of command ${command} does not take ${JSON.stringify(value)}`);
  if ('choices' in option && option.choices?.length && !option.choices.some((choice) => choice.value === value)) {
    throw wrong;
  }
  switch (type) {
    case ApplicationCommandOptionType.String: {
      const { min_length: min = 0, max_length: max = 6_000 } = option;
      if (typeof value !== 'string' || value.length < min || value.length > max) throw wrong;
      return { type, name, value };
    }
    case ApplicationCommandOptionType.Integer:
    case ApplicationCommandOptionType.Number: {
      const { min_value: min = -Infinity, max_value: max = Infinity } = option;
      if (typeof value !== 'number' || value < min || value > max) throw wrong;
      if (type === ApplicationCommandOptionType.Integer && !Number.isSafeInteger(value)) throw wrong;
      return { type, name, value };
    }
    case ApplicationCommandOptionType.Boolean:
      if (typeof value !== 'boolean') throw wrong;
      return { type, name, value };
    case ApplicationCommandOptionType.User:
    case ApplicationCommandOptionType.Channel:
      if (typeof value !== 'string') throw wrong;
      return { type, name, value };
    default:
      throw new Error(`Option ${name} of command ${command} is of type ${type}, which is not simulated`);
  }
}

type Options = APIApplicationCommandAutocompleteInteraction['data']['options'];
type FocusedOption =
  | APIApplicationCommandInteractionDataStringOption
  | APIApplicationCommandInteractionDataIntegerOption
  | APIApplicationCommandInteractionDataNumberOption;

const { Integer, Number: Float } = ApplicationCommandOptionType;

/**
 * Returns the options of a command while one of them is being typed: the entered ones, in any state, and the focused
 * one with its text.
 *
 * @throws {Error} for an unknown option, or one without autocompletion
 */
export function autocompleteOptions(
  command: Pick<APIApplicationCommand, 'name' | 'options'>,
  path: readonly string[],
  values: SlashValues,
  focused: string,
): Options {
  return withinSubcommands(command, path, (name, options) => {
    if (!options.some((option) => option.name === focused && canComplete(option))) {
      throw new Error(`Option ${focused} of command ${name} has no autocompletion`);
    }
    return options.flatMap((option) => {
      const value = Object.hasOwn(values, option.name) ? values[option.name] : undefined;
      if (option.name === focused) return [{ type: option.type, name: focused, value: value ?? '', focused: true }];
      return value === undefined ? [] : [{ type: option.type, name: option.name, value }];
    }) as APIApplicationCommandInteractionDataOption[];
  }) as Options;
}

export function focusedOption({ options }: { readonly options: Options }): FocusedOption {
  const focused = (options as APIApplicationCommandInteractionDataOption[])
    .flatMap(leaves)
    .find((option) => 'focused' in option && option.focused);
  if (focused === undefined) throw new Error('Expected an option that is being typed');
  return focused as FocusedOption;
}

export function canComplete(option: APIApplicationCommandOption | APIApplicationCommandBasicOption): boolean {
  const { type } = option;
  const isTyped = type === ApplicationCommandOptionType.String || type === Integer || type === Float;
  return isTyped && option.autocomplete === true;
}

function leaves(option: APIApplicationCommandInteractionDataOption): APIApplicationCommandInteractionDataOption[] {
  return 'options' in option && option.options ? option.options.flatMap(leaves) : [option];
}

export interface Viewpoint {
  readonly guildId: Snowflake;
  readonly userId: Snowflake;
}

interface Resolution extends Viewpoint {
  readonly options: readonly APIApplicationCommandInteractionDataOption[];
}

interface NamedIds {
  readonly users: readonly Snowflake[];
  readonly channels: readonly Snowflake[];
  readonly roles: readonly Snowflake[];
}

export function resolved(world: World, { options, ...viewpoint }: Resolution): APIInteractionDataResolved {
  const { User, Channel: InChannel } = ApplicationCommandOptionType;
  const filled = options.flatMap(leaves);
  const ids = (type: ApplicationCommandOptionType) =>
    filled.flatMap((option) => (option.type === type && 'value' in option ? String(option.value) : []));
  return resolvedIds(world, viewpoint, { users: ids(User), channels: ids(InChannel), roles: [] });
}

/**
 * @throws {Error} for an unknown user, or a channel of another guild
 * @see https://discord.com/developers/docs/interactions/receiving-and-responding#interaction-object-resolved-data-structure
 */
export function resolvedIds(
  world: World,
  { guildId, userId }: Viewpoint,
  { users, channels, roles }: NamedIds,
): APIInteractionDataResolved {
  const data: Required<Pick<APIInteractionDataResolved, 'users' | 'members' | 'channels' | 'roles'>> = {
    users: {},
    members: {},
    channels: {},
    roles: {},
  };
  for (const id of users) {
    data.users[id] = userObject(world.user(id));
    const member = world.guilds.findMember(guildId, id);
    const permissions = member ? world.guilds.permissionsOf(guildId, member).toString() : '0';
    if (member) data.members[id] = { ...memberWithoutUser(member), permissions };
  }
  for (const id of channels) {
    const channel = world.channels.channel(id);
    if (channel.guildId !== guildId) throw new Error(`Channel ${channel.id} is not in guild ${guildId}`);
    const permissions = world.permissionsIn(channel.id, userId).toString();
    // Discord sends fewer properties of the channel here.
    data.channels[id] = { ...channelObject(world, channel), permissions } as APIInteractionDataResolvedChannel;
  }
  for (const role of world.rolesOf(guildId)) if (roles.includes(role.id)) data.roles[role.id] = roleObject(role);
  return data;
}
