import type { GuildSettingsClient } from '@guild-settings/client';
import type { RecordSettings } from '@guild-settings/contract';
import {
  type ChatInputApplicationCommandData,
  type Client,
  Events,
  GatewayIntentBits,
  type Interaction,
} from 'discord.js';
import { type ReplicaState, settingsServices } from './commands/services.ts';
import { type SettingsSubcommand, settingsCommandOf } from './commands/settings.ts';
import type { Command } from './framework/command.ts';
import { registrationOf, requireRegistrable } from './framework/command-registration.ts';
import { dispatch } from './framework/dispatch/dispatch.ts';
import { parseButtonId } from './framework/dispatch/interactions.ts';
import { ChannelReplies, Cooldown, DEFAULT_COOLDOWN } from './framework/dispatch/run-action.ts';
import { requireTexts, type SettingsTexts } from './i18n/settings-texts.ts';
import { Vocabulary } from './i18n/translator.ts';
import { type CommandData, isVersionOf, registerCommands } from './registration.ts';
import { type DeclarationSource, followDeployment } from './settings/deployment.ts';

/** The options on which the registration depends. */
export interface SettingsCommandForm {
  /** The name of the command; `settings` unless given. */
  readonly name?: string;
  /** Subcommands to leave out, such as `access`. */
  readonly without?: readonly SettingsSubcommand[];
  /** Words in place of those of the package, or of a language that it does not have, by Discord's locales. */
  readonly texts?: SettingsTexts;
}

/** The part of a replica that is read. */
export interface SettingsReplica extends DeclarationSource {
  readonly status: ReplicaState;
  get(guildId: string): Readonly<RecordSettings>;
}

/** What is called of a client of the service, whatever settings it is typed for. */
export interface SettingsService extends Pick<GuildSettingsClient, 'settings'> {
  readonly guilds: Readonly<Record<'access' | 'change' | 'get' | 'history' | 'undo' | 'update', object>>;
}

export interface SettingsCommandOptions extends SettingsCommandForm {
  /** A client of the service with the application's token. */
  readonly service: SettingsService;
  /** The replica of the bot, whatever settings it is typed for. */
  readonly replica: SettingsReplica;
  /** The guilds in which the command is registered, for trying; all guilds unless given. */
  readonly guilds?: readonly string[];
  /** False: the bot registers `settingsCommandData` itself. */
  readonly register?: boolean;
  /** True: also by message, with the prefix of the guild. The client needs the intents GuildMessages and MessageContent. */
  readonly prefix?: boolean;
  /** The base URL of the dashboard, whose page of the guild replies link. */
  readonly dashboardUrl?: string;
  /** Called with the error of a reply or of the registration; writes its message to the console unless given. */
  readonly onError?: (error: Error) => void;
}

/** The command for settings of a client, while it is answered. */
export interface SettingsCommand {
  /** Answers no further interaction. Resolves when the running commands have replied. The command stays registered. */
  close(): Promise<void>;
}

const OPEN = new WeakMap<Client, (interaction: Interaction) => boolean>();

const CHECK_AFTER_MS = 60_000;
const CHECK_EVERY_MS = 900_000;

/**
 * Answers the command for settings of a bot, beside the commands of its own, and makes sure that it is registered. Other listeners
 * receive its interactions as well: see `isSettingsInteraction`.
 * @throws TypeError when the client has one already, or lacks the intents that messages need
 * @example
 * reportPresence(client, service);
 * settingsCommand(client, { service, replica });
 */
export function settingsCommand(client: Client, options: SettingsCommandOptions): SettingsCommand {
  const { service, replica, guilds, prefix = false, register = true, dashboardUrl, onError = logError } = options;
  if (OPEN.has(client)) throw new TypeError('Expected one settingsCommand of a client: close the other one first');
  const { GuildMessages, MessageContent } = GatewayIntentBits;
  if (prefix && !client.options.intents.has([GuildMessages, MessageContent])) {
    throw new TypeError('Expected a client with the intents GuildMessages and MessageContent, for the option prefix');
  }
  const command = settingsCommandOf(options);
  const commands = [command];
  const vocabulary = vocabularyOf(options);
  const data = dataOf(command, vocabulary);
  const foreignIds = new Set<string>();
  const isAnswered = (interaction: Interaction): boolean => {
    if (interaction.isChatInputCommand() || interaction.isAutocomplete()) {
      return interaction.commandName === data.name && !foreignIds.has(interaction.commandId);
    }
    return (interaction.isButton() || interaction.isModalSubmit()) && isPartOf(command, interaction.customId);
  };
  OPEN.set(client, isAnswered);
  const declared = followDeployment({
    replica,
    read: () => service.settings.get.query(),
    clock: Date.now,
    onError: () => {},
  });
  const dispatcher = dispatch(client, {
    commands,
    services: settingsServices(client, {
      service: service as GuildSettingsClient,
      replica,
      dashboardUrl,
      readsMessages: prefix,
    }),
    vocabulary,
    settingsOf: (guildId) => replica.get(guildId),
    declared,
    isSynced: () => replica.status.state !== 'SYNCING',
    isAnswered,
    cooldown: new Cooldown(DEFAULT_COOLDOWN),
    replies: new ChannelReplies(),
    readsMessages: prefix,
    onOutcome: () => {},
    onError: (error, reference) => onError(errorOf(error, `/${data.name} could not be answered`, reference)),
  });
  const closed = new AbortController();
  if (register) keepRegistered(client, { data, guilds, foreignIds, onError, signal: closed.signal });
  return {
    async close() {
      closed.abort();
      OPEN.delete(client);
      await dispatcher.stop();
    },
  };
}

