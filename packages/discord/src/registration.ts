import type {
  ApplicationCommand,
  ApplicationCommandOption,
  Client,
  RESTPostAPIChatInputApplicationCommandsJSONBody,
} from 'discord.js';

export type CommandData = RESTPostAPIChatInputApplicationCommandsJSONBody;

export interface RegistrationOptions {
  readonly commands: readonly CommandData[];
  /** Returns whether a registered command is one of this program, or of an earlier version of it. */
  readonly isOwn: (registered: ApplicationCommand) => boolean;
  /** The guild in which they are registered; undefined: all of them. */
  readonly guildId?: string | undefined;
}

export interface Registration {
  /** The commands that were created or changed. */
  readonly written: readonly ApplicationCommand[];
  /** The commands that were there as they should be. */
  readonly kept: readonly ApplicationCommand[];
  /** Commands of others with the same names, which are left alone. */
  readonly foreign: readonly ApplicationCommand[];
}

/**
 * Registers commands one by one by their names, and leaves all others as they are. It can be repeated, also by several processes at
 * once: Discord has one command of a name.
 * @see https://docs.discord.com/developers/interactions/application-commands#create-global-application-command
 */
export async function registerCommands(
  client: Client<true>,
  { commands, isOwn, guildId }: RegistrationOptions,
): Promise<Registration> {
  const manager = client.application.commands;
  const fetched = await manager.fetch({
    withLocalizations: true,
    cache: false,
    ...(guildId !== undefined && { guildId }),
  });
  const written: ApplicationCommand[] = [];
  const kept: ApplicationCommand[] = [];
  const foreign: ApplicationCommand[] = [];
  for (const command of commands) {
    const registered = fetched.find(({ name, type }) => name === command.name && type === command.type);
    if (registered !== undefined && !isOwn(registered)) foreign.push(registered);
    else if (registered?.equals(command as Parameters<ApplicationCommand['equals']>[0], true)) kept.push(registered);
    else written.push(await (guildId === undefined ? manager.create(command) : manager.create(command, guildId)));
  }
  return { written, kept, foreign };
}

/**
 * Returns whether a registered command is made of such a one, or of an earlier version of it: its description, or that of one of its
 * subcommands, is the same in some language. A command of others may have the same name, and not the same sentences.
 */
export function isVersionOf(registered: ApplicationCommand, command: CommandData): boolean {
  const known = new Set(descriptionsOf(command));
  return descriptionsOf(registered).some((description) => known.has(description));
}

function descriptionsOf(command: CommandData | ApplicationCommand | ApplicationCommandOption): string[] {
  const localized = 'descriptionLocalizations' in command ? command.descriptionLocalizations : undefined;
  const localizations = 'description_localizations' in command ? command.description_localizations : localized;
  const options = 'options' in command ? (command.options ?? []) : [];
  return [
    command.description,
    ...Object.values(localizations ?? {}),
    ...options.flatMap((option) => descriptionsOf(option as ApplicationCommandOption)),
  ].filter((text) => typeof text === 'string');
}
