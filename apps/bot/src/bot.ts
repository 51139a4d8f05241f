import { setTimeout as delay } from 'node:timers/promises';
import { clientCredentials, createGuildSettingsClient } from '@guild-settings/client';
import type { RecordSettings } from '@guild-settings/contract';
import { reportPresence } from '@guild-settings/presence';
import { DamagedFileError, openReplica, type Replica, type ReplicaStatus } from '@guild-settings/replica';
import { logRedaction, openLogOutput, type Redactor } from '@guild-settings/runtime/log';
import { type Client, Events, Routes } from 'discord.js';
import { type DestinationStream, pino } from 'pino';
import { COMMANDS } from './commands/command-list.ts';
import { followChannelLosses, lostChannelNotice, namedChannels } from './commands/settings/lost-channel.ts';
import { type BotConfig, VERSION } from './config.ts';
import { channelsOf } from './discord/channels.ts';
import {
  connectionOf,
  followClockSteps,
  followConnection,
  gatewayClient,
  isConnected,
  LoginRefusedError,
  logIn,
  requireApplication,
  retry,
} from './discord/gateway-client.ts';
import { registrationOf } from './framework/command-registration.ts';
import { dispatch } from './framework/dispatch/dispatch.ts';
import { ChannelReplies, Cooldown, type CooldownOptions, DEFAULT_COOLDOWN } from './framework/dispatch/run-action.ts';
import { botMetrics, startHealthServer } from './monitoring/health.ts';
import {
  botRedactor,
  connectedText,
  connectionLog,
  isWithoutToken,
  redactInteractionTokens,
  redactTokens,
  startText,
  tokenHealth,
  warnOnce,
} from './monitoring/log.ts';
import { ReminderDelivery } from './reminders/reminder-delivery.ts';
import { openReminders, type Reminders } from './reminders/reminders.ts';
import { followDeployment } from './settings/deployment.ts';
import { followJoins } from './settings/join-language.ts';
import { accessReader, settingsWriter } from './settings/service.ts';
import { settingsHistory } from './settings/settings-history.ts';

const DISCONNECT_TIMEOUT_MS = 1_500;

const SERVICE_TIMEOUT_MS = 4_000;

export interface Bot {
  /** Base URL of /healthz, /readyz and /metrics, without a trailing slash. */
  readonly healthUrl: string;
  readonly status: ReplicaStatus;
  settingsOf(guildId: string): Readonly<RecordSettings>;
  /**
   * Resolves when the bot is connected to Discord and its commands are registered, or is stopped before. Rejects with
   * LoginRefusedError, or when Discord refuses the commands.
   */
  readonly connected: Promise<void>;
  /** Finishes running commands and deliveries, and stops within seconds. Further calls wait for the first. */
  stop(): Promise<void>;
}

export interface BotOptions {
  /** Receives the log's lines, without secrets; standard output by default. */
  readonly logTo?: DestinationStream;
  /** Removes secrets from the log; by default those of the configuration. */
  readonly redactor?: Redactor;
  /** Returns milliseconds since 1970; `Date.now` by default. */
  readonly clock?: () => number;
  readonly limits?: { readonly cooldown?: CooldownOptions; readonly maxPendingReplies?: number };
  /** Time for running commands and deliveries to finish when the bot stops, in milliseconds; five seconds by default. */
  readonly drainTimeoutMs?: number;
  /** Called when Discord has ended a connection for good: the process has to be replaced. */
  readonly onEnded?: (reason: LoginRefusedError) => void;
  /** Called with the discord.js client before it connects. */
  readonly onClient?: (client: Client) => void;
}

/**
 * Starts a bot. Its settings are read from its file; the service and Discord are connected as soon as they can be reached.
 */
