import { setTimeout as delay } from 'node:timers/promises';
import type { WatchedEvent } from '@guild-settings/client';
import { type Cursor, DEFAULT_SETTINGS, type Guild, type GuildId, type GuildSettings } from '@guild-settings/contract';
import { frozen, type GuildRecords, unread } from './guild-records.ts';
import { type Hold, openReplicaFile, type ReplicaFile } from './replica-file.ts';
import { type HeldReset, ResetGuard } from './reset-guard.ts';

/** Whether the replica is up to date: not yet for the first time, now, or since when no more. */
export type ReplicaStatus =
  | { readonly state: 'SYNCING' }
  | { readonly state: 'LIVE' }
  | { readonly state: 'STALE'; readonly since: Date; readonly reason?: string };

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
  /** Whether a guild is one of those that are followed; all are unless given. */
  readonly isFollowed?: (guildId: GuildId) => boolean;
  /** How long a history with most guilds missing is kept back, in milliseconds; an hour unless given. */
  readonly holdMs?: number;
  /** The epoch of such a history that an operator has confirmed. */
  readonly acceptedEpoch?: string | undefined;
  /** Called when such a history is kept back. */
  readonly onHeld?: (reset: HeldReset) => void;
  /** Told why the replica is not live, each time; undefined: the service ended the stream. */
  readonly onError?: (error: unknown) => void;
}

/** How long the file is left alone after it could not be written, in milliseconds. */
const RETRY_WAIT = 1_000;

/** How long a history with most guilds missing is kept back unless told otherwise, in milliseconds. */
const HOLD_MS = 3_600_000;

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
  readonly #guard: ResetGuard;
  readonly #stopping = new AbortController();
  #guilds: GuildRecords;
  /** Collects the new records after a reset, while the old ones serve. */
  #incoming: GuildRecords | undefined;
  #cursor: Cursor | undefined;
  #status: ReplicaStatus;
  /** When it was last up to date, by the monotonic clock. Before the start by the system's clock, which may be wrong. */
  #liveUntil: number;
  #reconnects = 0;
  #reads = 0;
  #running: Promise<void> = Promise.resolve();

  /** Opens the file and serves what it holds. */
  constructor(options: ReplicaOptions) {
    const { path, follow, scope = 'all', clock = Date.now, onError } = options;
    this.#file = openReplicaFile(path, scope);
    this.#follow = follow;
    this.#clock = clock;
    this.#monotonic = options.monotonic ?? (() => performance.now());
    this.#guard = new ResetGuard({
      file: this.#file,
      holdMs: options.holdMs ?? HOLD_MS,
      acceptedEpoch: options.acceptedEpoch,
      isFollowed: options.isFollowed ?? (() => true),
      monotonic: this.#monotonic,
      onHeld: options.onHeld,
    });
    this.#onError = onError;
    const saved = this.#file.load();
    this.#guilds = unread(saved.guilds);
    // It was stopped between a reset and the end of what follows one.
    if (this.#file.isStaging || saved.current.length < saved.guilds.length) {
      if (!this.#file.isStaging) this.#readAll();
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
    const { reason } = this.#guard;
    return this.#status.state === 'STALE' && reason !== undefined ? { ...this.#status, reason } : this.#status;
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
    const hold = this.#guard.decide(watched.cursor.epoch, watched.event.type);
    const isCaughtUp = watched.event.type === 'live' || hold?.kind === 'release' || this.#status.state === 'LIVE';
    const isLive = isCaughtUp && hold?.kind !== 'keep';
    const written = this.#file.apply(watched, isLive ? this.#clock() : undefined, hold);
    this.#remember(watched, written, hold);
    if (isLive) this.#status = { state: 'LIVE' };
    else if (hold?.kind === 'keep' && this.#status.state === 'SYNCING') {
      this.#status = { state: 'STALE', since: new Date(this.#clock()) };
    }
  }

  #remember({ cursor, event }: WatchedEvent, written: readonly Guild[], hold: Hold | undefined): void {
    this.#cursor = cursor;
    const guilds = this.#incoming ?? this.#guilds;
    switch (event.type) {
      case 'reset':
        this.#incoming = new Map();
        return;
      case 'guild':
      case 'guilds':
        for (const guild of written) guilds.set(guild.id, frozen(guild));
        break;
      case 'removed':
        guilds.delete(event.guild);
        break;
      case 'live':
      case 'bookmark':
        break;
    }
    const isOver = (event.type === 'live' && hold?.kind !== 'keep') || hold?.kind === 'release';
    if (!isOver || this.#incoming === undefined) return;
    this.#guilds = this.#incoming;
    this.#incoming = undefined;
  }
}
