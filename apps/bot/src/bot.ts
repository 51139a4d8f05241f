import { setTimeout as delay } from 'node:timers/promises';
import { clientCredentials, createGuildSettingsClient } from '@guild-settings/client';
import type { GuildSettings } from '@guild-settings/contract';
import { logRedaction, type Redactor } from '@guild-settings/log-redaction';
import { type Client, Events, Routes, Status } from 'discord.js';
import { type DestinationStream, pino } from 'pino';
import { COMMANDS } from './commands/command-list.ts';
import type { BotConfig } from './config.ts';
import { holdFile } from './database/hold-file.ts';
import { channelsOf } from './discord/channels.ts';
import { followClockSteps } from './discord/clock-steps.ts';
import { registrationOf } from './discord/command-registration.ts';
import { connectionOf } from './discord/connection.ts';
import { gatewayClient, logIn } from './discord/gateway-client.ts';
import { keepTrying } from './discord/keep-trying.ts';
import { ChannelReplies } from './doors/channel-replies.ts';
import { Cooldown, type CooldownOptions, DEFAULT_COOLDOWN } from './doors/cooldown.ts';
import { listen } from './doors/listen.ts';
import { botMetrics } from './ops/bot-metrics.ts';
import { botRedactor, redactInteractionTokens, redactTokens } from './ops/bot-redactor.ts';
import { startHealthServer } from './ops/health-server.ts';
import { tokenHealth } from './ops/token-health.ts';
import { warnOnce } from './ops/warn-once.ts';
import { PresenceReporter } from './presence/presence-reporter.ts';
import { ReminderDelivery } from './reminders/reminder-delivery.ts';
import { openReminders } from './reminders/reminders.ts';
import { followService } from './replica/follow-service.ts';
import { Replica, type ReplicaStatus } from './replica/replica.ts';
import type { HeldReset } from './replica/reset-guard.ts';
import { settingsWriter } from './settings/settings-writer.ts';

/** How long commands and reminders under way may take to finish, in milliseconds. */
const DRAIN_TIME = 5_000;

/** How long Discord may take to let go, in milliseconds. */
const FAREWELL_TIME = 1_500;

/** A command waits no longer than this for each of two tries to reach the service, in milliseconds. */
const SERVICE_PATIENCE = 4_000;

/** A running bot. */
export interface Bot {
  /** Where /healthz, /readyz and /metrics are, without a slash at the end. */
  readonly healthUrl: string;
  /** How fresh the settings are. */
  readonly status: ReplicaStatus;
  /** The settings of a guild as the bot uses them now. */
  settingsOf(guildId: string): Readonly<GuildSettings>;
  /**
   * Resolves when the bot is connected to Discord and its commands are registered, or is stopped before. Rejects with
   * LoginRefusedError, or when Discord refuses the commands.
   */
  readonly connected: Promise<void>;
  /** Finishes what is under way, and stops within seconds. May be called again. */
  stop(): Promise<void>;
}

export interface BotOptions {
  /** Receives the log's lines, without secrets; standard output unless given. */
  readonly logTo?: DestinationStream;
  /** Removes secrets from the log; one that knows those of the configuration unless given. */
  readonly redactor?: Redactor;
  /** Milliseconds since 1970; the system's clock unless given. */
  readonly clock?: () => number;
  /** How often a person may use a command, and how many replies may wait in a channel. */
  readonly limits?: { readonly cooldown?: CooldownOptions; readonly maxPendingReplies?: number };
  /** Called when Discord has ended a connection for good, with its close code: this process is of no more use. */
  readonly onEnded?: (code: number) => void;
  /** Called with the discord.js client before it connects. */
  readonly onClient?: (client: Client) => void;
}

/**
 * Starts a bot: it has its settings from its file at once, and connects to the service and to Discord as soon as they are
 * there.
 */
