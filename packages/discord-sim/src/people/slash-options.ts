import {
  type APIApplicationCommand,
  type APIApplicationCommandBasicOption,
  type APIApplicationCommandInteractionDataBasicOption,
  type APIApplicationCommandInteractionDataOption,
  type APIApplicationCommandOption,
  type APIApplicationCommandSubcommandOption,
  type APIChatInputApplicationCommandInteractionData,
  ApplicationCommandOptionType,
} from 'discord-api-types/v10';

/** Option values by name. Users and channels are ids. */
export type SlashValues = Readonly<Record<string, string | number | boolean>>;

type OptionValue = string | number | boolean;

/**
 * Validates option values as Discord's client does: subcommands, required options, types, choices and bounds.
 *
 * @param path - the names after the command's own: none, a subcommand, or a group and its subcommand
 * @throws {Error} saying what does not fit the registered command
 */
export function slashOptions(
  { name, options = [] }: Pick<APIApplicationCommand, 'name' | 'options'>,
  path: readonly string[],
  values: SlashValues,
): APIApplicationCommandInteractionDataOption[] {
  const [next, ...rest] = path;
  if (next === undefined) return basicOptions(name, options, values);
  const found = options.find((option) => option.name === next);
  if (found?.type === ApplicationCommandOptionType.Subcommand && rest.length === 0) {
    return [{ type: found.type, name: next, options: basicOptions(`${name} ${next}`, found.options ?? [], values) }];
  }
  if (found?.type === ApplicationCommandOptionType.SubcommandGroup && rest.length === 1) {
    return [
      { type: found.type, name: next, options: subcommand(`${name} ${next}`, found.options ?? [], rest, values) },
    ];
  }
  throw new Error(`Command ${name} has no subcommand ${path.join(' ')}`);
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

function subcommand(
  name: string,
  options: readonly APIApplicationCommandSubcommandOption[],
  [next]: readonly string[],
  values: SlashValues,
) {
  const found = options.find((option) => option.name === next);
  if (!found) throw new Error(`Command ${name} has no subcommand ${next ?? ''}`);
  return [
    { type: found.type, name: found.name, options: basicOptions(`${name} ${found.name}`, found.options ?? [], values) },
  ];
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

function isSubcommand(
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
