import { setTimeout as delay } from 'node:timers/promises';
import type { WatchedEvent } from '@guild-settings/client';
import type { Cursor, GuildId, RejectedRecord } from '@guild-settings/contract';
import type { Declaration, DeclaredSettings } from '@guild-settings/contract/settings';
import { Acknowledger } from './acknowledger.ts';
import { DamagedFileError } from './damaged-file.ts';
import { FollowedDeclaration, type SettingsOf } from './declaration.ts';
import { GuildRecords } from './guild-records.ts';
import { ChangeEmitter, type ChangeListener, guildIdsOf, Listeners, notify } from './listeners.ts';
import { Liveness } from './liveness.ts';
import { openReplicaFile, type ReplicaFile } from './replica-file.ts';
import type { DeclarationListener, ReplicaMetrics, ReplicaOptions, ReplicaStatus } from './replica-options.ts';
import { isEndOfReset, ResetGuard } from './reset-guard.ts';

/** Pause before a retry after the file could not be written, in milliseconds. */
const RETRY_DELAY_MS = 1_000;

const DEFAULT_HOLD_MS = 3_600_000;

/**
 * The settings of a process's guilds, as returned by `openReplica`: read synchronously from memory, kept up to date
 * from the service, and stored in a file, so that a bot starts and answers without the service. Memory only changes
 * after the commit to the file.
 */
export class Replica<D extends Declaration | undefined = undefined> {
  readonly #options: ReplicaOptions<D>;
  readonly #file: ReplicaFile;
  readonly #clock: () => number;
  readonly #guard: ResetGuard;
  readonly #acknowledger: Acknowledger | undefined;
  readonly #closing = new AbortController();
  readonly #changes: ChangeEmitter<SettingsOf<D>>;
  readonly #declarations: Listeners<Parameters<DeclarationListener>>;
  readonly #liveness: Liveness;
  readonly #guilds: GuildRecords<D>;
  readonly #declaration: FollowedDeclaration<D>;
  #cursor: Cursor | undefined;
  #following: Promise<void> | undefined;
  #hasConnected = false;
  #connection: AbortController | undefined;
  /** The damage of the file, which has to be replaced; undefined: none was found. */
  #damage: DamagedFileError | undefined;
  #reconnects = 0;
  #reads = 0;

