import {
  ApplicationCommandType,
  ApplicationIntegrationType,
  InteractionContextType,
  RESTJSONErrorCodes,
} from 'discord-api-types/v10';
import { z } from 'zod';
import { refusal } from '../../error-body.ts';
import { choice, flag, list, optional } from '../../form/fields.ts';
import { readForm } from '../../form/read-form.ts';
import { commandSize } from './command-size.ts';
import { options } from './option-form.ts';
import { permissions } from './permissions-form.ts';
import { localised, menuName, noDescription, texts } from './texts-form.ts';

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

/** A command that a bot sends. */
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
