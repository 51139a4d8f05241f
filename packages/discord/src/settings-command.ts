import type { RecordSettings } from '@guild-settings/contract';
import {
  type ButtonInteraction,
  type ChatInputApplicationCommandData,
  type Client,
  Events,
  GatewayIntentBits,
  type Interaction,
  type ModalSubmitInteraction,
} from 'discord.js';
import { type ReplicaState, type SettingsServices, settingsServices } from './commands/services.ts';
import { type SettingsCommandForm, settingsCommandOf } from './commands/settings.ts';
import type { CommandData } from './compare-commands.ts';
import type { Command } from './framework/command.ts';
import { registrationOf, requireRegistrable } from './framework/command-registration.ts';
import { dispatch } from './framework/dispatch/dispatch.ts';
import { parseButtonId } from './framework/dispatch/interactions.ts';
import { ChannelReplies, Cooldown, DEFAULT_COOLDOWN } from './framework/dispatch/run-action.ts';
import { findAction, findSlashAction } from './framework/find-command.ts';
import { requireTexts } from './i18n/settings-texts.ts';
import { Vocabulary } from './i18n/translator.ts';
import { keepRegistered, Registration, type RegistrationOptions, registrationError } from './registration.ts';
import { type DeclarationSource, followDeployment } from './settings/deployment.ts';
import type { SettingsService } from './settings/service.ts';

/** The part of a replica that is used. */
export interface SettingsReplica extends DeclarationSource {
  readonly status: ReplicaState;
  get(guildId: string): Readonly<RecordSettings>;
}

export interface SettingsCommandOptions extends SettingsCommandForm {
  /** A client of the service with the application's token. */
  readonly service: SettingsService;
  /** The replica of the bot, with any type of settings. */
  readonly replica: SettingsReplica;
  /** The guilds in which the command is registered and answered, for trials; all guilds unless given. */
  readonly guilds?: readonly string[];
  /** False: the bot itself registers `settingsCommandData`. */
  readonly register?: boolean;
  /** True: also in messages, with the guild's prefix. The client needs the intents GuildMessages and MessageContent. */
  readonly prefix?: boolean;
  /** The base URL of the dashboard, to which replies link. */
  readonly dashboardUrl?: string;
  /**
   * Called with an error of a reply or of the registration, with a readable message; unless given, it is a process
   * warning.
   */
  readonly onError?: (error: Error) => void;
}

/** The settings command of a client, until it is closed. */
export interface SettingsCommand {
  /** Ignores further interactions. Resolves when the running commands have replied. The command stays registered. */
  close(): Promise<void>;
}

const OPEN = new WeakMap<Client, (interaction: Interaction) => boolean>();

/**
 * Answers the settings command of a bot besides the bot's own commands, and keeps it registered. Other listeners also
 * receive its interactions: see `isSettingsInteraction`.
 * @throws TypeError when the client already has one, or lacks the intent Guilds, or those needed for messages
 * @example
 * reportPresence(client, service);
 * settingsCommand(client, { service, replica });
 */
export function settingsCommand(client: Client, options: SettingsCommandOptions): SettingsCommand {
  const { service, replica, guilds, prefix = false, register = true, dashboardUrl } = options;
  if (OPEN.has(client)) throw new TypeError('Expected one settingsCommand of a client: close the other one first');
  requireIntents(client, prefix);
  const onError = guarded(options.onError ?? logError);
  const command = settingsCommandOf(options);
  const commands = [command];
  const vocabulary = vocabularyOf(options);
  const data = dataOf(command, vocabulary);
  const registrations = register ? registrationsOf(data, { ...options, onError }) : [];
  const isAnswered = (interaction: Interaction): boolean => {
    // In other guilds, another process of the bot may answer.
    if (!interaction.inGuild() || guilds?.includes(interaction.guildId) === false) return false;
    if (interaction.isChatInputCommand() || interaction.isAutocomplete()) {
      const { commandName, commandId, options: used } = interaction;
      if (registrations.some((registration) => registration.isForeign(commandId))) return false;
      const isGrouped = used.getSubcommandGroup(false) !== null;
      return !isGrouped && findSlashAction(commands, commandName, used.getSubcommand(false)) !== undefined;
    }
    return (interaction.isButton() || interaction.isModalSubmit()) && isPartOf(interaction, command);
  };
  const closed = new AbortController();
  const { signal } = closed;
  const declared = followDeployment({
    replica,
    read: () => service.settings.get.query(undefined, { signal }),
    clock: Date.now,
    onError: () => {},
    signal,
  });
  const dispatcher = dispatch(client, {
    commands,
    services: settingsServices(client, { service, replica, dashboardUrl, answersMessages: prefix }),
    vocabulary,
    settingsOf: (guildId) => replica.get(guildId),
    declared,
    isSynced: () => replica.status.state !== 'SYNCING',
    isAnswered,
    guilds,
    cooldown: new Cooldown(DEFAULT_COOLDOWN),
    replies: new ChannelReplies(),
    readsMessages: prefix,
    onOutcome: () => {},
    onError: (error, reference) => onError(errorOf(error, `/${data.name} could not be answered`, reference)),
  });
  OPEN.set(client, isAnswered);
  if (register) registerWhenReady(client, { registrations, name: data.name, onError, signal });
  return {
    async close() {
      closed.abort();
      if (OPEN.get(client) === isAnswered) OPEN.delete(client);
      await dispatcher.stop();
    },
  };
}

