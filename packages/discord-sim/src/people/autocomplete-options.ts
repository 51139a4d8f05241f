import {
  type APIApplicationCommand,
  type APIApplicationCommandAutocompleteInteraction,
  type APIApplicationCommandBasicOption,
  type APIApplicationCommandInteractionDataIntegerOption,
  type APIApplicationCommandInteractionDataNumberOption,
  type APIApplicationCommandInteractionDataOption,
  type APIApplicationCommandInteractionDataStringOption,
  type APIApplicationCommandOption,
  ApplicationCommandOptionType,
} from 'discord-api-types/v10';
import type { SlashValues } from './slash-options.ts';

type Options = APIApplicationCommandAutocompleteInteraction['data']['options'];
type FocusedOption =
  | APIApplicationCommandInteractionDataStringOption
  | APIApplicationCommandInteractionDataIntegerOption
  | APIApplicationCommandInteractionDataNumberOption;

const { Subcommand, SubcommandGroup, Integer, Number: Float } = ApplicationCommandOptionType;

/**
 * Returns the options of a command while one of them is being typed: those that are filled in, in any state, and the
 * focused one with its text.
 *
 * @throws {Error} when the command has no such option, or it has no autocompletion
 */
export function autocompleteOptions(
  { name, options = [] }: Pick<APIApplicationCommand, 'name' | 'options'>,
  path: readonly string[],
  values: SlashValues,
  focused: string,
): Options {
  const [next, ...rest] = path;
  if (next !== undefined) {
    const found = options.find((option) => option.name === next);
    if (found?.type !== Subcommand && found?.type !== SubcommandGroup) {
      throw new Error(`Command ${name} has no subcommand ${next}`);
    }
    const inner = autocompleteOptions({ name: `${name} ${next}`, options: found.options ?? [] }, rest, values, focused);
    return [{ type: found.type, name: next, options: inner }] as Options;
  }
  if (!options.some((option) => option.name === focused && canComplete(option))) {
    throw new Error(`Option ${focused} of command ${name} has no autocompletion`);
  }
  return options.flatMap((option) => {
    const value = Object.hasOwn(values, option.name) ? values[option.name] : undefined;
    if (option.name === focused) return [{ type: option.type, name: focused, value: value ?? '', focused: true }];
    return value === undefined ? [] : [{ type: option.type, name: option.name, value }];
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
