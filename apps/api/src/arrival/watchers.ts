import { type GuildId, ProblemError, type Shard, shardIdOf, type WatcherArrivalState } from '@guild-settings/contract';
import type { Clock } from '../clock.ts';
import type { RejectedChange } from '../store/store.ts';

const MAX_WATCHERS = 10_000;

export const AWAY_TTL_MS = 3_600_000;

const LEFT_TTL_MS = 86_400_000;

const SWEEP_INTERVAL_MS = 10_000;

export interface WatchedShard {
  readonly watcher: TrackedWatcher;
  readonly shard: Shard;
}

/**
 * The registered watchers: connected ones, those disconnected for at most an hour, and those that left within a day.
 */
export class Watchers {
  readonly #clock: Clock;
  readonly #byId = new Map<string, TrackedWatcher>();
  readonly #byShard = new Map<string, Set<TrackedWatcher>>();
  readonly #counts = new Set<number>();
  readonly #onForget: (ids: readonly string[]) => void;
  #sweptAtMs = 0;

  constructor(clock: Clock, onForget: (ids: readonly string[]) => void) {
    this.#clock = clock;
    this.#onForget = onForget;
  }

  get size(): number {
    return this.#byId.size;
  }

  get(id: string): TrackedWatcher | undefined {
    return this.#byId.get(id);
  }

  all(): Iterable<TrackedWatcher> {
    return this.#byId.values();
  }

  *of(guildId: GuildId): Generator<WatchedShard> {
    for (const count of this.#counts) {
      const shard = { id: shardIdOf(guildId, count), count };
      for (const watcher of this.#byShard.get(shardKey(shard)) ?? []) yield { watcher, shard };
    }
  }

  /**
   * Adds a watcher that is not connected, or changes its name and shards.
   * @param seenAgoMs milliseconds since it was last connected
   * @throws ProblemError rate-limited when there are too many
   */
  add(options: WatcherOptions, seenAgoMs = 0): TrackedWatcher {
    this.forgetExpired();
    const known = this.#byId.get(options.id);
    if (known !== undefined) return this.#change(known, options);
    if (this.#byId.size >= MAX_WATCHERS) this.#makeRoom();
    const { nowMs, monotonicMs } = this.#clock;
    const atMs = monotonicMs();
    const seen = { seenAtMs: atMs - seenAgoMs, sinceMs: nowMs() - seenAgoMs, nowMs: atMs };
    const watcher = new TrackedWatcher(options, seen);
    this.#byId.set(watcher.id, watcher);
    this.#index(watcher);
    return watcher;
  }

  forgetExpired(): void {
    const nowMs = this.#clock.monotonicMs();
    if (nowMs - this.#sweptAtMs < SWEEP_INTERVAL_MS) return;
    this.#sweptAtMs = nowMs;
    const isExpired = (watcher: TrackedWatcher) =>
      !watcher.isConnected(nowMs) && nowMs - watcher.seenAtMs >= (watcher.hasLeft ? LEFT_TTL_MS : AWAY_TTL_MS);
    this.#forget([...this.#byId.values()].filter(isExpired));
  }

  #change(watcher: TrackedWatcher, { name, shards }: WatcherOptions): TrackedWatcher {
    watcher.name = name;
    if (watcher.hasShards(shards)) return watcher;
    this.#unindex(watcher);
    // The acknowledgements so far were about other guilds.
    watcher.reset();
    watcher.shards = shards;
    this.#index(watcher);
    return watcher;
  }

  #makeRoom(): void {
    const nowMs = this.#clock.monotonicMs();
    const away = [...this.#byId.values()].filter((watcher) => !watcher.isConnected(nowMs));
    const [first] = away.sort((a, b) => Number(b.hasLeft) - Number(a.hasLeft) || a.seenAtMs - b.seenAtMs);
    if (first === undefined) {
      throw new ProblemError('rate-limited', {
        detail: `Expected at most ${MAX_WATCHERS} connected watchers. Follow the guilds without \`watcher\`.`,
        retryAfter: 60,
      });
    }
    this.#forget([first]);
  }

  #forget(watchers: readonly TrackedWatcher[]): void {
    if (watchers.length === 0) return;
    for (const watcher of watchers) {
      this.#byId.delete(watcher.id);
      this.#unindex(watcher);
    }
    this.#onForget(watchers.map(({ id }) => id));
  }

  #index(watcher: TrackedWatcher): void {
    for (const shard of watcher.shards) {
      this.#counts.add(shard.count);
      const watchers = this.#byShard.get(shardKey(shard)) ?? new Set();
      this.#byShard.set(shardKey(shard), watchers.add(watcher));
    }
  }

  #unindex(watcher: TrackedWatcher): void {
    for (const shard of watcher.shards) {
      const watchers = this.#byShard.get(shardKey(shard));
      watchers?.delete(watcher);
      if (watchers?.size === 0) this.#byShard.delete(shardKey(shard));
    }
  }
}

/** Time that a watcher has to reconnect. It notices a silent loss of the connection after 15 seconds. */
const RECONNECT_MS = 20_000;

