import { setTimeout as delay } from 'node:timers/promises';
import type { WatchedEvent } from '@guild-settings/client';
import type { Cursor, Guild, GuildId, RecordSettings, RejectedRecord } from '@guild-settings/contract';
import { Acknowledger } from './acknowledger.ts';
import { ChangeEmitter, type ChangeListener, guildIdsOf } from './change-emitter.ts';
import { DEFAULTS, frozen, type GuildRecords, unread } from './guild-records.ts';
import { Liveness } from './liveness.ts';
import { notify } from './notify.ts';
import { openReplicaFile, type ReplicaFile } from './replica-file.ts';
import type { ReplicaMetrics, ReplicaOptions, ReplicaStatus } from './replica-options.ts';
import { isEndOfReset, ResetGuard } from './reset-guard.ts';

/** Pause before a retry after the file could not be written, in milliseconds. */
const RETRY_DELAY_MS = 1_000;

const DEFAULT_HOLD_MS = 3_600_000;

/**
 * The settings of a process's guilds, as `openReplica` returns them: read synchronously from memory, kept up to date from
 * the service, and stored in a file, so that a bot starts and answers without the service. Memory changes after the commit
 * to the file, never before.
 */
export class Replica {
  readonly #options: ReplicaOptions;
  readonly #file: ReplicaFile;
  readonly #clock: () => number;
  readonly #guard: ResetGuard;
  readonly #acknowledger: Acknowledger | undefined;
  readonly #closing = new AbortController();
  readonly #changes: ChangeEmitter;
  readonly #liveness: Liveness;
  #guilds: GuildRecords;
  /** Collects the new records after a reset, while the old ones are served. */
  #incoming: GuildRecords | undefined;
  #cursor: Cursor | undefined;
  #following: Promise<void> | undefined;
  #reconnects = 0;
  #reads = 0;

