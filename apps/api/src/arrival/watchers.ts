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

/** The registered watchers: those that are connected, those that were within the last hour, and those that left within the last day. */
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
    // The acknowledgements of before were about other guilds.
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

/** Time for which a lost connection is one that the watcher is making again: it notices a silent loss after 15 seconds. */
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

/** The present time, and the last time at which the watchers of all processes of the service were known. */
export interface KnownAt {
  readonly nowMs: number;
  readonly knownMs: number;
}

/** An open stream, and the run of the process that it serves; undefined: one of 1.0.0, which has no id. */
export interface WatcherStream {
  readonly run: string | undefined;
  /** Number of its registration; 0: it is not stored yet. */
  registration: number;
}

/** A registered watcher: how far it has acknowledged, and whether it is connected. Times are monotonic, in milliseconds. */
export class TrackedWatcher {
  readonly id: string;
  name: string;
  shards: readonly Shard[];
  /** Number of its last registration: greater than those before it, at any process of the service. */
  registration = 0;
  /** The run of the process that registered last; undefined: unknown. */
  run: string | undefined;
  hasLeft = false;
  /** True: a request has waited for it in vain, or its connection was gone, and it has acknowledged nothing since. */
  isMissed = false;
  /** Undefined: it has acknowledged nothing of the present history since it registered. */
  position: Position | undefined;
  readonly streams = new Set<WatcherStream>();
  elsewhereUntilMs = Number.NEGATIVE_INFINITY;
  seenAtMs: number;
  /** The time of its last acknowledgement, connection or end, in milliseconds since 1970. */
  sinceMs: number;
  /** The time at which this process learnt of the last acknowledgement, and the revision of the one before it. */
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
   * Returns how a watcher is gone for which no change is held back; undefined: it is connected, or was just now.
   * @param knownMs the time at which it was last known which watchers the other processes of the service have
   */
  absenceAt({ nowMs, knownMs }: KnownAt): 'left' | 'away' | undefined {
    if (this.isConnected(nowMs)) return undefined;
    if (this.hasLeft) return 'left';
    return this.reconnectMsAt(knownMs) > 0 ? undefined : 'away';
  }

  /** Returns the rest of the time in which a watcher without a connection makes it again. A restart of the service has ended all. */
  reconnectMsAt(nowMs: number): number {
    return Math.max(this.seenAtMs, this.elsewhereUntilMs, this.knownSinceMs) + RECONNECT_MS - nowMs;
  }

  stateOf(guildId: GuildId, revision: number, at: KnownAt): WatcherArrivalState {
    const { position } = this;
    const absence = this.absenceAt(at);
    if (absence !== undefined) return absence;
    if (position?.rejected.some((one) => one.guild === guildId && one.revision >= revision)) return 'rejected';
    // Revision 0 are the defaults, which a watcher with another history does not have.
    if (position !== undefined && position.revision >= revision) return 'live';
    return this.isConnected(at.nowMs) ? 'pending' : 'away';
  }

  /** Begins a registration. A position of before counts no longer: a file may have lost its newest changes. */
  register(registration: number, run: string | undefined): void {
    this.registration = registration;
    this.run = run;
    this.hasLeft = false;
    this.reset();
  }

  /** Ends the streams of the run that registered last, which takes leave. A copy of its file may have others. */
  leave(): void {
    for (const stream of this.streams) if (stream.run === this.run) this.streams.delete(stream);
    this.hasLeft = this.streams.size === 0;
  }

  reset(): void {
    this.position = undefined;
    this.#last = undefined;
  }

  /** Records an acknowledgement. Returns false for one of an older revision than the last, which changes nothing. */
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
