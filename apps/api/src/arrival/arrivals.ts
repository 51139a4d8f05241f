import {
  type Acknowledgement,
  type Arrival,
  type ArrivalState,
  type Cursor,
  type GuildId,
  LIMITS,
  type WatchEvent,
  type WatcherArrival,
} from '@guild-settings/contract';
import type { Clock } from '../clock.ts';
import type { Feed } from '../feed/feed.ts';
import type { Store } from '../store/store.ts';
import { TrackedCommit } from './tracked-commit.ts';
import type { Watcher, WatcherOptions } from './watcher.ts';
import { WatcherRows } from './watcher-rows.ts';
import { Watchers } from './watchers.ts';

/** Newest commits whose times are known. */
const MAX_COMMITS = 1_024;

/** From the state that says most to the one that says least. */
const STATES: readonly ArrivalState[] = ['rejected', 'pending', 'away', 'live'];

/** What {@link Arrivals} uses. */
export interface ArrivalsOptions {
  readonly feed: Feed;
  readonly store: Pick<
    Store<never>,
    'readWatchers' | 'saveWatchers' | 'deleteWatchers' | 'canResume' | 'readFeed' | 'readLogBounds'
  >;
  readonly clock: Clock;
  /** Called with the time from each commit to the acknowledgement of its last watcher, in milliseconds. */
  readonly onArrival: (latencyMs: number) => void;
  /** Called when the registered watchers could not be stored or the feed could not be followed. */
  readonly onError: (error: unknown) => void;
}

/** A request that waits until a change is live. */
interface Waiter {
  readonly guildId: GuildId;
  readonly revision: number;
  readonly end: () => void;
}

/**
 * Knows which processes follow the guilds, and how far each has acknowledged: whether a change is in use everywhere.
 *
 * A watcher is registered by its stream, and stays registered for an hour after its last stream has ended. Positions are in
 * memory only: after a restart of the service each watcher says anew how far it is.
 */
export class Arrivals {
  readonly #options: ArrivalsOptions;
  readonly #watchers: Watchers;
  readonly #rows: WatcherRows;
  readonly #commits = new Map<number, TrackedCommit>();
  readonly #waiters = new Set<Waiter>();
  readonly #closing = new AbortController();
  #following: Promise<void> | undefined;
  /** The epoch of the newest event: a cursor of it needs no check. */
  #epoch: string | undefined;

  constructor(options: ArrivalsOptions) {
    const { clock, store, onError } = options;
    this.#options = options;
    this.#rows = new WatcherRows(store, onError);
    this.#watchers = new Watchers(clock, (watcher) => this.#rows.delete(watcher.id));
  }

  /** Reads the registered watchers of before. They are away until they connect again. */
  async load(): Promise<void> {
    for (const { leftAt, ...watcher } of await this.#options.store.readWatchers()) {
      this.#watchers.register(watcher, leftAt === null ? {} : { leftAt });
    }
  }

