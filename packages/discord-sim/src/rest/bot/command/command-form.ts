import {
  ApplicationCommandType,
  ApplicationIntegrationType,
  InteractionContextType,
  RESTJSONErrorCodes,
} from 'discord-api-types/v10';
import { z } from 'zod';
import { refusal } from '../../error-body.ts';
import { choice, field, flag, list, notCoercible, optional } from '../../form/fields.ts';
import { readForm } from '../../form/read-form.ts';
import { options } from './option-form.ts';
import { localised, menuName, noDescription, texts } from './texts-form.ts';

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
  description: noDescription,
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
 * Reads the commands of an application.
 *
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

/** Discord takes a command without a type for a chat command. */
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
 * Returns the characters in the names, descriptions and values of a command with all of its options and choices. Of the
 * translations of a text, only the longest one counts.
 *
 * @see https://discord.com/developers/docs/interactions/application-commands#slash-commands
 */
function commandSize(sized: Sized): number {
  const { name, description = '', value = '', choices = [], options = [] } = sized;
  const own =
    longest(name, sized.name_localizations) +
    longest(description, sized.description_localizations) +
    (typeof value === 'string' ? value.length : 0);
  return [...choices, ...options].reduce((sum, inner) => sum + commandSize(inner), own);
}

function longest(text: string, translations: Readonly<Record<string, string>> | null = {}): number {
  return Math.max(...[text, ...Object.values(translations ?? {})].map((each) => [...each].length));
}