export async function startBot(config: BotConfig, options: BotOptions = {}): Promise<Bot> {
  const { redactor = botRedactor(config), logTo, clock = Date.now, limits = {}, onEnded, onClient } = options;
  const { drainTimeoutMs = 5_000 } = options;
  const logOptions = { level: config.logLevel, ...logRedaction(redactor) };
  const logger = pino(logOptions, logTo ?? openLogOutput());
  const { apiUrl, discord, databasePath, shards } = config;
  const { applicationId } = discord;
  const warn = (message: string) => warnOnce({ logger, message });
  logger.info({ version: VERSION, node: process.version }, startText(config));

  // The service and the replica of its settings.
  const token = tokenHealth(logger, (outcome) => metrics.tokenRequest(outcome));
  const granted = clientCredentials({ ...discord, discordApiUrl: discord.apiUrl, onGrant: token.onGrant });
  const tokens = redactTokens(granted, redactor);
  const service = createGuildSettingsClient({ url: apiUrl, token: tokens, timeoutMs: SERVICE_TIMEOUT_MS, retries: 1 });
  const connection = (lost: string, back: string) => connectionLog({ logger, lost, back });
  const serviceLog = connection('the settings service was lost', 'the settings are up to date again');
  const fileDamaged = warn('the file of DATABASE_URL is damaged: docs/operate.md#a-damaged-file-of-the-bot');
  const replica = openReplica({
    apiUrl,
    credentials: tokens,
    path: databasePath,
    // Reminders are in it.
    damagedFile: 'throw',
    shards,
    ...config.reset,
    clock,
    onRemoved: (guildId) => presence.reportAgain(guildId),
    onHeld: (reset) =>
      logger.error(
        reset,
        `The settings service sends a new history in which most guilds are missing or have the defaults. The old settings stay in use. To accept it, restart with ACCEPT_EPOCH=${reset.epoch}`,
      ),
    log: {
      warn: ({ err }) => {
        if (err instanceof DamagedFileError) fileDamaged(err);
        else if (serviceLog.failed(err)) replica.waitUntilLive().then(serviceLog.recovered, () => {});
      },
      error: (fields, message) => logger.error(fields, message),
    },
  });
  const settingsOf = (guildId: string) => replica.get(guildId);
  const declared = followDeployment({
    replica,
    read: () => service.settings.get.query(),
    clock,
    // The replica logs that the service is lost, and its health that there is no token.
    onError: (err) => {
      if (!isWithoutToken(err)) logger.debug({ err }, 'the texts of the settings could not be read');
    },
  });

  const reminders = openRemindersBeside(replica, databasePath);

  // Discord.
  const client = gatewayClient({ apiUrl: discord.apiUrl, shards, readsMessages: config.readsMessages });
  // Before any other listener receives an interaction.
  redactInteractionTokens(client, redactor);
  onClient?.(client);
  const endClockSteps = followClockSteps(client.rest);
  const channels = channelsOf(client);
  const metrics = botMetrics({
    replica,
    pendingReminders: () => reminders.pending(),
    gatewayPing: () => client.ws.ping,
    guilds: () => client.guilds.cache.size,
  });
  const reminderFailed = warn('reminders could not be sent');
  const delivery = new ReminderDelivery({
    queue: reminders,
    channels,
    settingsOf,
    hasSettings: (guildId) => replica.has(guildId),
    clock,
    onDelivered: metrics.reminder,
    onError: (error, reminder) => reminderFailed(DamagedFileError.of(error, databasePath), { reminder: reminder?.id }),
  });
  const presenceLog = connection('the guilds could not be reported', 'the guilds are reported again');
  const joinsReported = config.setsJoinLanguage
    ? followJoins(client, { settings: service, onError: warn('the language of a joined server could not be set') })
    : () => {};
  const presence = reportPresence(client, service, {
    onError: presenceLog.failed,
    onReported() {
      presenceLog.recovered();
      joinsReported();
    },
  });
  const history = settingsHistory(service);
  const pageOf = (guildId: string) => config.dashboardUrl && `${config.dashboardUrl}/guilds/${guildId}`;
  const { lastAuthor } = history;
  const tellLoss = lostChannelNotice({ client, channels, settingsOf, declared, pageOf, lastAuthor });
  const lossFailed = warn('that a channel was lost could not be said');
  followChannelLosses(client, {
    channelsOf: (guildId) => namedChannels(settingsOf(guildId), declared()),
    onLoss: (loss) => void tellLoss(loss).catch((error) => lossFailed(error, loss)),
  });
  const dispatcher = dispatch(client, {
    commands: COMMANDS,
    services: {
      connection: connectionOf(client, applicationId),
      replica,
      settings: settingsWriter(service),
      history,
      access: accessReader(service),
      channels,
      reminders,
      pageOf,
      clock,
    },
    settingsOf,
    declared,
    isSynced: () => replica.status.state !== 'SYNCING',
    cooldown: new Cooldown(limits.cooldown ?? DEFAULT_COOLDOWN),
    replies: new ChannelReplies(limits.maxPendingReplies),
    onOutcome: (path, outcome, trigger) => metrics.command({ command: path.join(' '), trigger, outcome }),
    onError: (error, reference) =>
      logger.error({ err: DamagedFileError.of(error, databasePath), reference }, 'a command could not be answered'),
  });
  client.on(Events.Error, warn('discord.js'));
  followConnection(client, connection('the gateway was lost', 'the gateway is connected again'));
  client.on(Events.ShardDisconnect, ({ code }, shard) => {
    const reason = LoginRefusedError.ofCloseCode(code);
    logger.error({ code, shard }, reason.message);
    onEnded?.(reason);
  });

  const stopping = new AbortController();
  const health = await startHealthServer({
    ...config.health,
    metrics,
    onError: warn('health or metrics could not be rendered'),
    health: () => ({
      isConnected: isConnected(client),
      isStopping: stopping.signal.aborted,
      token: token.check,
      replica: { ...replica.status, revision: replica.metrics.revision },
    }),
  }).catch(async (error: unknown) => {
    await client.destroy();
    endClockSteps();
    reminders.close();
    await replica.close();
    throw error;
  });

  const connect = async () => {
    const { signal } = stopping;
    const discordLog = connection('Discord cannot be reached', 'Discord can be reached again');
    const onRetry = (error: unknown) => discordLog.failed(error);
    await logIn(client, discord.botToken, { signal, onRetry });
    discordLog.recovered();
    if (signal.aborted) return;
    requireApplication(client, applicationId);
    delivery.start();
    // Of several processes the one with shard 0 registers the commands.
    if (shards === null || shards.ids.includes(0)) {
      const put = { body: registrationOf(COMMANDS), signal };
      await retry(() => client.rest.put(Routes.applicationCommands(applicationId), put), { signal, onRetry });
      discordLog.recovered();
    }
    logger.info({ shards: client.options.shards, health: health.url }, connectedText(client));
  };

  const stopAll = async () => {
    stopping.abort();
    const drained = new AbortController();
    const deadline = AbortSignal.any([drained.signal, AbortSignal.timeout(drainTimeoutMs)]);
    const finished = Promise.all([dispatcher.stop(), delivery.stop(deadline)]);
    await Promise.race([finished, delay(drainTimeoutMs, undefined, { signal: drained.signal }).catch(() => {})]);
    drained.abort();
    await presence.stop();
    await connected.catch(() => {});
    // The end of the connection is no loss.
    client.removeAllListeners(Events.ShardReconnecting);
    // A lost gateway does not confirm the end of the connection.
    await Promise.race([client.destroy(), delay(DISCONNECT_TIMEOUT_MS)]);
    endClockSteps();
    reminders.close();
    await replica.close();
    await health.close();
    logger.info('the bot has stopped');
  };

  const connected = connect().catch((error: unknown) => {
    if (!stopping.signal.aborted) throw error;
  });
  connected.catch(() => {});
  let stopped: Promise<void> | undefined;
  return {
    healthUrl: health.url,
    connected,
    settingsOf,
    get status() {
      return replica.status;
    },
    stop() {
      stopped ??= stopAll();
      return stopped;
    },
  };
}

/** Opens the reminders in the replica's file. Where that fails, closes the replica, which would keep the process running. */
function openRemindersBeside(replica: Replica, path: string): Reminders {
  try {
    return openReminders(path);
  } catch (error) {
    void replica.close();
    throw DamagedFileError.of(error, path);
  }
}
