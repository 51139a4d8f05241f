import { setTimeout as delay } from 'node:timers/promises';
import type { PresenceReport, Shard, Snowflake } from '@guild-settings/contract';
import {
  type Client,
  Events,
  type GatewayGuildCreateDispatchData,
  type GatewayReadyDispatchData,
  type Guild,
} from 'discord.js';

/**
 * After a report of which nobody knows what became of it, everything is told once more after so many milliseconds: it may
 * have been late, and overruled what was told after it. And every hour, whatever happened: nothing wrong lasts.
 */
const AGAIN = { afterDoubt: 15_000, every: 3_600_000 };

/** Milliseconds until the first and, doubling, the latest next try to report. */
const FIRST_RETRY = 500;
const LATEST_RETRY = 15_000;

export interface PresenceReporterOptions {
  readonly client: Client;
  /** Tells the service. Rejects when it could not be told. */
  readonly report: (report: PresenceReport, signal: AbortSignal) => Promise<unknown>;
  /** Milliseconds until everything is told once more: after a report in doubt (15 s), and whatever happened (an hour). */
  readonly again?: { readonly afterDoubt: number; readonly every: number };
  /** Told why a report could not be made; it is made later. */
  readonly onError?: (error: unknown) => void;
}

/**
 * Tells the service which guilds the bot is in: all of a shard when it is ready, then each that it joins or leaves, or that
 * changes its name or icon. What is told is how things are when it is told, so that it does no harm to tell it late or
 * twice; an outage of a guild is nothing to tell.
 */
export class PresenceReporter {
  readonly #options: PresenceReporterOptions;
  readonly #again: NonNullable<PresenceReporterOptions['again']>;
  readonly #aborter = new AbortController();
  /** The guilds of each shard, as Discord last said. */
  readonly #guilds = new Map<number, Set<Snowflake>>();
  readonly #readyShards = new Set<number>();
  /** What has not been told yet: shards and guilds. */
  readonly #unreportedShards = new Set<number>();
  readonly #unreportedGuilds = new Set<Snowflake>();
  #reporting: Promise<void> | undefined;
  readonly #hourly: NodeJS.Timeout;
  #inDoubt: NodeJS.Timeout | undefined;

  /** Listens to a client that has not logged in yet. */
  constructor(options: PresenceReporterOptions) {
    this.#options = options;
    this.#again = options.again ?? AGAIN;
    const { client } = options;
    // discord.js keeps what it knew before a new session; this says what there is now.
    client.ws.on('READY' as never, ({ guilds }: GatewayReadyDispatchData, shardId: number) => {
      const ids = new Set(guilds.map(({ id }) => id));
      this.#guilds.set(shardId, ids);
      this.#readyShards.delete(shardId);
      // A guild that was left meanwhile would hide that the bot joins it again.
      client.guilds.cache.sweep((guild) => guild.shardId === shardId && !ids.has(guild.id));
    });
    // Joined, or back from an outage. discord.js says nothing of it before all shards are ready.
    client.ws.on('GUILD_CREATE' as never, ({ id }: GatewayGuildCreateDispatchData, shardId: number) => {
      this.#guilds.get(shardId)?.add(id);
      this.#addGuild({ id, shardId });
    });
    client.on(Events.ShardReady, (shardId) => this.#addShard(shardId));
    this.#hourly = setInterval(() => this.#addAllShards(), this.#again.every);
    client.on(Events.GuildUpdate, (before, after) => {
      if (before.name !== after.name || before.icon !== after.icon) this.#addGuild(after);
    });
    // An outage is another event.
    client.on(Events.GuildDelete, (guild) => {
      this.#guilds.get(guild.shardId)?.delete(guild.id);
      this.#addGuild(guild);
    });
  }

  /** Whether there is nothing left to tell. */
  get isIdle(): boolean {
    return this.#reporting === undefined;
  }

  /** Tells no more. */
  async stop(): Promise<void> {
    this.#aborter.abort();
    clearInterval(this.#hourly);
    clearTimeout(this.#inDoubt);
    await this.#reporting;
  }

  #addShard(shardId: number): void {
    this.#readyShards.add(shardId);
    this.#unreportedShards.add(shardId);
    this.#reporting ??= this.#reportAll();
  }

  #addAllShards(): void {
    for (const shardId of this.#readyShards) this.#addShard(shardId);
  }

  #addGuild({ id, shardId }: Pick<Guild, 'id' | 'shardId'>): void {
    // Until a shard is ready, its snapshot will hold the guild.
    if (!this.#readyShards.has(shardId)) return;
    this.#unreportedGuilds.add(id);
    this.#reporting ??= this.#reportAll();
  }

  async #reportAll(): Promise<void> {
    const { signal } = this.#aborter;
    let failures = 0;
    // After discord.js has taken in what just came, and never over before #reporting is set.
    await Promise.resolve();
    for (;;) {
      const next = this.#next();
      if (next === undefined || signal.aborted) break;
      try {
        await this.#options.report(next.report, signal);
        failures = 0;
      } catch (error) {
        if (signal.aborted) break;
        next.putBack();
        this.#options.onError?.(error);
        clearTimeout(this.#inDoubt);
        this.#inDoubt = setTimeout(() => this.#addAllShards(), this.#again.afterDoubt);
        const wait = Math.min(LATEST_RETRY, FIRST_RETRY * 2 ** failures);
        failures += 1;
        await delay(wait, undefined, { signal }).catch(() => {});
      }
    }
    this.#reporting = undefined;
  }

  /** Takes what is to be told next, as it is now; what changes from here on is told again. */
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