  /**
   * Opens the file. `start` follows the service.
   * @throws FileInUseError when another process has the file open
   */
  constructor(options: ReplicaOptions) {
    const { path, scope = 'all', clock = Date.now, monotonic = () => performance.now() } = options;
    this.#options = options;
    this.#file = openReplicaFile(path, scope);
    this.#clock = clock;
    this.#guard = new ResetGuard({
      file: this.#file,
      holdMs: options.holdMs ?? DEFAULT_HOLD_MS,
      acceptedEpoch: options.acceptedEpoch,
      isFollowed: options.isFollowed ?? (() => true),
      monotonic,
      onHeld: options.onHeld,
    });
    const { acknowledge } = options;
    const { signal } = this.#closing;
    this.#acknowledger = acknowledge && new Acknowledger({ id: this.#file.watcherId, acknowledge, signal });
    this.#changes = new ChangeEmitter((guildId) => this.#peek(guildId), options.onListenerError);
    const saved = this.#file.load();
    this.#guilds = unread(saved.guilds);
    // The last process stopped between a reset and the `live` event after it.
    if (saved.staged !== undefined) this.#incoming = unread(saved.staged);
    this.#cursor = saved.cursor;
    this.#liveness = new Liveness({ liveAt: saved.liveAt, clock, monotonic });
  }

  /** Returns the settings of a guild, frozen: the defaults when the service has no record of it. */
  get(guildId: GuildId): Readonly<RecordSettings> {
    this.#reads += 1;
    return this.#peek(guildId);
  }

  /** Whether the service has a record of a guild. Guilds of other processes' shards have none here. */
  has(guildId: GuildId): boolean {
    return this.#guilds.has(guildId);
  }

  get status(): ReplicaStatus {
    const { reason } = this.#guard;
    const { rejected } = this.#file;
    const { status } = this.#liveness;
    return {
      ...status,
      ...(status.state === 'STALE' && reason !== undefined && { reason }),
      ...(rejected.length > 0 && { rejected }),
    };
  }

  get metrics(): ReplicaMetrics {
    return {
      guilds: this.#guilds.size,
      revision: this.#cursor?.revision ?? 0,
      ageMs: this.#liveness.ageMs,
      reconnects: this.#reconnects,
      reads: this.#reads,
      rejected: this.#file.rejected.length,
      arrivalMs: this.#acknowledger?.latencyMs ?? Number.NaN,
    };
  }

  /**
   * Adds a listener that is called whenever `get` starts to return other settings for a guild. It is called after the
   * change is in the file and in memory.
   * @returns a function that removes the listener
   */
  on(_event: 'change', listener: ChangeListener): () => void {
    return this.#changes.add(listener);
  }

  /**
   * Resolves when the settings are up to date.
   * @throws AbortError when the signal aborts, or the replica is closed before
   */
  async waitUntilLive({ signal }: { readonly signal?: AbortSignal } = {}): Promise<void> {
    await this.#liveness.wait(AbortSignal.any([this.#closing.signal, ...(signal ? [signal] : [])]));
  }

  /** Starts to follow the service. `openReplica` has done so. */
  start(): void {
    this.#following ??= this.#follow();
  }

  /** Stops following the service and closes the file. No settings may be read afterwards. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#following;
    this.#file.close();
  }

  async #follow(): Promise<void> {
    const { signal } = this.#closing;
    const onDisconnect = (error: unknown) => this.#lost(error);
    while (!signal.aborted) {
      try {
        const { follow } = this.#options;
        const watcher = () => ({ id: this.#file.watcherId, acknowledged: this.#acknowledged });
        const events = follow({ cursor: this.#cursor, watcher, signal, onDisconnect });
        let isConfirmed = true;
        for await (const watched of events) {
          this.#apply(watched);
          const { type } = watched.event;
          const isIdle = type === 'bookmark' && watched.rejected === undefined;
          if (type === 'live') this.#acknowledger?.retryNow();
          // Once more after each connection: a process of the service may have received it before the news of the connection.
          if (!isIdle || !isConfirmed) this.#acknowledge();
          isConfirmed = type !== 'live' && (isConfirmed || isIdle);
        }
      } catch (error) {
        // The file could not be written. Memory equals the file, so the stream is resumed from its cursor.
        this.#lost(error);
      }
      await delay(RETRY_DELAY_MS, undefined, { signal }).catch(() => {});
    }
  }

  /** The cursor up to which every change is in the file and in memory; undefined: some are not. */
  get #acknowledged(): Cursor | undefined {
    // After a reset the old records are served until all new ones have been received.
    return this.#incoming === undefined && this.#file.rejected.length === 0 ? this.#cursor : undefined;
  }

  #acknowledge(): void {
    if (this.#incoming === undefined && this.#cursor !== undefined)
      this.#acknowledger?.has(this.#cursor, this.#file.rejected);
  }

  #lost(error: unknown): void {
    this.#reconnects += 1;
    this.#liveness.leave();
    notify(this.#options.onError, error);
  }

  #peek(guildId: GuildId): Readonly<RecordSettings> {
    const guild = this.#guilds.get(guildId);
    if (guild !== undefined) return guild;
    return this.#guilds.has(guildId) ? this.#read(guildId) : DEFAULTS;
  }

  #read(guildId: GuildId): Readonly<Guild> {
    const guild = frozen(this.#file.read(guildId));
    this.#guilds.set(guildId, guild);
    return guild;
  }

  /** Writes the file first, then memory: what was read survives a crash. */
  #apply(watched: WatchedEvent): void {
    const { cursor, event } = watched;
    // The records in use are of a history that has ended.
    if (event.type === 'reset') this.#liveness.leave();
    const hold = this.#guard.decide(cursor.epoch, event.type);
    const isCaughtUp = event.type === 'live' || hold?.kind === 'release' || this.#liveness.isLive;
    const isLive = isCaughtUp && hold?.kind !== 'keep';
    const isSwap = this.#incoming !== undefined && isEndOfReset(event, hold);
    const before = this.#changes.snapshot(() => this.#guildsChangedBy(event, isSwap));
    const known = this.#file.rejected;
    const written = this.#file.apply(watched, isLive ? this.#clock() : undefined, hold);
    this.#cursor = cursor;
    this.#remember(event, written);
    if (watched.rejected !== undefined) this.#setAside(watched.rejected, known);
    if (isSwap && this.#incoming !== undefined) {
      this.#guilds = this.#incoming;
      this.#incoming = undefined;
    }
    if (isLive) this.#liveness.enter();
    else if (hold?.kind === 'keep') this.#liveness.hold();
    this.#changes.emit(before);
    if (event.type === 'removed') notify(this.#options.onRemoved, event.guild);
  }

  /** Keeps the record that a guild had, also over a reset, and reports each record that cannot be read once. */
  #setAside(rejected: readonly RejectedRecord[], known: readonly RejectedRecord[]): void {
    for (const record of rejected) {
      const { guild, revision } = record;
      if (guild !== undefined && this.#guilds.has(guild) && this.#incoming?.has(guild) === false) {
        this.#incoming.set(guild, this.#guilds.get(guild));
      }
      const isKnown = known.some((one) => one.guild === guild && one.revision === revision);
      if (!isKnown) notify(this.#options.onRejected, record);
    }
  }

  /** Returns the guilds for which `get` may return something else after an event. */
  #guildsChangedBy(event: WatchedEvent['event'], isSwap: boolean): readonly GuildId[] {
    if (isSwap) return [...this.#guilds.keys(), ...(this.#incoming?.keys() ?? []), ...guildIdsOf(event)];
    return this.#incoming === undefined ? guildIdsOf(event) : [];
  }

  #remember(event: WatchedEvent['event'], written: readonly Guild[]): void {
    if (event.type === 'reset') this.#incoming = new Map();
    const guilds = this.#incoming ?? this.#guilds;
    for (const guild of written) guilds.set(guild.id, frozen(guild));
    if (event.type === 'removed') guilds.delete(event.guild);
  }
}