export interface WatcherOptions {
  readonly id: string;
  readonly name: string;
  readonly shards: readonly Shard[];
}

export interface Position {
  readonly revision: number;
  readonly rejected: readonly RejectedChange[];
}

/** The present time, and the last time at which the watchers of all processes were known. */
export interface KnownAt {
  readonly nowMs: number;
  readonly knownMs: number;
}

/** An open stream, and the run of the process that it serves; undefined: a 1.0.0 client, which has no run id. */
export interface WatcherStream {
  readonly run: string | undefined;
  /** Number of its registration; 0: not stored yet. */
  registration: number;
}

/** A registered watcher with its acknowledged position and connection. Times are monotonic, in milliseconds. */
export class TrackedWatcher {
  readonly id: string;
  name: string;
  shards: readonly Shard[];
  /** Number of its last registration, which increases across all processes of the service. */
  registration = 0;
  /** The run of the process that registered last; undefined: unknown. */
  run: string | undefined;
  hasLeft = false;
  /**
   * True: a request has waited for it in vain, or it was disconnected for too long, and it has not acknowledged since.
   */
  isMissed = false;
  /** Undefined: it has not acknowledged a change of the present history since it registered. */
  position: Position | undefined;
  readonly streams = new Set<WatcherStream>();
  elsewhereUntilMs = Number.NEGATIVE_INFINITY;
  seenAtMs: number;
  /** The time of its last acknowledgement, connection or disconnection, in milliseconds since 1970. */
  sinceMs: number;
  /** The time at which this process received the last acknowledgement, and the revision acknowledged before it. */
  #last: { readonly atMs: number; readonly after: number } | undefined;
  /** The time since which this process knows whether it is connected. */
  knownSinceMs: number;

  constructor(
    { id, name, shards }: WatcherOptions,
    { seenAtMs, sinceMs, nowMs }: { readonly seenAtMs: number; readonly sinceMs: number; readonly nowMs: number },
  ) {
    this.id = id;
    this.name = name;
    this.shards = shards;
    this.seenAtMs = seenAtMs;
    this.sinceMs = sinceMs;
    this.knownSinceMs = nowMs;
  }

  hasShards(shards: readonly Shard[]): boolean {
    const keys = new Set(this.shards.map(shardKey));
    return keys.size === shards.length && shards.every((shard) => keys.has(shardKey(shard)));
  }

  isConnected(nowMs: number): boolean {
    return this.streams.size > 0 || nowMs < this.elsewhereUntilMs;
  }

  /**
   * Returns how a watcher is gone, so that changes do not wait for it; undefined: it is connected, or was until just
   * now.
   * @param knownMs the time at which the watchers of the other processes were last known
   */
  absenceAt({ nowMs, knownMs }: KnownAt): 'left' | 'away' | undefined {
    if (this.isConnected(nowMs)) return undefined;
    if (this.hasLeft) return 'left';
    return this.reconnectMsAt(knownMs) > 0 ? undefined : 'away';
  }

  /**
   * Returns the time that a disconnected watcher has left to reconnect. A restart of the service has closed all
   * connections.
   */
  reconnectMsAt(nowMs: number): number {
    return Math.max(this.seenAtMs, this.elsewhereUntilMs, this.knownSinceMs) + RECONNECT_MS - nowMs;
  }

  stateOf(guildId: GuildId, revision: number, at: KnownAt): WatcherArrivalState {
    const { position } = this;
    const absence = this.absenceAt(at);
    if (absence !== undefined) return absence;
    if (position?.rejected.some((one) => one.guild === guildId && one.revision >= revision)) return 'rejected';
    // Revision 0 stands for the defaults. A watcher with a position of another history does not have them.
    if (position !== undefined && position.revision >= revision) return 'live';
    return this.isConnected(at.nowMs) ? 'pending' : 'away';
  }

  /** Begins a registration and drops the earlier position: the watcher's file may have lost its newest changes. */
  register(registration: number, run: string | undefined): void {
    this.registration = registration;
    this.run = run;
    this.hasLeft = false;
    this.reset();
  }

  /** Ends the streams of the run that registered last, which is leaving. A copy of its file may have other streams. */
  leave(): void {
    for (const stream of this.streams) if (stream.run === this.run) this.streams.delete(stream);
    this.hasLeft = this.streams.size === 0;
  }

  reset(): void {
    this.position = undefined;
    this.#last = undefined;
  }

  /** Records an acknowledgement. Returns false, without a change, for an older revision than the last one. */
  acknowledge(position: Position, { nowMs, sinceMs }: { readonly nowMs: number; readonly sinceMs: number }): boolean {
    const after = this.position?.revision ?? -1;
    if (position.revision < after) return false;
    this.position = { revision: position.revision, rejected: position.rejected };
    if (position.revision > after) {
      this.isMissed = false;
      this.sinceMs = sinceMs;
      this.#last = { atMs: nowMs, after };
    }
    return true;
  }

  acknowledgedAtMs(revision: number): number | undefined {
    return this.#last !== undefined && revision > this.#last.after ? this.#last.atMs : undefined;
  }
}

function shardKey({ id, count }: Shard): string {
  return `${id}/${count}`;
}
