import { setTimeout as delay } from 'node:timers/promises';
import type { RecordSettings } from '@guild-settings/contract';
import { type Dispatcher, settingsServices } from '@guild-settings/discord/framework';
import type { ReplicaStatus } from '@guild-settings/replica';
import { lastBackupSeconds } from '@guild-settings/runtime/metrics';
import { type Client, Events } from 'discord.js';
import {
  type CommandLimits,
  connectService,
  connectToDiscord,
  contextOf,
  deliverReminders,
  followDeclaration,
  followSettings,
  logConnection,
  openDatabaseBeside,
  type Parts,
  registrationIn,
  reportGuilds,
  runCommands,
  type Surroundings,
  tellServersOfLosses,
} from './bot-parts.ts';
import type { Services } from './commands/services.ts';
import { type BotConfig, VERSION } from './config.ts';
import { channelsOf } from './discord/channels.ts';
import {
  followClockSteps,
  gatewayClient,
  isConnected,
  type LoginRefusedError,
  shardsOf,
} from './discord/gateway-client.ts';
import { botMetrics, startHealthServer } from './monitoring/health.ts';
import { connectedText, redactInteractionTokens, startText } from './monitoring/log.ts';
import type { ReminderDelivery } from './reminders/reminder-delivery.ts';
import { remindersIn } from './reminders/reminders.ts';

const DISCONNECT_TIMEOUT_MS = 1_500;

export interface Bot {
  /** Base URL of /healthz, /readyz and /metrics, without a trailing slash. */
  readonly healthUrl: string;
  readonly status: ReplicaStatus;
  settingsOf(guildId: string): Readonly<RecordSettings>;
  /**
   * Resolves when the bot is connected to Discord and its commands are registered, or when it is stopped before.
   * Rejects with LoginRefusedError, or when Discord refuses the commands.
   */
  readonly connected: Promise<void>;
  /** Finishes running commands and deliveries, and stops within seconds. Further calls wait for the first. */
  stop(): Promise<void>;
}

export interface BotOptions extends Surroundings {
  readonly limits?: CommandLimits;
  /** Time for running commands and deliveries to finish when the bot stops, in milliseconds; five seconds by default. */
  readonly drainTimeoutMs?: number;
  /** Called when Discord has permanently ended a connection: the process has to be replaced. */
  readonly onEnded?: (reason: LoginRefusedError) => void;
  /** Called with the discord.js client before it connects. */
  readonly onClient?: (client: Client) => void;
}

/**
 * Starts a bot. Its settings are read from its file; it connects to the service and Discord as soon as they can be
 * reached.
 */
export async function startBot(config: BotConfig, options: BotOptions = {}): Promise<Bot> {
  const context = contextOf(config, options);
  const { clock, logger } = context;
  logger.info({ version: VERSION, node: process.version }, startText(config));

  const { service, tokens, token } = connectService(context, (outcome) => metrics.tokenRequest(outcome));
  const replica = followSettings(context, tokens, (guildId) => presence.reportAgain(guildId));
  const declared = followDeclaration(context, replica, service);
  const database = openDatabaseBeside(replica, config.databasePath);
  const reminders = remindersIn(database);
  const registration = registrationIn(database, context);
  const client = gatewayClient({
    apiUrl: config.discord.apiUrl,
    shards: config.shards,
    readsMessages: config.readsMessages,
  });
  // Registered before any other listener that receives an interaction.
  redactInteractionTokens(client, context.redactor);
  options.onClient?.(client);
  const endClockSteps = followClockSteps(client.rest);
  const metrics = botMetrics({
    replica,
    pendingReminders: () => reminders.pending(),
    gatewayPing: () => client.ws.ping,
    guilds: () => client.guilds.cache.size,
    lastBackup: () => lastBackupSeconds(config.databasePath),
  });
  const services: Services = {
    ...settingsServices(client, { service, replica, dashboardUrl: config.dashboardUrl, clock }),
    shards: shardsOf(client),
    replica,
    channels: channelsOf(client),
    reminders,
  };
  const parts: Parts = { service, replica, declared, reminders, registration, client, metrics, services };
  const delivery = deliverReminders(context, parts);
  const presence = reportGuilds(context, parts);
  tellServersOfLosses(context, parts);
  const dispatcher = runCommands(context, parts, options.limits);
  logConnection(context, client, options.onEnded);

  const stopping = new AbortController();
  const close = async () => {
    // A lost gateway does not confirm the end of the connection.
    await Promise.race([client.destroy(), delay(DISCONNECT_TIMEOUT_MS)]);
    endClockSteps();
    database.$client.close();
    await replica.close();
  };
  const health = await startHealthServer({
    ...config.health,
    metrics,
    onError: context.warn('health or metrics could not be rendered'),
    health: () => ({
      isConnected: isConnected(client),
      isStopping: stopping.signal.aborted,
      token: token.check,
      replica: { ...replica.status, revision: replica.metrics.revision },
    }),
  }).catch(async (error: unknown) => {
    await close();
    throw error;
  });

  const connected = connectToDiscord(context, parts, stopping.signal, () => delivery.start())
    .then((isLoggedIn) => {
      if (isLoggedIn) logger.info({ shards: client.options.shards, health: health.url }, connectedText(client));
    })
    .catch((error: unknown) => {
      if (!stopping.signal.aborted) throw error;
    });
  connected.catch(() => {});
  const stopAll = async () => {
    stopping.abort();
    await drain(dispatcher, delivery, options.drainTimeoutMs);
    await presence.stop();
    await connected.catch(() => {});
    // Ending the connection is not a loss.
    client.removeAllListeners(Events.ShardReconnecting);
    await close();
    await health.close();
    logger.info('the bot has stopped');
  };
  let stopped: Promise<void> | undefined;
  return {
    healthUrl: health.url,
    connected,
    settingsOf: (guildId) => replica.get(guildId),
    get status() {
      return replica.status;
    },
    stop() {
      stopped ??= stopAll();
      return stopped;
    },
  };
}

/** Waits until running commands and deliveries have finished, but no longer than the timeout. */
async function drain(dispatcher: Dispatcher, delivery: ReminderDelivery, timeoutMs = 5_000): Promise<void> {
  const drained = new AbortController();
  const deadline = AbortSignal.any([drained.signal, AbortSignal.timeout(timeoutMs)]);
  const finished = Promise.all([dispatcher.stop(), delivery.stop(deadline)]);
  await Promise.race([finished, delay(timeoutMs, undefined, { signal: drained.signal }).catch(() => {})]);
  drained.abort();
}
