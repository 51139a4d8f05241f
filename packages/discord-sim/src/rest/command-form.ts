import {
  type APIApplicationCommandAutocompleteInteraction,
  type APIApplicationCommandOptionChoice,
  ApplicationCommandOptionType,
  ApplicationCommandType,
  ApplicationIntegrationType,
  InteractionContextType,
  Locale,
  RESTJSONErrorCodes,
} from 'discord-api-types/v10';
import { z } from 'zod';
import { focusedOption } from '../people/slash-options.ts';
import { refusal } from './error-body.ts';
import {
  channelTypes,
  choice,
  complain,
  field,
  flag,
  float,
  integer,
  list,
  notCoercible,
  optional,
  readForm,
  repeatsIn,
  text,
  textLike,
  withoutUndefined,
} from './form.ts';

/** @see https://discord.com/developers/docs/interactions/application-commands#application-command-object-application-command-naming */
const NAME = /^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$/u;
const LOCALES: ReadonlySet<string> = new Set(Object.values(Locale));

/** The name of a chat command or an option: one word, in lower case if the script has it. */
const name = textLike((value) => NAME.test(value) && value === value.toLowerCase(), {
  code: 'APPLICATION_COMMAND_INVALID_NAME',
  message: 'Command name is invalid',
});

const description = text({ min: 1, max: 100 });

function localised<Text extends z.ZodType<string>>(translated: Text) {
  const locale = z.string().refine((key) => LOCALES.has(key), {
    error: ({ input }) => `Unknown locale ${JSON.stringify(input)}.`,
  });
  return z.record(locale, translated).nullish();
}

const texts = {
  name,
  name_localizations: localised(name),
  description,
  description_localizations: localised(description),
};

const menuName = text({ min: 1, max: 32 });

const MAX_OPTIONS = 25;
const MAX_CHOICES = 25;
const MAX_TEXT = 6_000;

const Type = ApplicationCommandOptionType;
const base = { ...texts, required: optional(flag) };
const suggested = { ...base, autocomplete: optional(flag) };

function choices<Value extends z.ZodType<string | number>>(value: Value) {
  const choiceName = text({ min: 1, max: 100 });
  const choice = z.object({ name: choiceName, name_localizations: localised(choiceName), value });
  return optional(list(choice, { max: MAX_CHOICES }));
}

const choiceValues = {
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

/** @see https://discord.com/developers/docs/interactions/application-commands#application-command-object-application-command-option-structure */
const options = optionList(z.discriminatedUnion('type', [...valueOptions, subcommand, subcommandGroup]));

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
  return type === Type.Subcommand || type === Type.SubcommandGroup;
}

/** A bit set of permissions as a decimal number, in a text because it may exceed 2^53. */
const permissions = field<string>((value) => {
  const digits = String(value);
  const isBitSet = /^[0-9]{1,20}$/.test(digits) && BigInt(digits) < 2n ** 64n;
  return isBitSet ? { value: digits } : { complaint: notCoercible(value, 'int') };
});

const MAX_CHAT_COMMANDS = 100;
const MAX_MENU_COMMANDS = 15;
const MAX_SIZE = 8_000;

const { ChatInput, User, Message } = ApplicationCommandType;
const { Guild, BotDM, PrivateChannel } = InteractionContextType;
const { GuildInstall, UserInstall } = ApplicationIntegrationType;

const settings = {
  default_member_permissions: optional(permissions),
  dm_permission: optional(flag),
  nsfw: optional(flag),
  contexts: optional(list(choice([Guild, BotDM, PrivateChannel]), { min: 1, max: 3 })),
  integration_types: optional(list(choice([GuildInstall, UserInstall]), { min: 1, max: 2 })),
};

const chatCommand = z.object({ ...settings, ...texts, type: z.literal(ChatInput), options });

const menuCommand = {
  ...settings,
  name: menuName,
  name_localizations: localised(menuName),
  description: optional(text({ max: 0 })),
};