  /**
   * Opens the file. `start` follows the service.
   * @throws FileInUseError when another process has the file open
   * @throws DamagedFileError when it is damaged and must not be replaced
   */
  constructor(options: ReplicaOptions<D>) {
    const { path, scope = 'all', clock = Date.now, monotonic = () => performance.now() } = options;
    this.#options = options;
    this.#file = openReplicaFile(path, scope, options);
    this.#clock = clock;
    this.#guard = new ResetGuard({
      file: this.#file,
      holdMs: options.holdMs ?? DEFAULT_HOLD_MS,
      acceptedEpoch: options.acceptedEpoch,
      isFollowed: options.isFollowed ?? (() => true),
      monotonic,
      onHeld: options.onHeld,
    });
    const { acknowledge, settings, onListenerError } = options;
    const watcher = { id: this.#file.watcherId, signal: this.#closing.signal };
    this.#acknowledger = acknowledge && new Acknowledger({ ...watcher, acknowledge });
    this.#changes = new ChangeEmitter((guildId) => this.#readable(guildId), onListenerError);
    this.#declarations = new Listeners(onListenerError);
    const { guilds, staged, declared, cursor, liveAt } = this.#file.load();
    this.#declaration = new FollowedDeclaration(settings, declared, this.#file);
    const records = { guilds, staged, read: (guildId: GuildId) => this.#file.read(guildId) };
    this.#guilds = new GuildRecords({ ...records, inEffect: this.#declaration.inEffect() });
    this.#cursor = cursor;
    this.#liveness = new Liveness({ liveAt, clock, monotonic });
  }

  /** Returns the settings of a guild, frozen: the defaults if the service has no record of it. */
  get(guildId: GuildId): SettingsOf<D> {
    this.#reads += 1;
    try {
      return this.#guilds.get(guildId);
    } catch (error) {
      if (!this.#isReplaced(error)) throw error;
      // The service sends the record again, for a new file.
      this.#damage ??= error;
      this.#connection?.abort();
      return this.#guilds.inEffect.defaults;
    }
  }

  /** Returns true if the service has a record of a guild; false for guilds of other processes' shards. */
  has(guildId: GuildId): boolean {
    return this.#guilds.has(guildId);
  }

  /** The settings declared by the service, without texts; those of the bot until the first connection. */
  get declared(): DeclaredSettings {
    return this.#declaration.inUse;
  }

  get status(): ReplicaStatus {
    const [{ reason }, { rejected }] = [this.#guard, this.#file];
    const { status } = this.#liveness;
    const { differences } = this.#guilds.inEffect;
    return {
      ...status,
      ...(status.state === 'STALE' && reason !== undefined && { reason }),
      ...(rejected.length > 0 && { rejected }),
      ...(differences.length > 0 && { differences }),
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
   * Adds a listener. A listener for `change` is called whenever the settings of a guild change, a listener for
   * `declaration` when the service's declaration has changed: `get` may then return other settings for all guilds. Both
   * are called after the change is in the file and in memory.
   * @returns a function that removes the listener
   */
  on(event: 'change', listener: ChangeListener<D>): () => void;
  on(event: 'declaration', listener: DeclarationListener): () => void;
  on(...[event, listener]: ['change', ChangeListener<D>] | ['declaration', DeclarationListener]): () => void {
    return event === 'change' ? this.#changes.add(listener) : this.#declarations.add(listener);
  }

  /**
   * Resolves when the settings are up to date.
   * @throws AbortError when the signal is aborted, or the replica is closed before
   */
  async waitUntilLive({ signal }: { readonly signal?: AbortSignal } = {}): Promise<void> {
    await this.#liveness.wait(AbortSignal.any([this.#closing.signal, ...(signal ? [signal] : [])]));
  }

  /** Starts to follow the service. Already called by `openReplica`. */
  start(): void {
    this.#following ??= this.#follow();
  }

  /**
   * Stops following and leaves the service, so that changes do not wait for this process, and closes the file. Settings
   * cannot be read afterwards. A service that does not respond delays it by at most a second.
   */
  async close(): Promise<void> {
    const isFirst = !this.#closing.signal.aborted;
    this.#closing.abort();
    await Promise.all([this.#following, isFirst && this.#hasConnected && this.#acknowledger?.leave()]);
    this.#file.close();
  }

  async #follow(): Promise<void> {
    const { signal } = this.#closing;
    const onDisconnect = (error: unknown) => this.#lost(error);
    while (!signal.aborted) {
      const connection = new AbortController();
      const either = AbortSignal.any([signal, connection.signal]);
      try {
        if (this.#damage !== undefined) this.#replaceFile(this.#damage);
        const { follow } = this.#options;
        this.#declaration.disconnected();
        this.#connection = connection;
        const run = this.#acknowledger && { run: this.#acknowledger.run };
        const watcher = () => ({ id: this.#file.watcherId, ...run, acknowledged: this.#acknowledged });
        if (await this.#receive(follow({ cursor: this.#cursor, watcher, signal: either, onDisconnect }))) continue;
        if (this.#damage !== undefined) this.#liveness.leave();
      } catch (error) {
        if (this.#damage === undefined && this.#isReplaced(error)) {
          this.#damage = error;
          this.#liveness.leave();
        } else {
          // The file could not be written. Memory equals the file, so the stream is resumed from its cursor.
          this.#lost(error);
        }
      }
      await delay(RETRY_DELAY_MS, undefined, { signal }).catch(() => {});
    }
  }

  /** Returns true for the damage of a file that has to be replaced. */
  #isReplaced(error: unknown): error is DamagedFileError {
    return error instanceof DamagedFileError && this.#options.damagedFile !== 'throw';
  }

  /** Creates a new file. Settings that could be read are served until the service has sent all of them again. */
  #replaceFile(damage: DamagedFileError): void {
    this.#guilds.keepReadable();
    this.#file.replace(damage);
    this.#damage = undefined;
    this.#cursor = undefined;
  }

  /** Applies events. Returns true if the stream has to restart with all records. */
  async #receive(events: AsyncIterable<WatchedEvent>): Promise<boolean> {
    let isConfirmed = true;
    for await (const watched of events) {
      const { type } = watched.event;
      this.#hasConnected = true;
      if (this.#declare(watched.event)) return true;
      if (type === 'declaration') continue;
      this.#apply(watched);
      const isIdle = type === 'bookmark' && watched.rejected === undefined;
      if (type === 'live') this.#acknowledger?.retryNow();
      // Repeated after each connection: the acknowledgement may have reached a process of the service before it knew of
      // the connection.
      if (!isIdle || !isConfirmed) this.#acknowledge();
      isConfirmed = type !== 'live' && (isConfirmed || isIdle);
    }
    return false;
  }

  /** The cursor up to which every change is in the file and in memory; undefined: some are missing. */
  get #acknowledged(): Cursor | undefined {
    // After a reset the old records are served until all new ones have been received.
    return !this.#guilds.isCollecting && this.#file.rejected.length === 0 ? this.#cursor : undefined;
  }

  #acknowledge(): void {
    if (!this.#guilds.isCollecting && this.#cursor !== undefined)
      this.#acknowledger?.has(this.#cursor, this.#file.rejected);
  }

  #lost(error: unknown): void {
    this.#declaration.disconnected();
    this.#reconnects += 1;
    this.#liveness.leave();
    notify(this.#options.onError, error);
  }

  /** Returns the defaults for a record that cannot be read. */
  #readable(guildId: GuildId): SettingsOf<D> {
    try {
      return this.#guilds.get(guildId);
    } catch {
      return this.#guilds.inEffect.defaults;
    }
  }

  /** Applies a declaration of the service. Returns true if the stream has to restart with all records. */
  #declare(event: WatchedEvent['event']): boolean {
    const change = this.#declaration.take(event);
    if (change === undefined) return false;
    this.#guilds.inEffect = this.#declaration.inEffect();
    if (change.isRefetched) this.#cursor = undefined;
    this.#declarations.call(change.declaration);
    return change.isRefetched;
  }

  /** Writes the file first, then memory, so that settings that were read survive a crash. */
  #apply(watched: WatchedEvent): void {
    const { cursor, event } = watched;
    // The records in use belong to a history that has ended.
    if (event.type === 'reset') this.#liveness.leave();
    const hold = this.#guard.decide(cursor.epoch, event.type);
    const isCaughtUp = event.type === 'live' || hold?.kind === 'release' || this.#liveness.isLive;
    const isLive = isCaughtUp && hold?.kind !== 'keep';
    const isSwap = this.#guilds.isCollecting && isEndOfReset(event, hold);
    const before = this.#changes.snapshot(() => this.#guildsChangedBy(event, isSwap));
    const known = this.#file.rejected;
    const written = this.#file.apply(watched, isLive ? this.#clock() : undefined, hold);
    this.#cursor = cursor;
    if (event.type === 'reset') this.#guilds.reset();
    for (const guildId of written) this.#guilds.put(guildId);
    if (event.type === 'removed') this.#guilds.remove(event.guild);
    if (watched.rejected !== undefined) this.#setAside(watched.rejected, known);
    if (isSwap) this.#guilds.swap();
    if (isLive) this.#liveness.enter();
    else if (hold?.kind === 'keep') this.#liveness.hold();
    this.#changes.emit(before);
    if (event.type === 'removed') notify(this.#options.onRemoved, event.guild);
  }

  /** Keeps the previous record of a guild, also after a reset, and reports each unreadable record once. */
  #setAside(rejected: readonly RejectedRecord[], known: readonly RejectedRecord[]): void {
    for (const record of rejected) {
      const { guild, revision } = record;
      if (guild !== undefined) this.#guilds.keep(guild);
      const isKnown = known.some((one) => one.guild === guild && one.revision === revision);
      if (!isKnown) notify(this.#options.onRejected, record);
    }
  }

  /** Returns the guilds for which `get` may return different settings after an event. */
  #guildsChangedBy(event: WatchedEvent['event'], isSwap: boolean): readonly GuildId[] {
    if (isSwap) return [...this.#guilds.guildIds, ...guildIdsOf(event)];
    return this.#guilds.isCollecting ? [] : guildIdsOf(event);
  }
}