export async function startBot(config: BotConfig, options: BotOptions = {}): Promise<Bot> {
  const { redactor = botRedactor(config), logTo, clock = Date.now, limits = {}, onEnded, onClient } = options;
  const logOptions = { level: config.logLevel, ...logRedaction(redactor) };
  const logger = logTo === undefined ? pino(logOptions) : pino(logOptions, logTo);
  const { apiUrl, discord, databasePath, shards } = config;
  const { applicationId } = discord;
  const warn = (message: string) => warnOnce({ logger, message });

  const releaseFile = holdFile(databasePath);

  // The service, and the settings that are followed there.
  const token = tokenHealth(logger, (outcome) => metrics.tokenRequest(outcome));
  const granted = clientCredentials({ ...discord, discordApiUrl: discord.apiUrl, onGrant: token.onGrant });
  const tokens = redactTokens(granted, redactor);
  const service = createGuildSettingsClient({ url: apiUrl, token: tokens, timeoutMs: SERVICE_PATIENCE, retries: 1 });
  const following = followService({ url: apiUrl, tokens, shards });
  const onLost = warn('the settings service was lost');
  const onHeld = (reset: HeldReset) =>
    logger.error(
      reset,
      `The settings service offers a new history in which most guilds are missing or have the defaults. The old settings serve on. If it is meant, restart with ACCEPT_EPOCH=${reset.epoch}`,
    );
  const replica = new Replica({ path: databasePath, ...following, ...config.reset, clock, onError: onLost, onHeld });
  const settingsOf = (guildId: string) => replica.get(guildId);

  // Discord, and what is done there.
  const client = gatewayClient({ apiUrl: discord.apiUrl, shards });
  // Before anything else receives an interaction.
  redactInteractionTokens(client, redactor);
  onClient?.(client);
  const endClockSteps = followClockSteps(client.rest);
  const channels = channelsOf(client);
  const reminders = openReminders(databasePath);
  const metrics = botMetrics({
    replica,
    pendingReminders: () => reminders.pending(),
    gatewayPing: () => client.ws.ping,
    guilds: () => client.guilds.cache.size,
  });
  const delivery = new ReminderDelivery({
    queue: reminders,
    channels,
    settingsOf,
    knows: (guildId) => replica.knows(guildId),
    clock,
    onDelivered: metrics.reminder,
    onError: (error, reminder) => logger.warn({ err: error, reminder: reminder?.id }, 'reminders could not be sent'),
  });
  const presence = new PresenceReporter({
    client,
    report: (report, signal) => service.presence.report.mutate(report, { signal }),
    onError: warn('the guilds could not be reported'),
  });
  const listening = listen(client, {
    commands: COMMANDS,
    services: {
      connection: connectionOf(client, applicationId),
      replica,
      settings: settingsWriter(service),
      channels,
      reminders,
      clock,
    },
    settingsOf,
    isSynced: () => replica.status.state !== 'SYNCING',
    cooldown: new Cooldown(limits.cooldown ?? DEFAULT_COOLDOWN),
    replies: new ChannelReplies(limits.maxPendingReplies),
    onAnswered: (path, outcome, door) => metrics.command({ command: path.join(' '), door, outcome }),
    onError: (error, reference) => logger.error({ err: error, reference }, 'a command could not be answered'),
  });
  client.on(Events.Error, warn('discord.js'));
  client.on(Events.ShardError, warn('the gateway was lost'));
  client.on(Events.ShardDisconnect, ({ code }, shard) => {
    logger.error({ code, shard }, 'Discord ended the connection for good');
    onEnded?.(code);
  });

  const stopping = new AbortController();
  const health = await startHealthServer({
    ...config.health,
    metrics,
    onError: warn('health or metrics could not be told'),
    health: () => ({
      isConnected: client.isReady() && client.ws.shards.every(({ status }) => status === Status.Ready),
      isStopping: stopping.signal.aborted,
      token: token.check,
      replica: { ...replica.status, revision: replica.counts.revision },
    }),
  }).catch(async (error: unknown) => {
    await client.destroy();
    endClockSteps();
    await replica.stop();
    reminders.close();
    releaseFile();
    throw error;
  });

  const connect = async () => {
    const { signal } = stopping;
    const onRetry = (error: unknown, wait: number) => logger.warn({ err: error, wait }, 'Discord cannot be reached');
    await logIn(client, discord.botToken, { signal, onRetry });
    if (signal.aborted) return;
    delivery.start();
    // The same commands again change nothing; of several processes the one with shard 0 registers them.
    if (shards === null || shards.ids.includes(0)) {
      const put = { body: registrationOf(COMMANDS), signal };
      await keepTrying(() => client.rest.put(Routes.applicationCommands(applicationId), put), { signal, onRetry });
    }
    logger.info({ shards: client.options.shards, health: health.url }, 'the bot is connected');
  };

  const stopAll = async () => {
    stopping.abort();
    const drained = new AbortController();
    const giveUp = AbortSignal.any([drained.signal, AbortSignal.timeout(DRAIN_TIME)]);
    const answered = Promise.all([listening.stop(), delivery.stop(giveUp)]);
    await Promise.race([answered, delay(DRAIN_TIME, undefined, { signal: drained.signal }).catch(() => {})]);
    drained.abort();
    await presence.stop();
    await connected.catch(() => {});
    // A gateway that is not heard any more does not answer the farewell.
    await Promise.race([client.destroy(), delay(FAREWELL_TIME)]);
    endClockSteps();
    await replica.stop();
    reminders.close();
    releaseFile();
    await health.close();
  };

  replica.start();
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
