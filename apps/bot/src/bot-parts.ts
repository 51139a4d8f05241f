import {
  clientCredentials,
  createGuildSettingsClient,
  type GuildSettingsClient,
  type TokenSource,
} from '@guild-settings/client';
import type { DeclaredSettings } from '@guild-settings/contract/settings';
import { reportPresence } from '@guild-settings/discord';
import {
  CHECK_INTERVALS,
  ChannelReplies,
  Cooldown,
  type CooldownOptions,
  code,
  DEFAULT_COOLDOWN,
  type Dispatcher,
  dispatch,
  followDeployment,
  type Invocation,
  keepRegistered,
  nameOf,
  Registration,
  registrationOf,
} from '@guild-settings/discord/framework';
import { DamagedFileError, openReplica, type Replica } from '@guild-settings/replica';
import { logRedaction, openLogOutput, type Redactor } from '@guild-settings/runtime/log';
import { type Client, Events } from 'discord.js';
import { type DestinationStream, pino } from 'pino';
import { COMMANDS } from './commands/command-list.ts';
import { tellLostChannels } from './commands/lost-channel.ts';
import type { Services } from './commands/services.ts';
import type { BotConfig } from './config.ts';
import { followConnection, LoginRefusedError, logIn, requireApplication, retry } from './discord/gateway-client.ts';
import { followJoins } from './discord/join-language.ts';
import { botText, VOCABULARY } from './i18n/bot-text.ts';
import type { BotMetrics } from './monitoring/health.ts';
import { botRedactor, connectionLog, isWithoutToken, redactTokens, tokenHealth, warnOnce } from './monitoring/log.ts';
import { ReminderDelivery } from './reminders/reminder-delivery.ts';
import type { Reminders } from './reminders/reminders.ts';
import { type BotDatabase, openBotDatabase } from './storage/bot-database.ts';
import { registeredCommandsIn } from './storage/registered-commands.ts';

const SERVICE_TIMEOUT_MS = 4_000;

export interface Surroundings {
  /** Receives the log's lines, without secrets; standard output by default. */
  readonly logTo?: DestinationStream;
  /** Removes secrets from the log; by default those of the configuration. */
  readonly redactor?: Redactor;
  /** Returns milliseconds since 1970; `Date.now` by default. */
  readonly clock?: () => number;
}

export interface CommandLimits {
  readonly cooldown?: CooldownOptions;
  readonly maxPendingReplies?: number;
}

type Context = ReturnType<typeof contextOf>;

export function contextOf(
  config: BotConfig,
  { redactor = botRedactor(config), logTo, clock = Date.now }: Surroundings,
) {
  const logger = pino({ level: config.logLevel, ...logRedaction(redactor) }, logTo ?? openLogOutput());
  return {
    config,
    clock,
    redactor,
    logger,
    warn: (message: string) => warnOnce({ logger, message }),
    connection: (lost: string, back: string) => connectionLog({ logger, lost, back }),
  };
}

export interface Parts {
  readonly service: GuildSettingsClient;
  readonly replica: Replica;
  readonly declared: () => DeclaredSettings;
  readonly reminders: Reminders;
  readonly registration: Registration;
  readonly client: Client;
  readonly metrics: BotMetrics;
  readonly services: Services;
}

export function connectService({ config, logger, redactor }: Context, countGrant: BotMetrics['tokenRequest']) {
  const { apiUrl, discord } = config;
  const token = tokenHealth(logger, countGrant);
  const granted = clientCredentials({ ...discord, discordApiUrl: discord.apiUrl, onGrant: token.onGrant });
  const tokens = redactTokens(granted, redactor);
  const service = createGuildSettingsClient({ url: apiUrl, token: tokens, timeoutMs: SERVICE_TIMEOUT_MS, retries: 1 });
  return { service, tokens, token };
}

export function followSettings(
  { config, clock, logger }: Context,
  credentials: TokenSource,
  onRemoved: (guildId: string) => void,
): Replica {
  return openReplica({
    apiUrl: config.apiUrl,
    credentials,
    path: config.databasePath,
    // The file contains reminders, which cannot be fetched again.
    damagedFile: 'throw',
    shards: config.shards,
    ...config.reset,
    clock,
    onRemoved,
    onHeld: (reset) =>
      logger.error(
        reset,
        `The settings service sends a new history in which most guilds are missing or have the defaults. The old settings stay in use, for ${Math.ceil(config.reset.holdMs / 60_000)} min at most. If it is meant, as after a restore, restart with ACCEPT_EPOCH=${reset.epoch} to use it now: docs/operate.md#restore`,
      ),
    log: logger,
  });
}

export function followDeclaration({ clock, logger }: Context, replica: Replica, service: GuildSettingsClient) {
  return followDeployment({
    replica,
    read: () => service.settings.get.query(),
    clock,
    // The replica logs a lost service, and its health logs a missing token.
    onError: (err) => {
      if (!isWithoutToken(err)) logger.debug({ err }, 'the texts of the settings could not be read');
    },
  });
}

/**
 * Opens the bot's tables in the replica's file. On failure, closes the replica, which would keep the process running.
 */
export function openDatabaseBeside(replica: Replica, path: string): BotDatabase {
  try {
    return openBotDatabase(path);
  } catch (error) {
    void replica.close();
    throw DamagedFileError.of(error, path);
  }
}

