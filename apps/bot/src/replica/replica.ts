import { setTimeout as delay } from 'node:timers/promises';
import type { WatchedEvent } from '@guild-settings/client';
import { type Cursor, DEFAULT_SETTINGS, type Guild, type GuildId, type GuildSettings } from '@guild-settings/contract';
import { openReplicaFile, type ReplicaFile } from './replica-file.ts';

/** Whether the replica is up to date: not yet for the first time, now, or since when no more. */
export type ReplicaStatus =
  | { readonly state: 'SYNCING' }
  | { readonly state: 'LIVE' }
  | { readonly state: 'STALE'; readonly since: Date };

/** What a replica did, for health and metrics. */
export interface ReplicaCounts {
  readonly guilds: number;
  readonly revision: number;
  readonly reconnects: number;
  readonly reads: number;
}

/** Follows the service from a cursor; what is needed of the client's watch(). */
export type Follow = (options: {
  readonly cursor: Cursor | undefined;
  readonly signal: AbortSignal;
  readonly onDisconnect: (error: unknown) => void;
}) => AsyncIterable<WatchedEvent>;

export interface ReplicaOptions {
  /** The file it boots from and writes to. */
  readonly path: string;
  readonly follow: Follow;
  /** Names the guilds that are followed; all unless given. With another name than before everything is fetched anew. */
  readonly scope?: string;
  /** Milliseconds since 1970; the system's clock unless given. */
  readonly clock?: () => number;
  /** Milliseconds that only grow, for durations; `performance.now` unless given. */
  readonly monotonic?: () => number;
  /** Told why the replica is not live, each time; undefined: the service ended the stream. */
  readonly onError?: (error: unknown) => void;
}

/** The guilds that there are. Of one that has not been asked for since the start, the file has the record. */
type Guilds = Map<GuildId, Readonly<Guild> | undefined>;

/** How long the file is left alone after it could not be written, in milliseconds. */
const RETRY_WAIT = 1_000;

/** A guild of which the service has nothing. */
const DEFAULTS: Readonly<GuildSettings> = Object.freeze({ ...DEFAULT_SETTINGS, enabledFeatures: [] });
Object.freeze(DEFAULTS.enabledFeatures);

/**
 * The settings of this process's guilds: read synchronously from memory, kept up to date from the service, and kept in a
 * file, so that the bot starts and answers without the service. What is in memory is in the file: memory changes after
 * the commit, never before.
 */
export class Replica {
  readonly #file: ReplicaFile;
  readonly #follow: Follow;
  readonly #clock: () => number;
  readonly #monotonic: () => number;
  readonly #onError: ReplicaOptions['onError'];
  readonly #stopping = new AbortController();
  #guilds: Guilds;
  /** Collects the new records after a reset, while the old ones serve. */
  #incoming: Guilds | undefined;
  #cursor: Cursor | undefined;
  #status: ReplicaStatus;
  /** When it was last up to date, by the monotonic clock. Before the start by the system's clock, which may be wrong. */
  #liveUntil: number;
  #reconnects = 0;
  #reads = 0;
  #running: Promise<void> = Promise.resolve();

  /** Opens the file and serves what it holds. */
  constructor({ path, follow, scope = 'all', clock = Date.now, monotonic, onError }: ReplicaOptions) {
    this.#file = openReplicaFile(path, scope);
    this.#follow = follow;
    this.#clock = clock;
    this.#monotonic = monotonic ?? (() => performance.now());
    this.#onError = onError;
    const saved = this.#file.load();
    this.#guilds = unread(saved.guilds);
    // It was stopped between a reset and the end of what follows one.
    if (saved.current.length < saved.guilds.length) {
      this.#readAll();
      this.#incoming = unread(saved.current);
    }
    this.#cursor = saved.cursor;
    this.#liveUntil = this.#monotonic() - Math.max(0, clock() - (saved.liveAt ?? 0));
    this.#status =
      saved.liveAt === undefined ? { state: 'SYNCING' } : { state: 'STALE', since: new Date(saved.liveAt) };
  }