/**
 * Returns the command in the format of Discord's registration, for a list that a bot registers itself. JSON has the names of Discord
 * alone. Sapphire reads those of discord.js, and would register the command for everybody without them.
 */
export function settingsCommandData(form: SettingsCommandForm = {}): CommandData & ChatInputApplicationCommandData {
  const data = dataOf(settingsCommandOf(form), vocabularyOf(form));
  Object.defineProperties(data, {
    nameLocalizations: { value: data.name_localizations },
    descriptionLocalizations: { value: data.description_localizations },
    defaultMemberPermissions: { value: data.default_member_permissions },
    integrationTypes: { value: data.integration_types },
  });
  return data as CommandData & ChatInputApplicationCommandData;
}

/** Returns whether an interaction is answered by the `settingsCommand` of its client. */
export function isSettingsInteraction(interaction: Interaction): boolean {
  return OPEN.get(interaction.client)?.(interaction) ?? false;
}

function vocabularyOf({ name, texts = {} }: SettingsCommandForm): Vocabulary {
  requireTexts(texts);
  return new Vocabulary(...(name === undefined ? [] : [Vocabulary.naming('settings', name)]), texts);
}

function dataOf(command: Command, vocabulary: Vocabulary): CommandData {
  const [data] = registrationOf([command], vocabulary);
  if (data === undefined) throw new Error('Expected the registration of a command');
  requireRegistrable(data);
  return data;
}

function isPartOf({ name, subcommands = {} }: Pick<Command, 'name' | 'subcommands'>, customId: string): boolean {
  const id = parseButtonId(customId);
  return id?.command === name && id.subcommand !== null && Object.hasOwn(subcommands, id.subcommand);
}

function errorOf(error: unknown, message: string, reference?: string): Error {
  const where = reference === undefined ? '' : ` (${reference})`;
  const why = error instanceof Error ? error.message : String(error);
  return new Error(`${message}${where}: ${why}`, { cause: error });
}

function logError({ message }: Error): void {
  process.emitWarning(message);
}

interface KeepOptions {
  readonly data: CommandData;
  readonly guilds: readonly string[] | undefined;
  readonly foreignIds: Set<string>;
  readonly onError: (error: Error) => void;
  readonly signal: AbortSignal;
}

/** Registers the command when the client is ready, and again where it was removed. */
function keepRegistered(client: Client, { data, guilds, foreignIds, onError, signal }: KeepOptions): void {
  const own = new Set<string>();
  const places: readonly (string | undefined)[] = guilds ?? [undefined];
  const registerIn = async (ready: Client<true>, guildId: string | undefined): Promise<void> => {
    const { written, kept, foreign } = await registerCommands(ready, {
      commands: [data],
      isOwn: (registered) => isVersionOf(registered, data),
      guildId,
    });
    for (const { id } of foreign) {
      if (!foreignIds.has(id))
        onError(
          new Error(
            `/${data.name} of this bot is another command, and is left alone: give settingsCommand another name`,
          ),
        );
      foreignIds.add(id);
    }
    const place = guildId ?? 'all guilds';
    if (own.has(place) && written.length > 0) {
      onError(
        new Error(
          `/${data.name} was removed, as by a program that registers a list of all commands, and was registered again: add settingsCommandData() to that list`,
        ),
      );
    }
    if (written.length + kept.length > 0) own.add(place);
  };
  const registerAll = async (ready: Client<true>) => {
    for (const place of places) {
      await registerIn(ready, place).catch((error) => onError(errorOf(error, `/${data.name} could not be registered`)));
    }
  };
  const start = async (ready: Client<true>): Promise<void> => {
    await registerAll(ready);
    let timer = setTimeout(async function check() {
      await registerAll(ready);
      if (!signal.aborted) timer = setTimeout(check, CHECK_EVERY_MS).unref();
    }, CHECK_AFTER_MS).unref();
    signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  };
  if (client.isReady()) void start(client);
  else client.once(Events.ClientReady, (ready) => void (signal.aborted || start(ready)));
}