  /** The numbers of registered watchers. */
  counts(): { readonly connected: number; readonly away: number } {
    this.#watchers.forgetExpired();
    const away = [...this.#watchers.all()].filter(({ leftAtMs }) => leftAtMs !== undefined).length;
    return { connected: this.#watchers.size - away, away };
  }

  /**
   * Registers a watcher whose stream starts.
   * @param cursor what it has already
   * @returns a function to be called when the stream has ended
   * @throws ProblemError rate-limited when there are too many watchers
   */
  async connect(options: WatcherOptions, cursor: Cursor | undefined): Promise<() => void> {
    const { watcher, isNew } = this.#watchers.register(options);
    const wasAway = watcher.leftAtMs !== undefined;
    watcher.connections += 1;
    watcher.leftAtMs = undefined;
    if (wasAway) watcher.sinceMs = this.#options.clock.nowMs();
    this.#follow();
    // Whoever is told that a change is live must not have missed a watcher that is served already.
    if (isNew || wasAway) await this.#rows.save(watcher);
    const revision = cursor !== undefined && (await this.#isOfThisHistory(cursor)) ? cursor.revision : 0;
    // A file that lost its newest changes, in a loss of power or to an older copy, is behind what it acknowledged.
    if (revision < watcher.revision && watcher.connections === 1) watcher.revision = revision;
    this.#advance(watcher, revision, []);
    let isOpen = true;
    return () => {
      if (isOpen) this.#disconnect(watcher);
      isOpen = false;
    };
  }

  /**
   * Records an acknowledgement.
   * @returns milliseconds from the newest commit that it covers until now; null: unknown
   */
  async acknowledge({ watcher: identity, shards, cursor, rejected = [] }: Acknowledgement): Promise<number | null> {
    const { watcher, isNew } = this.#watchers.register({ ...identity, shards });
    if (isNew) await this.#rows.save(watcher);
    if (!(await this.#isOfThisHistory(cursor))) return null;
    return this.#advance(watcher, cursor.revision, rejected);
  }

  /** Returns where a revision of a guild is in use. */
  arrivalOf(guildId: GuildId, revision: number): Arrival {
    this.#watchers.forgetExpired();
    const watchers: WatcherArrival[] = [];
    for (const { watcher, shard } of this.#watchers.of(guildId)) {
      const { name, revision: acknowledged, sinceMs } = watcher;
      const state = watcher.stateOf(guildId, revision);
      watchers.push({ name, shard, revision: acknowledged, state, since: new Date(sinceMs).toISOString() });
    }
    watchers.sort((a, b) => STATES.indexOf(a.state) - STATES.indexOf(b.state));
    const state = watchers[0]?.state ?? 'away';
    const latencyMs = state === 'live' ? (this.#commits.get(revision)?.latencyMs ?? null) : null;
    return { revision, state, latencyMs, watchers: watchers.slice(0, LIMITS.arrivalWatchers) };
  }

  /**
   * Waits until a revision of a guild is live, or a watcher has rejected it, for a limited time.
   * @param options.committedAtMs when it was committed, in monotonic milliseconds, if it was by this request
   */
  async wait(
    guildId: GuildId,
    revision: number,
    { waitMs, committedAtMs }: { readonly waitMs: number; readonly committedAtMs?: number | undefined },
  ): Promise<Arrival> {
    if (committedAtMs !== undefined) this.#track(guildId, revision, committedAtMs);
    const { signal } = this.#closing;
    if (waitMs > 0 && !signal.aborted && !this.#isSettled(guildId, revision)) {
      await new Promise<void>((resolve) => {
        const end = () => {
          clearTimeout(timer);
          signal.removeEventListener('abort', end);
          this.#waiters.delete(waiter);
          resolve();
        };
        const waiter: Waiter = { guildId, revision, end };
        const timer = setTimeout(end, waitMs);
        signal.addEventListener('abort', end, { once: true });
        this.#waiters.add(waiter);
      });
    }
    return this.arrivalOf(guildId, revision);
  }

  /** Ends every wait: the service stops. */
  end(): void {
    this.#closing.abort();
  }

  /** Resolves when nothing is left to store. */
  async close(): Promise<void> {
    this.end();
    await this.#following;
    await this.#rows.idle();
  }

  #disconnect(watcher: Watcher): void {
    const { clock } = this.#options;
    watcher.connections -= 1;
    if (watcher.connections > 0) return;
    watcher.leftAtMs = clock.monotonicMs();
    watcher.sinceMs = clock.nowMs();
    // After a stop of the service the row without a time says that it was connected.
    if (!this.#closing.signal.aborted) void this.#rows.save(watcher);
  }

  #advance(watcher: Watcher, revision: number, rejected: NonNullable<Acknowledgement['rejected']>): number | null {
    const { clock, onArrival } = this.#options;
    const nowMs = clock.monotonicMs();
    const covered = watcher.acknowledge(revision, rejected, clock.nowMs());
    for (const commit of covered) {
      if (commit.acknowledge(nowMs)) onArrival(nowMs - commit.committedAtMs);
    }
    for (const waiter of this.#waiters) {
      if (this.#isSettled(waiter.guildId, waiter.revision)) waiter.end();
    }
    const newest = covered.at(-1);
    return newest === undefined ? null : nowMs - newest.committedAtMs;
  }

  /** Whether waiting is over: it is live, or will not be. */
  #isSettled(guildId: GuildId, revision: number): boolean {
    let isLive = false;
    for (const { watcher } of this.#watchers.of(guildId)) {
      const state = watcher.stateOf(guildId, revision);
      if (state === 'rejected') return true;
      if (state !== 'live') return false;
      isLive = true;
    }
    return isLive;
  }

  #track(guildId: GuildId, revision: number, committedAtMs: number): void {
    if (this.#commits.has(revision)) return;
    const commit = new TrackedCommit(guildId, revision, committedAtMs);
    this.#commits.set(revision, commit);
    for (const { watcher } of this.#watchers.of(guildId)) watcher.expect(commit);
    const [oldest] = this.#commits.keys();
    if (this.#commits.size > MAX_COMMITS && oldest !== undefined) this.#commits.delete(oldest);
  }

  /** Follows the feed from now on, to know when each change was committed. It begins with the first watcher. */
  #follow(): void {
    this.#following ??= this.#observeCommits().catch((error: unknown) => {
      this.#following = undefined;
      if (!this.#closing.signal.aborted) this.#options.onError(error);
    });
  }

  async #observeCommits(): Promise<void> {
    const { feed } = this.#options;
    const { signal } = this.#closing;
    const cursor = await feed.end();
    const watch = await feed.watch({ cursor, shard: undefined, untilMs: Number.POSITIVE_INFINITY, signal });
    for await (const {
      cursor: { epoch },
      event,
    } of watch) {
      this.#epoch = epoch;
      this.#observe(event);
    }
  }

  #observe(event: WatchEvent): void {
    const committedAtMs = this.#options.feed.wokenAtMs;
    switch (event.type) {
      case 'guild':
        this.#track(event.guild.id, event.revision, committedAtMs);
        return;
      case 'guilds':
        for (const { guild, revision } of event.guilds) this.#track(guild.id, revision, committedAtMs);
        return;
      case 'removed':
        this.#track(event.guild, event.revision, committedAtMs);
        return;
      case 'reset':
        // An older copy of the database was put back: what was acknowledged is of a history that has ended.
        for (const watcher of this.#watchers.all()) watcher.reset();
        this.#commits.clear();
        return;
      case 'live':
      case 'bookmark':
        return;
    }
  }

  async #isOfThisHistory(cursor: Cursor): Promise<boolean> {
    return cursor.epoch === this.#epoch || this.#options.store.canResume(cursor);
  }
}
