import { type GuildId, ProblemError, type Shard, shardIdOf } from '@guild-settings/contract';
import type { Clock } from '../clock.ts';
import { shardKey, TrackedWatcher, type WatcherOptions } from './tracked-watcher.ts';

const MAX_WATCHERS = 10_000;

/** Time after which a watcher that is gone is forgotten. */
export const AWAY_TTL_MS = 3_600_000;

/** Time for which a watcher that has taken leave is named. */
const LEFT_TTL_MS = 86_400_000;

/** Pause between two searches for watchers to forget. */
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
