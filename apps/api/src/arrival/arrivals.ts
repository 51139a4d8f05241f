import { setImmediate } from 'node:timers/promises';
import {
  type Acknowledgement,
  type AcknowledgementReceipt,
  type Arrival,
  type Cursor,
  type GuildId,
  LIMITS,
} from '@guild-settings/contract';
import type { Clock } from '../clock.ts';
import type { Feed } from '../feed/feed.ts';
import type { FeedStore, HistoryStore } from '../store/guild-store.ts';
import type { WatcherStore } from '../store/store.ts';
import { Commits, GuildArrival, Waiters } from './change-arrival.ts';
import { WatcherRows, type WatcherRowTimes } from './watcher-rows.ts';
import { type Position, type TrackedWatcher, type WatcherOptions, type WatcherStream, Watchers } from './watchers.ts';

export interface ArrivalsOptions {
  readonly feed: Feed;
  readonly store: WatcherStore & Pick<FeedStore & HistoryStore, 'canResume' | 'readErasure'>;
  readonly clock: Clock;
  readonly onAcknowledgement: (latencyMs: number) => void;
  /** Called when the watchers could not be stored or read, or the feed could not be followed. */
  readonly onError: (error: unknown) => void;
  readonly times?: WatcherRowTimes | undefined;
}

export interface WaitOptions {
  readonly waitMs: number;
  /**
   * The time at which the request committed the change, in monotonic milliseconds; undefined: the request did not
   * change anything.
   */
  readonly committedAtMs?: number | undefined;
  /** True: also waits for watchers that an earlier request has waited for in vain. */
  readonly isPatient?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Tracks which processes follow the guilds and how far each has acknowledged, to tell if a change is in use everywhere.
 *
 * A watcher is registered by its stream. Each registration starts at the position that the watcher reports, which may
 * be lower than before. When its last stream has ended, the watcher has some seconds to reconnect before it counts as
 * gone, unless it has left. It stays listed for an hour, after a leave for a day.
 */
export class Arrivals {
  readonly #options: ArrivalsOptions;
  readonly #watchers: Watchers;
  readonly #rows: WatcherRows;
  readonly #commits: Commits;
  readonly #waiters = new Waiters();
  readonly #closing = new AbortController();

