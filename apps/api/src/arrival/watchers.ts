import { type GuildId, ProblemError } from '@guild-settings/contract';
import type { Clock } from '../clock.ts';
import type { CommitTimes } from './commit-times.ts';
import { Watcher, type WatcherOptions } from './watcher.ts';
import { type WatchedShard, WatcherIndex } from './watcher-index.ts';

/** Maximum number of registered watchers. */
const MAX_WATCHERS = 10_000;

/** Rejections that are known of all watchers together. They take a megabyte. */
const MAX_REJECTIONS = 10_000;

/** Time after which a watcher that left is forgotten. */
const AWAY_TTL_MS = 3_600_000;

/** Pause between two searches for watchers to forget. */
const SWEEP_INTERVAL_MS = 10_000;

/** The registered watchers: those that are connected, and those that left within the last hour. */
export class Watchers {
  readonly #clock: Clock;
  readonly #commits: CommitTimes;
  readonly #byId = new Map<string, Watcher>();
  readonly #index = new WatcherIndex();
  #sweptAtMs = 0;
  /** Those of all watchers. */
  #rejections = 0;
  readonly #countRejections = (difference: number): void => {
    this.#rejections += difference;
  };
  readonly #onForget: (watcher: Watcher) => void;

  /** @param onForget called with each watcher that is no longer registered */
  constructor(clock: Clock, commits: CommitTimes, onForget: (watcher: Watcher) => void) {
    this.#clock = clock;
    this.#commits = commits;
    this.#onForget = onForget;
  }

  get size(): number {
    return this.#byId.size;
  }

  get(id: string): Watcher | undefined {
    return this.#byId.get(id);
  }

  all(): Iterable<Watcher> {
    return this.#byId.values();
  }

  /** Yields each watcher of a guild, with the shard of the guild. */
  of(guildId: GuildId): Iterable<WatchedShard> {
    return this.#index.of(guildId);
  }

  /** Returns how many rejections of a watcher can be stored beside those of the others. */
  rejectionRoom(watcher: Watcher): number {
    return Math.max(0, MAX_REJECTIONS + watcher.rejections.length - this.#rejections);
  }

  /**
   * Registers a watcher as one that is not connected, or changes its name and shards.
   * @param options.leftAt when it left, in milliseconds since 1970; now unless given
   * @returns the watcher, and whether anything is new
   * @throws ProblemError rate-limited when there are too many
   */
  register(options: WatcherOptions, { leftAt = this.#clock.nowMs() } = {}): { watcher: Watcher; isNew: boolean } {
    this.forgetExpired();
    const known = this.#byId.get(options.id);
    if (known !== undefined) return { watcher: known, isNew: this.#change(known, options) };
    if (this.#byId.size >= MAX_WATCHERS) this.#makeRoom();
    const awayForMs = Math.max(0, this.#clock.nowMs() - leftAt);
    const leftAtMs = this.#clock.monotonicMs() - awayForMs;
    const watcher = new Watcher(options, {
      sinceMs: leftAt,
      leftAtMs,
      commits: this.#commits,
      onRejections: this.#countRejections,
    });
    this.#byId.set(watcher.id, watcher);
    this.#index.add(watcher);
    return { watcher, isNew: true };
  }

  /** Forgets the watchers that left more than an hour ago. */
  forgetExpired(): void {
    const nowMs = this.#clock.monotonicMs();
    if (nowMs - this.#sweptAtMs < SWEEP_INTERVAL_MS) return;
    this.#sweptAtMs = nowMs;
    const before = nowMs - AWAY_TTL_MS;
    for (const watcher of this.#byId.values()) {
      if (watcher.leftAtMs !== undefined && watcher.leftAtMs <= before) this.#forget(watcher);
    }
  }

  /** Returns whether anything is new. */
  #change(watcher: Watcher, { name, shards }: WatcherOptions): boolean {
    const hasSameShards = watcher.hasShards(shards);
    if (watcher.name === name && hasSameShards) return false;
    this.#index.delete(watcher);
    // What it acknowledged was about other guilds.
    if (!hasSameShards) watcher.reset();
    watcher.name = name;
    watcher.shards = shards;
    this.#index.add(watcher);
    return true;
  }

  /** Forgets the watcher that left first. */
  #makeRoom(): void {
    let first: Watcher | undefined;
    for (const watcher of this.#byId.values()) {
      if (watcher.leftAtMs !== undefined && watcher.leftAtMs < (first?.leftAtMs ?? Number.POSITIVE_INFINITY))
        first = watcher;
    }
    if (first === undefined) {
      throw new ProblemError('rate-limited', {
        detail: `Expected at most ${MAX_WATCHERS} connected watchers. Follow the guilds without \`watcher\`.`,
        retryAfter: 60,
      });
    }
    this.#forget(first);
  }

  #forget(watcher: Watcher): void {
    this.#byId.delete(watcher.id);
    this.#index.delete(watcher);
    watcher.forget();
    this.#onForget(watcher);
  }
}
