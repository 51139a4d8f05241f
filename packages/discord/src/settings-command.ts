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
import { type Command, findSlashAction } from './framework/command.ts';
import { registrationOf, requireRegistrable } from './framework/command-registration.ts';
import { dispatch } from './framework/dispatch/dispatch.ts';
import { parseButtonId } from './framework/dispatch/interactions.ts';
import { ChannelReplies, Cooldown, DEFAULT_COOLDOWN } from './framework/dispatch/run-action.ts';
import { requireTexts, type SettingsTexts } from './i18n/settings-texts.ts';
import { Vocabulary } from './i18n/translator.ts';
import {
  type CommandData,
  keepRegistered,
  Registration,
  type RegistrationOptions,
  registrationError,
} from './registration.ts';
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
  /** Called with the error of a reply or of the registration, whose message is a sentence; unless given, that is written as a warning. */
  readonly onError?: (error: Error) => void;
}

/** The command for settings of a client, while it is answered. */
export interface SettingsCommand {
  /** Answers no further interaction. Resolves when the running commands have replied. The command stays registered. */
  close(): Promise<void>;
}

const OPEN = new WeakMap<Client, (interaction: Interaction) => boolean>();

/**
 * Answers the command for settings of a bot, beside the commands of its own, and makes sure that it is registered. Other listeners
 * receive its interactions as well: see `isSettingsInteraction`.
 * @throws TypeError when the client has one already, or lacks the intents that messages need
 * @example
 * reportPresence(client, service);
 * settingsCommand(client, { service, replica });
 */
export function settingsCommand(client: Client, options: SettingsCommandOptions): SettingsCommand {
  const { service, replica, prefix = false, register = true, dashboardUrl, onError = logError } = options;
  if (OPEN.has(client)) throw new TypeError('Expected one settingsCommand of a client: close the other one first');
  const { GuildMessages, MessageContent } = GatewayIntentBits;
  if (prefix && !client.options.intents.has([GuildMessages, MessageContent])) {
    throw new TypeError('Expected a client with the intents GuildMessages and MessageContent, for the option prefix');
  }
  const command = settingsCommandOf(options);
  const commands = [command];
  const vocabulary = vocabularyOf(options);
  const data = dataOf(command, vocabulary);
  const registrations = register ? registrationsOf(data, options) : [];
  const isAnswered = (interaction: Interaction): boolean => {
    if (interaction.isChatInputCommand() || interaction.isAutocomplete()) {
      const { commandName, commandId, options: used } = interaction;
      const found = findSlashAction(commands, commandName, used.getSubcommand(false));
      return found !== undefined && !registrations.some((registration) => registration.isForeign(commandId));
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
      answersMessages: prefix,
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
  if (register) registerWhenReady(client, { registrations, name: data.name, onError, signal: closed.signal });
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
  process.emitWarning(message, 'guild-settings');
}

interface RegisterOptions {
  readonly registrations: readonly Registration[];
  readonly name: string;
  readonly onError: (error: Error) => void;
  readonly signal: AbortSignal;
}

/** Registers the command when the client is ready, and again where it was removed. A failure is reported once, until it is another. */
function registerWhenReady(client: Client, { registrations, name, onError, signal }: RegisterOptions): void {
  const failures = new Map<Registration, string>();
  const start = () =>
    void keepRegistered(client, registrations, {
      signal,
      onRegistered: (registration) => failures.delete(registration),
      onFailed(cause, registration) {
        const error = registrationError(cause, name);
        if (failures.get(registration) !== error.message) onError(error);
        failures.set(registration, error.message);
      },
    });
  if (client.isReady()) start();
  else client.once(Events.ClientReady, start);
  signal.addEventListener('abort', () => client.off(Events.ClientReady, start), { once: true });
}

function registrationsOf(
  data: CommandData,
  { guilds, onError = logError, ...form }: SettingsCommandOptions,
): Registration[] {
  const { name } = data;
  const common: RegistrationOptions = {
    commands: [data],
    // An earlier version of the bot may have had no texts of its own.
    known: [settingsCommandData({ ...form, texts: {} })],
    onForeign: () =>
      onError(
        new Error(
          `/${name} of this application is another command, which is left alone and not answered: give settingsCommand another name, or delete that command.`,
        ),
      ),
    onRemoved: (_, times) =>
      onError(
        new Error(
          `/${name} was removed, as by a program that registers a list of all commands, and is registered again: add settingsCommandData() to that list.${times > 1 ? ' Discord allows 200 new commands a day, so from now on it is registered again once an hour at most.' : ''}`,
        ),
      ),
  };
  if (guilds === undefined) return [new Registration(common)];
  // A command of all guilds with this name is in these guilds, too.
  return [
    new Registration({ ...common, writes: false }),
    ...guilds.map((guildId) => new Registration({ ...common, guildId })),
  ];
}