export function deliverReminders({ config, clock, warn }: Context, { reminders, replica, services, metrics }: Parts) {
  const failed = warn('reminders could not be sent');
  return new ReminderDelivery({
    queue: reminders,
    channels: services.channels,
    settingsOf: (guildId) => replica.get(guildId),
    hasSettings: (guildId) => replica.has(guildId),
    clock,
    onDelivered: metrics.reminder,
    onError: (error, reminder) => failed(DamagedFileError.of(error, config.databasePath), { reminder: reminder?.id }),
  });
}

export function reportGuilds({ config, warn, connection }: Context, { client, service }: Parts) {
  const { failed, recovered } = connection('the guilds could not be reported', 'the guilds are reported again');
  const joinsReported = config.setsJoinLanguage
    ? followJoins(client, { settings: service, onError: warn('the language of a joined server could not be set') })
    : () => {};
  return reportPresence(client, service, {
    onError: failed,
    onReported() {
      recovered();
      joinsReported();
    },
  });
}

export function tellServersOfLosses({ warn }: Context, { client, replica, declared, services }: Parts): void {
  tellLostChannels(client, {
    ...services,
    settingsOf: (guildId) => replica.get(guildId),
    declared,
    lastAuthor: services.history.lastAuthor,
    onError: warn('a lost channel could not be reported'),
  });
}

/**
 * Returns the registration of the commands in the list of the application, to which other programs may add theirs.
 * Among several processes, the one with shard 0 writes.
 */
export function registrationIn(database: BotDatabase, { config, logger, clock }: Context): Registration {
  return new Registration({
    commands: registrationOf(COMMANDS, VOCABULARY),
    writes: config.shards === null || config.shards.ids.includes(0),
    own: registeredCommandsIn(database, config.discord.applicationId),
    clock,
    onForeign: (name) =>
      logger.warn(
        { command: name },
        `/${name} of this application is a command of another program. It is left alone, and this bot does not answer it: docs/operate.md#commands-of-the-bot`,
      ),
    onRemoved: (name, times) =>
      logger.warn(
        { command: name, times },
        `/${name} was removed by another program, and is registered again, from the third time on at most once an hour: docs/operate.md#commands-of-the-bot`,
      ),
  });
}

export function runCommands(
  { config, logger }: Context,
  { client, replica, declared, registration, metrics, services }: Parts,
  limits: CommandLimits = {},
): Dispatcher {
  return dispatch(client, {
    commands: COMMANDS,
    services,
    vocabulary: VOCABULARY,
    readsMessages: config.readsMessages,
    mentionHint,
    settingsOf: (guildId) => replica.get(guildId),
    declared,
    isSynced: () => replica.status.state !== 'SYNCING',
    isAnswered: (interaction) => !('commandId' in interaction) || !registration.isForeign(interaction.commandId),
    cooldown: new Cooldown(limits.cooldown ?? DEFAULT_COOLDOWN),
    replies: new ChannelReplies(limits.maxPendingReplies),
    onOutcome: (path, outcome, trigger) => metrics.command({ command: path.join(' '), trigger, outcome }),
    onError: (error, reference) =>
      logger.error(
        { err: DamagedFileError.of(error, config.databasePath), reference },
        'a command could not be answered',
      ),
  });
}

function mentionHint(invocation: Invocation): string {
  const { settings, translator } = invocation;
  const t = botText(translator);
  const help = nameOf(invocation, ['help']);
  return settings.prefix === ''
    ? t('mentioned.withoutPrefix', { help })
    : t('mentioned.withPrefix', { prefix: code(settings.prefix), help });
}

export function logConnection(
  { logger, warn, connection }: Context,
  client: Client,
  onEnded?: (reason: LoginRefusedError) => void,
): void {
  client.on(Events.Error, warn('discord.js'));
  followConnection(client, connection('the gateway was lost', 'the gateway is connected again'));
  client.on(Events.ShardDisconnect, ({ code }, shard) => {
    const reason = LoginRefusedError.ofCloseCode(code);
    logger.error({ code, shard }, reason.message);
    onEnded?.(reason);
  });
}

/**
 * Logs in, registers the commands, and regularly checks that they still are.
 * @returns false: `signal` was aborted before
 * @throws LoginRefusedError
 */
export async function connectToDiscord(
  { config, connection }: Context,
  { client, registration }: Pick<Parts, 'client' | 'registration'>,
  signal: AbortSignal,
  whenLoggedIn: () => void,
): Promise<boolean> {
  const { applicationId, botToken } = config.discord;
  const { failed, recovered } = connection('Discord cannot be reached', 'Discord can be reached again');
  const retryOptions = { signal, onRetry: (error: unknown) => failed(error) };
  await logIn(client, botToken, retryOptions);
  recovered();
  if (signal.aborted) return false;
  requireApplication(client, applicationId);
  whenLoggedIn();
  await retry(() => registration.register(client, applicationId, signal), retryOptions);
  recovered();
  void keepRegistered(client, [registration], {
    signal,
    afterMs: CHECK_INTERVALS.firstMs,
    onFailed: failed,
    onRegistered: recovered,
  });
  return true;
}