const command = z
  .preprocess(
    withType,
    z.discriminatedUnion('type', [
      chatCommand,
      z.object({ ...menuCommand, type: z.literal(User) }),
      z.object({ ...menuCommand, type: z.literal(Message) }),
    ]),
  )
  .refine((parsed) => commandSize(parsed) <= MAX_SIZE, {
    error: `Command exceeds maximum size (${MAX_SIZE})`,
    params: { code: 'APPLICATION_COMMAND_TOO_LARGE' },
  });

const commandList = list(command).refine(
  (parsed) => new Set(parsed.map(({ type, name }) => `${type} ${name}`)).size === parsed.length,
  { error: 'Application command names must be unique', params: { code: 'APPLICATION_COMMANDS_DUPLICATE_NAME' } },
);

export type CommandForm = z.output<typeof command>;

/**
 * @throws {RestRefusal} 400: 50035 with the errors of all fields, 30032 for too many commands
 * @see https://discord.com/developers/docs/interactions/application-commands#bulk-overwrite-global-application-commands
 */
export function readCommands(body: unknown): CommandForm[] {
  const commands = readForm(commandList, body === null ? [] : body);
  requireRoom(commands);
  return commands;
}

/** @throws {RestRefusal} 400 (50035) with the errors of all fields of a command */
export function readCommand(body: unknown): CommandForm {
  return readForm(command, body ?? {});
}

/** @throws {RestRefusal} 400 (30032) for more commands of a type than an application may have */
export function requireRoom(commands: readonly { readonly type: ApplicationCommandType }[]): void {
  for (const type of [ChatInput, User, Message]) {
    const max = type === ChatInput ? MAX_CHAT_COMMANDS : MAX_MENU_COMMANDS;
    if (commands.filter((each) => each.type === type).length <= max) continue;
    const code = RESTJSONErrorCodes.MaximumNumberOfApplicationCommandsReached;
    throw refusal(400, code, `Maximum number of application commands reached (${max}).`);
  }
}

/** Discord treats a command without a type as a chat command. */
function withType(value: unknown): unknown {
  return typeof value === 'object' && value !== null && !('type' in value && value.type !== null)
    ? { ...value, type: ChatInput }
    : value;
}

interface Sized {
  readonly name: string;
  readonly name_localizations?: Readonly<Record<string, string>> | null | undefined;
  readonly description?: string | undefined;
  readonly description_localizations?: Readonly<Record<string, string>> | null | undefined;
  readonly value?: string | number;
  readonly choices?: readonly Sized[] | undefined;
  readonly options?: readonly Sized[] | undefined;
}

/**
 * Returns the number of characters in the names, descriptions and values of a command with all of its options and
 * choices. Only the longest translation of a text counts.
 *
 * @see https://discord.com/developers/docs/interactions/application-commands#slash-commands
 */
function commandSize(sized: Sized): number {
  const { name, description = '', value = '', choices = [], options = [] } = sized;
  const longest = (text: string, translations: Readonly<Record<string, string>> | null = {}) =>
    Math.max(...[text, ...Object.values(translations ?? {})].map((each) => [...each].length));
  const own =
    longest(name, sized.name_localizations) +
    longest(description, sized.description_localizations) +
    (typeof value === 'string' ? value.length : 0);
  return [...choices, ...options].reduce((sum, inner) => sum + commandSize(inner), own);
}

const { String: Text, Integer, Number: Float } = ApplicationCommandOptionType;
const FORMS = {
  [Text]: z.object({ choices: choices(choiceValues[Text]) }),
  [Integer]: z.object({ choices: choices(choiceValues[Integer]) }),
  [Float]: z.object({ choices: choices(choiceValues[Float]) }),
};

/**
 * Reads the choices that a bot offers for typed text: at most 25, with values of the type of the option.
 *
 * @throws {RestRefusal} 400 (50035) with the errors of all fields
 * @see
 * https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-response-object-autocomplete
 */
export function readChoices(
  data: unknown,
  typed: APIApplicationCommandAutocompleteInteraction['data'],
): APIApplicationCommandOptionChoice[] {
  const form = FORMS[focusedOption(typed).type];
  const { choices: offered = [] } = readForm(form, data ?? {}, ['data']);
  return withoutUndefined(offered) as APIApplicationCommandOptionChoice[];
}
