import { setTimeout as delay } from 'node:timers/promises';
import type { PresenceReport, Shard, Snowflake } from '@guild-settings/contract';
import { type Backoff, backoffMs } from '@guild-settings/runtime/backoff';
import {
  type Client,
  Events,
  type GatewayGuildCreateDispatchData,
  type GatewayReadyDispatchData,
  type Guild,
  IntentsBitField,
} from 'discord.js';
import type { PresenceService } from './settings/service.ts';

export interface ReportPresenceOptions {
  /**
   * Called with the error of each failed report, which is retried. Unless given, the first of consecutive failures is a
   * process warning.
   */
  readonly onError?: (error: unknown) => void;
  /** Called after each report that the service has accepted. */
  readonly onReported?: () => void;
  /** The intervals for repeating the report of all guilds; 15 s after a failure and every hour unless given. */
  readonly intervals?: ReportIntervals;
  readonly signal?: AbortSignal;
}

const DEFAULT_INTERVALS: ReportIntervals = { afterFailureMs: 15_000, everyMs: 3_600_000 };

/**
 * Reports a bot's guilds to the service, with their names and icons: all guilds of a shard when it is ready, then each
 * change. Failed reports are retried. Timers and pauses do not keep the process running.
 * @param client a client of discord.js with the intent Guilds, before its login
 * @param settings a client of the service with the application's token
 * @throws TypeError when the client lacks the intent, or has logged in
 * @example const presence = reportPresence(client, settings); await client.login(botToken);
 */
export function reportPresence(
  client: Client,
  settings: PresenceService,
  { onError, onReported = () => {}, intervals = DEFAULT_INTERVALS, signal }: ReportPresenceOptions = {},
): PresenceReporter {
  if (!new IntentsBitField(client.options.intents).has(IntentsBitField.Flags.Guilds)) {
    throw new TypeError(
      'Expected a client with the intent Guilds: new Client({ intents: [GatewayIntentBits.Guilds] })',
    );
  }
  // The first event of a session has the ids of all guilds.
  if (client.ws.shards.size > 0) {
    throw new TypeError('Expected a client that has not logged in: call reportPresence before client.login');
  }
  const reporter = new PresenceReporter({ client, settings, intervals, onError, onReported });
  if (signal?.aborted) void reporter.stop();
  signal?.addEventListener('abort', () => void reporter.stop(), { once: true });
  return reporter;
}

/** The intervals for repeating the report of all guilds, in milliseconds. */
export interface ReportIntervals {
  /** After a failed report, because it may arrive late and overwrite a newer one. */
  readonly afterFailureMs: number;
  /** In any case, so that errors do not persist. */
  readonly everyMs: number;
}

interface PresenceReporterOptions {
  readonly client: Client;
  readonly settings: PresenceService;
  readonly intervals: ReportIntervals;
  readonly onError: ((error: unknown) => void) | undefined;
  readonly onReported: () => void;
}

const BACKOFF: Backoff = { firstMs: 500, longestMs: 15_000 };

/**
 * Reports the bot's guilds to the service: all guilds of a shard when it is ready, then each guild that the bot joins
 * or leaves, or whose name or icon changes. A report has the state at the time of sending, so a late or repeated one is
 * harmless. Outages of guilds are not reported.
 */
export class PresenceReporter {
  readonly #options: PresenceReporterOptions;
  readonly #aborter = new AbortController();
  /** Guilds per shard, by the last gateway events. */
  readonly #guilds = new Map<number, Set<Snowflake>>();
  readonly #readyShards = new Set<number>();
  readonly #unreportedShards = new Set<number>();
  readonly #unreportedGuilds = new Set<Snowflake>();
  #reporting: Promise<void> | undefined;
  readonly #hourly: NodeJS.Timeout;
  #afterFailure: NodeJS.Timeout | undefined;