/**
 * Returns the command in Discord's registration format, for bots that register a list themselves. As JSON it only has
 * Discord's property names. Sapphire reads those of discord.js, without which it would register the command for all
 * members.
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

/** Returns true if an interaction is answered by the `settingsCommand` of its client. */
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

/** @throws TypeError when the client lacks an intent */
function requireIntents({ options: { intents } }: Client, prefix: boolean): void {
  const needed = ['Guilds', ...(prefix ? (['GuildMessages', 'MessageContent'] as const) : [])] as const;
  const missing = needed.filter((name) => !intents.has(GatewayIntentBits[name]));
  if (missing.length === 0) return;
  const portal = ', and enable Message Content Intent for the bot in the developer portal';
  throw new TypeError(
    `Expected a client with the intents ${needed.join(', ')}${prefix ? ', which the option prefix needs' : ''}: ` +
      `add ${missing.join(', ')} to the intents of new Client()${missing.includes('MessageContent') ? portal : ''}`,
  );
}

/** Returns true if a button or a form belongs to a reply of a command, judged by its entire custom id. */
function isPartOf(
  interaction: ButtonInteraction | ModalSubmitInteraction,
  command: Command<SettingsServices>,
): boolean {
  const id = parseButtonId(interaction.customId);
  const found = id && findAction([command], id.command, id.subcommand);
  if (interaction.isButton()) return found?.action.button(id?.name ?? '') !== undefined;
  return found?.action.submit !== undefined && /^\d{17,20}$/.test(id?.name ?? '');
}

/** Returns a listener whose own errors are contained. */
function guarded(listener: (error: Error) => unknown): (error: Error) => void {
  return (error) => void new Promise((resolve) => resolve(listener(error))).catch(logError);
}

function errorOf(error: unknown, message: string, reference?: string): Error {
  const where = reference === undefined ? '' : ` (${reference})`;
  const why = error instanceof Error ? error.message : String(error);
  return new Error(`${message}${where}: ${why}`, { cause: error });
}

function logError(error: unknown): void {
  process.emitWarning(error instanceof Error ? error.message : String(error), 'guild-settings');
}

interface RegisterOptions {
  readonly registrations: readonly Registration[];
  readonly name: string;
  readonly onError: (error: Error) => void;
  readonly signal: AbortSignal;
}

/**
 * Registers the command when the client is ready, and again after it was removed. Each distinct failure is reported
 * once.
 */
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
  { guilds, onError, ...form }: SettingsCommandOptions & Required<Pick<SettingsCommandOptions, 'onError'>>,
): Registration[] {
  const { name } = data;
  const common: RegistrationOptions = {
    commands: [data],
    // An earlier version of the bot may not have had its own texts.
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
          `/${name} was removed, possibly by a program that registers a list of all commands, and is registered again: add settingsCommandData() to that list.${times > 1 ? ' Discord allows 200 new commands a day, so from now on it is registered again at most once an hour.' : ''}`,
        ),
      ),
  };
  if (guilds === undefined) return [new Registration(common)];
  // A command of all guilds with this name also exists in these guilds.
  return [
    new Registration({ ...common, writes: false }),
    ...guilds.map((guildId) => new Registration({ ...common, guildId })),
  ];
}
