import { ApplicationCommandOptionType } from 'discord-api-types/v10';
import { z } from 'zod';
import { channelTypes, complain, flag, float, integer, list, optional, repeatsIn, text } from '../../form/fields.ts';
import { localised, texts } from './texts-form.ts';

const MAX_OPTIONS = 25;
const MAX_CHOICES = 25;
const MAX_TEXT = 6_000;

const Type = ApplicationCommandOptionType;
const base = { ...texts, required: optional(flag) };
const suggested = { ...base, autocomplete: optional(flag) };

/** Choices that an option has, or that a bot offers for what was typed. */
export function choices<Value extends z.ZodType<string | number>>(value: Value) {
  const choiceName = text({ min: 1, max: 100 });
  const choice = z.object({ name: choiceName, name_localizations: localised(choiceName), value });
  return optional(list(choice, { max: MAX_CHOICES }));
}

export const choiceValues = {
  [ApplicationCommandOptionType.String]: text({ min: 1, max: 100 }),
  [ApplicationCommandOptionType.Integer]: integer({ min: -(2 ** 53) + 1, max: 2 ** 53 - 1 }),
  [ApplicationCommandOptionType.Number]: float({ min: -(2 ** 53), max: 2 ** 53 }),
} as const;

function numeric<Value extends z.ZodType<number>>(value: Value) {
  return { ...suggested, min_value: optional(value), max_value: optional(value), choices: choices(value) };
}

const valueOptions = [
  z.object({
    ...suggested,
    type: z.literal(Type.String),
    min_length: optional(integer({ min: 0, max: MAX_TEXT })),
    max_length: optional(integer({ min: 1, max: MAX_TEXT })),
    choices: choices(choiceValues[Type.String]),
  }),
  z.object({ ...numeric(choiceValues[Type.Integer]), type: z.literal(Type.Integer) }),
  z.object({ ...numeric(choiceValues[Type.Number]), type: z.literal(Type.Number) }),
  z.object({ ...base, type: z.literal(Type.Boolean) }),
  z.object({ ...base, type: z.literal(Type.User) }),
  z.object({ ...base, type: z.literal(Type.Channel), channel_types: optional(channelTypes) }),
  z.object({ ...base, type: z.literal(Type.Role) }),
  z.object({ ...base, type: z.literal(Type.Mentionable) }),
  z.object({ ...base, type: z.literal(Type.Attachment) }),
] as const;

function optionList<Option extends z.ZodType<Parameters<typeof checkOptions>[0][number]>>(option: Option) {
  return optional(list(option, { max: MAX_OPTIONS }).superRefine(checkOptions));
}

const subcommand = z.object({
  ...base,
  type: z.literal(Type.Subcommand),
  options: optionList(z.discriminatedUnion('type', [...valueOptions])),
});

const subcommandGroup = z.object({
  ...base,
  type: z.literal(Type.SubcommandGroup),
  options: optionList(z.discriminatedUnion('type', [subcommand])),
});

/**
 * The options of a command, its subcommands and groups of them.
 *
 * @see https://discord.com/developers/docs/interactions/application-commands#application-command-object-application-command-option-structure
 */
export const options = optionList(z.discriminatedUnion('type', [...valueOptions, subcommand, subcommandGroup]));

/** An option as far as the rules among options concern it. */
interface ListedOption {
  readonly type: ApplicationCommandOptionType;
  readonly name: string;
  readonly required?: boolean | undefined;
  readonly autocomplete?: boolean | undefined;
  readonly choices?: readonly { readonly name: string; readonly value: string | number }[] | undefined;
}

function checkOptions(listed: readonly ListedOption[], context: Pick<z.core.$RefinementCtx, 'addIssue'>): void {
  for (const [index, option] of listed.entries()) {
    const { name, required = false, autocomplete = false, choices: offered = [] } = option;
    const before = listed.slice(0, index);
    const complaints = [
      before.some((other) => other.name === name) && {
        code: 'APPLICATION_COMMAND_OPTIONS_NAME_INVALID',
        message: `Option name ${name} is already used in these options`,
      },
      before.some((other) => isSubcommand(other) !== isSubcommand(option)) && {
        code: 'APPLICATION_COMMAND_OPTIONS_TYPE_INVALID',
        message: 'Sub-command and sub-command group option types are mutually exclusive to all other types',
      },
      required &&
        before.some((other) => !other.required) && {
          code: 'APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID',
          message: 'Required options must be placed before non-required options',
        },
      autocomplete &&
        offered.length > 0 && {
          code: 'APPLICATION_COMMAND_OPTIONS_AUTOCOMPLETE_INVALID',
          message: 'Autocomplete cannot be enabled for options with choices',
        },
    ];
    for (const complaint of complaints) if (complaint) complain(context, complaint, [index]);
    const names = offered.map((each) => each.name);
    for (const position of repeatsIn(names)) {
      const message = `Choice name ${names[position]} is already used`;
      const path = [index, 'choices', position, 'name'];
      complain(context, { code: 'APPLICATION_COMMAND_OPTIONS_CHOICE_NAME_INVALID', message }, path);
    }
  }
}

function isSubcommand({ type }: ListedOption): boolean {
  const { Subcommand, SubcommandGroup } = ApplicationCommandOptionType;
  return type === Subcommand || type === SubcommandGroup;
}