  /** @param options with a client that has not logged in yet */
  constructor(options: PresenceReporterOptions) {
    this.#options = options;
    const { client, intervals } = options;
    // discord.js keeps the guilds of an earlier session. The event has those of the new one.
    client.ws.on('READY' as never, ({ guilds }: GatewayReadyDispatchData, shardId: number) => {
      const ids = new Set(guilds.map(({ id }) => id));
      this.#guilds.set(shardId, ids);
      this.#readyShards.delete(shardId);
      // discord.js emits no event when the bot rejoins a cached guild.
      client.guilds.cache.sweep((guild) => guild.shardId === shardId && !ids.has(guild.id));
    });
    // The bot joined a guild, or the guild is back from an outage. discord.js emits neither before all shards are
    // ready.
    client.ws.on('GUILD_CREATE' as never, ({ id }: GatewayGuildCreateDispatchData, shardId: number) => {
      this.#guilds.get(shardId)?.add(id);
      this.#addGuild({ id, shardId });
    });
    client.on(Events.ShardReady, (shardId) => this.#addShard(shardId));
    this.#hourly = setInterval(() => this.#addAllShards(), intervals.everyMs).unref();
    client.on(Events.GuildUpdate, (before, after) => {
      if (before.name !== after.name || before.icon !== after.icon) this.#addGuild(after);
    });
    // discord.js has another event for an outage.
    client.on(Events.GuildDelete, (guild) => {
      this.#guilds.get(guild.shardId)?.delete(guild.id);
      this.#addGuild(guild);
    });
  }

  /** True when all changes are reported. */
  get isIdle(): boolean {
    return this.#reporting === undefined;
  }

  /**
   * Reports a guild again that the service has erased, if the bot is in it, because name and icon were erased as well.
   */
  readonly reportAgain = (guildId: Snowflake): void => {
    for (const [shardId, guilds] of this.#guilds) if (guilds.has(guildId)) this.#addGuild({ id: guildId, shardId });
  };

  async stop(): Promise<void> {
    this.#aborter.abort();
    clearInterval(this.#hourly);
    clearTimeout(this.#afterFailure);
    await this.#reporting;
  }

  #addShard(shardId: number): void {
    if (this.#aborter.signal.aborted) return;
    this.#readyShards.add(shardId);
    this.#unreportedShards.add(shardId);
    this.#reporting ??= this.#reportAll();
  }

  #addAllShards(): void {
    for (const shardId of this.#readyShards) this.#addShard(shardId);
  }

  #addGuild({ id, shardId }: Pick<Guild, 'id' | 'shardId'>): void {
    // The snapshot of a shard that is not ready yet will contain the guild.
    if (!this.#readyShards.has(shardId) || this.#aborter.signal.aborted) return;
    this.#unreportedGuilds.add(id);
    this.#reporting ??= this.#reportAll();
  }

  async #reportAll(): Promise<void> {
    const { signal } = this.#aborter;
    const { settings, intervals, onError, onReported } = this.#options;
    let failures = 0;
    // discord.js updates its cache after the event, and #reporting must be set before it is cleared.
    await Promise.resolve();
    for (;;) {
      const next = this.#next();
      if (next === undefined || signal.aborted) break;
      try {
        await settings.presence.report.mutate(next.report, { signal });
      } catch (error) {
        if (signal.aborted) break;
        next.putBack();
        if (onError !== undefined) onError(error);
        else if (failures === 0)
          process.emitWarning(`The bot's servers could not be reported; it will be retried: ${messageOf(error)}`);
        clearTimeout(this.#afterFailure);
        this.#afterFailure = setTimeout(() => this.#addAllShards(), intervals.afterFailureMs).unref();
        await delay(backoffMs(failures, BACKOFF), undefined, { signal, ref: false }).catch(() => {});
        failures += 1;
        continue;
      }
      failures = 0;
      onReported();
    }
    this.#reporting = undefined;
  }

  /** Removes the next report from the queue, with the present state. Later changes are queued again. */
  #next(): { readonly report: PresenceReport; readonly putBack: () => void } | undefined {
    for (const shardId of this.#unreportedShards) {
      this.#unreportedShards.delete(shardId);
      return { report: this.#snapshot(shardId), putBack: () => this.#unreportedShards.add(shardId) };
    }
    for (const guildId of this.#unreportedGuilds) {
      this.#unreportedGuilds.delete(guildId);
      const report = this.#presence(guildId);
      if (report !== undefined) return { report, putBack: () => this.#unreportedGuilds.add(guildId) };
    }
    return undefined;
  }

  #snapshot(shardId: number): PresenceReport {
    const { client } = this.#options;
    const shard: Shard = { id: shardId, count: client.options.shardCount ?? 1 };
    const guilds = [...(this.#guilds.get(shardId) ?? [])].map((id) => {
      return this.#profile(id) ?? { id, unavailable: true as const };
    });
    return { type: 'snapshot', shard, guilds };
  }

  #presence(guildId: Snowflake): PresenceReport | undefined {
    const isIn = [...this.#guilds.values()].some((guilds) => guilds.has(guildId));
    if (!isIn) return { type: 'left', guild: guildId };
    const guild = this.#profile(guildId);
    return guild && { type: 'present', guild };
  }

  #profile(guildId: Snowflake) {
    const guild = this.#options.client.guilds.cache.get(guildId);
    return guild?.available ? { id: guildId, name: guild.name, icon: guild.icon } : undefined;
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