  constructor(options: ArrivalsOptions) {
    const { feed, store, clock, onError, times } = options;
    this.#options = options;
    this.#watchers = new Watchers(clock, (ids) => this.#rows.forget(ids));
    const { signal } = this.#closing;
    this.#commits = new Commits({
      feed,
      onReset: () => {
        for (const watcher of this.#watchers.all()) watcher.reset();
      },
      onError,
      signal,
    });
    this.#rows = new WatcherRows({
      store,
      watchers: this.#watchers,
      clock,
      epoch: () => this.#commits.epoch,
      onChange: () => this.#waiters.endSettled(),
      onCopy: (watcher) => this.#followCopy(watcher),
      onError,
      times,
    });
  }

  async load(): Promise<void> {
    if (this.#options.store.isShared) await this.#commits.begin();
    await this.#rows.load();
    if (this.#watchers.size > 0) this.#commits.start();
  }

  /** Reads what other processes of the service have written about watchers. */
  async refresh(): Promise<void> {
    if ((await this.#rows.refresh()) && this.#watchers.size > 0) this.#commits.start();
  }

  counts(): { readonly connected: number; readonly away: number; readonly left: number } {
    this.#watchers.forgetExpired();
    const nowMs = this.#options.clock.monotonicMs();
    const counts = { connected: 0, away: 0, left: 0 };
    for (const watcher of this.#watchers.all()) {
      counts[watcher.isConnected(nowMs) ? 'connected' : watcher.hasLeft ? 'left' : 'away'] += 1;
    }
    return counts;
  }

  /**
   * Registers a watcher whose stream starts.
   * @param run id of the run of its process; undefined: a 1.0.0 client, which sends none
   * @param acknowledged the cursor up to which it has every change; undefined: unknown
   * @returns a function to call when the stream has ended
   * @throws ProblemError rate-limited when there are too many watchers
   */
  async connect(
    options: WatcherOptions,
    {
      run,
      acknowledged,
      signal,
    }: Partial<Pick<WatcherStream, 'run'>> & {
      readonly acknowledged?: Cursor | undefined;
      readonly signal?: AbortSignal | undefined;
    },
  ): Promise<() => void> {
    const { clock } = this.#options;
    const watcher = this.#watchers.add(options);
    // The leave was sent after this request, but arrived first.
    if (run !== undefined && watcher.hasLeft && watcher.run === run) return () => {};
    if (watcher.absenceAt(this.#rows.knownAt()) === 'away') watcher.isMissed = true;
    const stream: WatcherStream = { run, registration: 0 };
    watcher.streams.add(stream);
    watcher.sinceMs = clock.nowMs();
    this.#commits.start();
    const disconnect = () => this.#disconnect(watcher, stream);
    try {
      // Another process must not report a change as live before it knows this watcher.
      const registration = await this.#rows.register(options, run);
      stream.registration = registration;
      // The watcher may have connected again meanwhile; then the position of the new connection counts.
      if (signal?.aborted) return disconnect;
      if (registration > watcher.registration) watcher.register(registration, run);
      if (acknowledged !== undefined) await this.#advance(watcher, acknowledged, []);
      return disconnect;
    } catch (error) {
      // Ends the registration: it has no stream that would.
      disconnect();
      throw error;
    }
  }

  /**
   * Records an acknowledgement, which may be a leave.
   * @returns whole milliseconds since the newest commit that it covers; null: unknown
   */
  async acknowledge({
    watcher: { id, run },
    shards,
    cursor,
    rejected = [],
    leaves = false,
  }: Acknowledgement): Promise<AcknowledgementReceipt> {
    // The watcher may have registered at another process since.
    await this.refresh();
    const watcher = this.#watchers.get(id);
    // The acknowledgement was sent before the watcher connected with its present shards.
    if (watcher === undefined || !watcher.hasShards(shards)) return { latencyMs: null };
    // The position of an earlier run does not apply: the present run may have opened an older copy of the file.
    if (run !== undefined && watcher.run !== undefined && run !== watcher.run) return { latencyMs: null };
    if (leaves && run !== undefined && run === watcher.run) this.#leave(watcher);
    const latencyMs = cursor === undefined ? null : await this.#advance(watcher, cursor, rejected);
    // Responds first to the requests that wait for this acknowledgement: people wait for them, but not for this
    // receipt.
    await setImmediate();
    return { latencyMs };
  }

  /**
   * Returns where a revision of a guild is in use, after waiting for a limited time until it is live or a watcher has
   * rejected it. A watcher that lacks it at the end is marked as missed: later requests do not wait for it before its
   * next acknowledgement. Revision 0 stands for the defaults, which are in use where the newest erasure of the guild
   * is.
   */
  async wait(
    guildId: GuildId,
    revision: number,
    { waitMs, committedAtMs, isPatient = false, signal }: WaitOptions,
  ): Promise<Arrival> {
    const awaited = revision > 0 ? revision : ((await this.#options.store.readErasure(guildId))?.revision ?? 0);
    if (committedAtMs !== undefined) this.#commits.add(awaited, { guildId, atMs: committedAtMs });
    const untilMs = performance.now() + waitMs;
    const isSettled = () => {
      const arrival = this.#arrivalAt(guildId, awaited);
      return isPatient ? arrival.isSettled : arrival.isOver;
    };
    for (;;) {
      const leftMs = this.#closing.signal.aborted ? 0 : untilMs - performance.now();
      const { nextGoneMs } = this.#arrivalAt(guildId, awaited);
      if (!isSettled()) await this.#waiters.wait(isSettled, Math.min(leftMs, nextGoneMs), signal);
      const isGivenUp = signal?.aborted || this.#closing.signal.aborted;
      const isOver = performance.now() >= untilMs;
      // Another process may have registered a watcher that this one does not know yet.
      const isComplete = !(await this.#rows.refresh());
      // Watchers that register after the end must not prolong the wait.
      if (!isGivenUp && !isOver && !(isComplete && isSettled())) continue;
      this.#watchers.forgetExpired();
      const arrival = this.#arrivalAt(guildId, awaited);
      if (isOver && !isGivenUp && !isPatient && waitMs > 0)
        for (const watcher of arrival.lacking) watcher.isMissed = true;
      const { state, counts, watchers } = arrival;
      const latencyMs = state === 'live' ? this.#latencyMs(awaited, arrival.lastAcknowledgedAtMs) : null;
      return { revision, state, latencyMs, ...counts, watchers: watchers.slice(0, LIMITS.arrivalWatchers) };
    }
  }

  end(): void {
    this.#closing.abort();
    this.#waiters.endAll();
  }

  async close(): Promise<void> {
    const nowMs = this.#options.clock.monotonicMs();
    for (const watcher of this.#watchers.all())
      if (watcher.streams.size > 0) {
        watcher.streams.clear();
        watcher.seenAtMs = nowMs;
        this.#rows.ended(watcher, watcher.registration);
      }
    this.end();
    await this.#commits.ended();
    await this.#rows.close();
  }

  #disconnect(watcher: TrackedWatcher, stream: WatcherStream): void {
    if (!watcher.streams.delete(stream)) return;
    if (watcher.streams.size === 0) this.#end(watcher, stream.registration);
    else this.#followCopy(watcher);
  }

  #leave(watcher: TrackedWatcher): void {
    watcher.leave();
    if (watcher.hasLeft) {
      this.#end(watcher, watcher.registration);
      this.#waiters.endSettled();
    } else this.#followCopy(watcher);
  }

  /**
   * Continues with another run of a watcher if the run that registered last has no stream left: a copy of its file is
   * open.
   */
  #followCopy(watcher: TrackedWatcher): void {
    const isThere = [...watcher.streams].some(({ run }) => run === watcher.run);
    if (!isThere) this.#registerAgain(watcher).catch(this.#options.onError);
  }

  /** Registers a watcher again for a stream that is open here: the other processes consider the watcher gone. */
  async #registerAgain(watcher: TrackedWatcher): Promise<void> {
    // A stream whose registration is still being stored needs no new one.
    const stream = [...watcher.streams].find((open) => open.registration > 0);
    if (stream === undefined) return;
    const registration = await this.#rows.register(watcher, stream.run);
    stream.registration = registration;
    if (registration > watcher.registration) watcher.register(registration, stream.run);
    // The stream has ended meanwhile.
    if (watcher.streams.size === 0) this.#end(watcher, registration);
  }

  #end(watcher: TrackedWatcher, registration: number): void {
    const { clock } = this.#options;
    watcher.seenAtMs = clock.monotonicMs();
    watcher.sinceMs = clock.nowMs();
    if (registration === watcher.registration) watcher.elsewhereUntilMs = Number.NEGATIVE_INFINITY;
    this.#rows.ended(watcher, registration);
  }

  #arrivalAt(guildId: GuildId, revision: number): GuildArrival {
    return new GuildArrival(this.#watchers.of(guildId), { guildId, revision, ...this.#rows.knownAt() });
  }

  /** Returns the time from a commit to its last acknowledgement, in whole milliseconds; null: unknown. */
  #latencyMs(revision: number, lastMs: number | undefined): number | null {
    const commit = this.#commits.get(revision);
    return commit === undefined || lastMs === undefined ? null : Math.max(0, Math.round(lastMs - commit.atMs));
  }

  /**
   * Records the position of a watcher.
   * @returns whole milliseconds since the commit that it has newly acknowledged; null: unknown, or no new commit
   */
  async #advance(watcher: TrackedWatcher, cursor: Cursor, rejected: Position['rejected']): Promise<number | null> {
    const { clock, store, onAcknowledgement } = this.#options;
    const { registration, position } = watcher;
    // A position beyond the newest commit is from another history and does not count.
    const isOfThisHistory = this.#commits.hasPassed(cursor) || (await store.canResume(cursor));
    if (!isOfThisHistory || watcher.registration !== registration) return null;
    const { revision } = cursor;
    // A rejection cannot be ahead of the acknowledged position.
    const named = rejected.map((one) => ({ guild: one.guild, revision: Math.min(one.revision, revision) }));
    const nowMs = clock.monotonicMs();
    if (!watcher.acknowledge({ revision, rejected: named }, { nowMs, sinceMs: clock.nowMs() })) return null;
    this.#rows.moved(watcher);
    this.#waiters.endSettled();
    const commit = revision > (position?.revision ?? -1) ? this.#commits.get(revision) : undefined;
    if (commit === undefined || ![...this.#watchers.of(commit.guildId)].some((one) => one.watcher === watcher))
      return null;
    const latencyMs = Math.max(0, nowMs - commit.atMs);
    onAcknowledgement(latencyMs);
    return Math.round(latencyMs);
  }
}