  /** The settings of a guild, frozen; the defaults where the service has none. */
  get(guildId: GuildId): Readonly<GuildSettings> {
    this.#reads += 1;
    const guild = this.#guilds.get(guildId);
    if (guild !== undefined) return guild;
    return this.#guilds.has(guildId) ? this.#read(guildId) : DEFAULTS;
  }

  /** Whether there is anything of a guild; a guild of another process's shards is unknown. */
  knows(guildId: GuildId): boolean {
    return this.#guilds.has(guildId);
  }

  get status(): ReplicaStatus {
    return this.#status;
  }

  /** Milliseconds since it was last known to be up to date; undefined: it never was. */
  get age(): number | undefined {
    if (this.#status.state === 'SYNCING') return undefined;
    return this.#status.state === 'LIVE' ? 0 : this.#monotonic() - this.#liveUntil;
  }

  get counts(): ReplicaCounts {
    return {
      guilds: this.#guilds.size,
      revision: this.#cursor?.revision ?? 0,
      reconnects: this.#reconnects,
      reads: this.#reads,
    };
  }

  /** Begins to follow the service. */
  start(): void {
    this.#running = this.#run();
  }

  /** Ends following and closes the file. Nothing is to be read any more. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
    this.#file.close();
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        await this.#followOnce(signal);
      } catch (error) {
        // The file could not be written. Memory is as the file is, so following begins anew from there.
        this.#lost(error);
      }
      await delay(RETRY_WAIT, undefined, { signal }).catch(() => {});
    }
  }

  #lost(error: unknown): void {
    this.#reconnects += 1;
    this.#onError?.(error);
    this.#leaveLive();
  }

  #leaveLive(): void {
    if (this.#status.state !== 'LIVE') return;
    this.#status = { state: 'STALE', since: new Date(this.#clock()) };
    this.#liveUntil = this.#monotonic();
  }

  async #followOnce(signal: AbortSignal): Promise<void> {
    const onDisconnect = (error: unknown) => this.#lost(error);
    for await (const watched of this.#follow({ cursor: this.#cursor, signal, onDisconnect })) this.#apply(watched);
  }

  #read(guildId: GuildId): Readonly<Guild> {
    const guild = frozen(this.#file.read(guildId));
    this.#guilds.set(guildId, guild);
    return guild;
  }

  /** Takes from the file what is about to be overwritten there and has to serve on. */
  #readAll(): void {
    for (const [guildId, guild] of this.#guilds) {
      if (guild !== undefined) continue;
      try {
        this.#read(guildId);
      } catch {
        // Who asks for it hears of it, until it has come anew: no reason not to take in all the others.
      }
    }
  }

  /** File first, then memory: whoever reads the new value can rely on its being there after a crash. */
  #apply(watched: WatchedEvent): void {
    // What serves now is of a history that is over.
    if (watched.event.type === 'reset') this.#leaveLive();
    const isLive = watched.event.type === 'live' || this.#status.state === 'LIVE';
    const written = this.#file.apply(watched, isLive ? this.#clock() : undefined);
    this.#remember(watched, written);
    if (isLive) this.#status = { state: 'LIVE' };
  }

  #remember({ cursor, event }: WatchedEvent, written: readonly Guild[]): void {
    this.#cursor = cursor;
    const guilds = this.#incoming ?? this.#guilds;
    switch (event.type) {
      case 'reset':
        this.#readAll();
        this.#incoming = new Map();
        return;
      case 'guild':
      case 'guilds':
        for (const guild of written) guilds.set(guild.id, frozen(guild));
        return;
      case 'removed':
        guilds.delete(event.guild);
        return;
      case 'live':
        if (this.#incoming) this.#guilds = this.#incoming;
        this.#incoming = undefined;
        return;
      case 'bookmark':
        return;
    }
  }
}

function unread(guildIds: readonly GuildId[]): Guilds {
  // Not by `new Map(guildIds.map(…))`: a pair for each guild is garbage that the bot's first moments would be spent on.
  const guilds: Guilds = new Map();
  for (const guildId of guildIds) guilds.set(guildId, undefined);
  return guilds;
}

function frozen(guild: Guild): Readonly<Guild> {
  Object.freeze(guild.enabledFeatures);
  return Object.freeze(guild);
}
