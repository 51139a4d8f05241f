import { setMaxListeners } from 'node:events';
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
import type { Store } from '../store/store.ts';
import { AcknowledgementPace } from './acknowledgement-pace.ts';
import { claimedPosition } from './claimed-position.ts';
import { CommitTimes, type TimedAcknowledgement } from './commit-times.ts';
import { CommitTracker } from './commit-tracker.ts';
import { deadlineOf } from './deadline.ts';
import { arrivalsAt, isSettled } from './guild-arrival.ts';
import { SharedWatchers } from './shared-watchers.ts';
import { Waiters } from './waiters.ts';
import type { RejectedChange, Watcher, WatcherOptions } from './watcher.ts';
import type { WatcherState } from './watcher-relay.ts';
import { Watchers } from './watchers.ts';

/** What {@link Arrivals} uses. */
export interface ArrivalsOptions {
  readonly feed: Feed;
  readonly store: Pick<
    Store<never>,
    'readWatchers' | 'saveWatchers' | 'deleteWatchers' | 'watchersVersion' | 'broadcast' | 'canResume' | 'readErasure'
  >;
  readonly clock: Clock;
  /** Called with the time from each commit to the acknowledgement of its last watcher, in milliseconds. */
  readonly onArrival: (latencyMs: number) => void;
  /** Called when the watchers could not be stored or shared, and when the feed could not be followed. */
  readonly onError: (error: unknown) => void;
}

/** Time for which a request waits, and when it committed the change, in monotonic milliseconds; undefined: it did not. */
export interface WaitOptions {
  readonly waitMs: number;
  readonly committedAtMs?: number | undefined;
  /** Ends the wait. */
  readonly signal?: AbortSignal;
}

/** An acknowledgement of this process or of another one. */
interface AdvanceOptions {
  readonly rejected: readonly RejectedChange[];
  /** Whether this process has received it. */
  readonly isOurs: boolean;
  /** Whether another process has found room for the rejections. */
  readonly isBounded?: boolean;
}

/**
 * Knows which processes follow the guilds, and how far each has acknowledged: whether a change is in use everywhere.
 *
 * A watcher is registered by its stream, and stays registered for an hour after its last stream has ended. Positions are in
 * memory only: after a restart of the service each watcher sends its position again.
 */
export class Arrivals {
  readonly #options: ArrivalsOptions;
  readonly #watchers: Watchers;
  readonly #shared: SharedWatchers;
  readonly #commits = new CommitTimes();
  readonly #tracker: CommitTracker;
  readonly #pace: AcknowledgementPace;
  readonly #waiters = new Waiters();
  readonly #closing = new AbortController();

  constructor(options: ArrivalsOptions) {
    const { feed, store, clock, onError } = options;
    this.#options = options;
    // Each wait adds a listener.
    setMaxListeners(0, this.#closing.signal);
    this.#pace = new AcknowledgementPace(clock.monotonicMs);
    this.#watchers = new Watchers(clock, this.#commits, ({ id }) => this.#shared.forget(id));
    this.#shared = new SharedWatchers({
      store,
      clock,
      watchers: this.#watchers,
      onState: (watcher, state) => this.#receiveState(watcher, state),
      onError,
    });
    this.#tracker = new CommitTracker({
      feed,
      commits: this.#commits,
      watchers: this.#watchers,
      clock,
      onReset: () => {
        for (const watcher of this.#watchers.all()) watcher.reset();
      },
      onError,
      signal: this.#closing.signal,
    });
  }

  /**
   * Reads the registered watchers. They are away until they connect, or another process has a stream of them. Called again after
   * messages of other processes were lost.
   */
  async load(): Promise<void> {
    await this.#shared.load();
    if (this.#watchers.size > 0) this.#tracker.start();
  }

  /**
   * Forgets how far the watchers without a stream of this process are, because messages of other processes are lost: a position may
   * become lower there. {@link load} requests the positions again.
   */
  forgetOthers(): void {
    for (const watcher of this.#watchers.all()) if (watcher.streams === 0) watcher.begin(watcher.generation);
  }

  /** Handles a message of another process of the service. */
  receive(message: string): void {
    this.#shared.receive(message);
  }

  /** The numbers of registered watchers. */
  counts(): { readonly connected: number; readonly away: number } {
    this.#watchers.forgetExpired();
    const away = [...this.#watchers.all()].filter(({ leftAtMs }) => leftAtMs !== undefined).length;
    return { connected: this.#watchers.size - away, away };
  }

  /**
   * Registers a watcher whose stream starts.
   * @param acknowledged the cursor up to which it has every change; undefined: unknown
   * @returns a function to be called when the stream has ended
   * @throws ProblemError rate-limited when there are too many watchers
   */
  async connect(
    options: WatcherOptions,
    { acknowledged, signal }: { readonly acknowledged?: Cursor | undefined; readonly signal?: AbortSignal | undefined },
  ): Promise<() => void> {
    const { watcher } = this.#watchers.register(options);
    this.#shared.opened(watcher);
    this.#tracker.start();
    let isOpen = true;
    const disconnect = () => {
      if (isOpen && !this.#closing.signal.aborted) this.#shared.closed(watcher);
      isOpen = false;
    };
    try {
      // A change must not be reported as live while another process serves a watcher that it does not know. The position may be
      // lower than before: a file loses its newest changes in a loss of power, or to an older copy.
      await this.#shared.register(watcher, signal);
      if (acknowledged !== undefined && !signal?.aborted)
        await this.#advance(watcher, acknowledged, { rejected: [], isOurs: true });
      await this.#shared.publish(watcher);
      return disconnect;
    } catch (error) {
      // There will be no stream that could end.
      disconnect();
      throw error;
    }
  }

  /**
   * Records an acknowledgement.
   * @returns milliseconds from the newest commit that it covers until now, and how long to wait before the next one
   */
  async acknowledge({
    watcher: identity,
    shards,
    cursor,
    rejected = [],
  }: Acknowledgement): Promise<AcknowledgementReceipt> {
    const known = this.#watchers.get(identity.id);
    // Sent before it connected with its present shards, or received before the news of that. The next one counts.
    if (known?.hasStream && !known.hasShards(shards)) return { latencyMs: null, pauseMs: this.#pace.count(known) };
    const { watcher, isNew } = this.#watchers.register({ ...identity, shards });
    if (isNew) await this.#shared.register(watcher);
    const latencyMs = await this.#advance(watcher, cursor, { rejected, isOurs: true });
    // Requests that wait for this acknowledgement are responded to first: people wait for them, and no request for this receipt.
    await setImmediate();
    return { latencyMs, pauseMs: this.#pace.count(watcher) };
  }

  /**
   * Returns where a revision of a guild is in use, after waiting until it is live or a watcher has rejected it, for a limited
   * time. Revision 0 are the defaults: they are in use where the newest erasure of the guild is.
   */
  async wait(guildId: GuildId, revision: number, { waitMs, committedAtMs, signal }: WaitOptions): Promise<Arrival> {
    const awaited = revision > 0 ? revision : ((await this.#options.store.readErasure(guildId))?.revision ?? 0);
    if (committedAtMs !== undefined) this.#tracker.track(guildId, awaited, committedAtMs);
    const deadline = deadlineOf(waitMs, [this.#closing.signal, ...(signal ? [signal] : [])]);
    try {
      return { revision, ...(await this.#arrivalBy(guildId, awaited, deadline.signal)) };
    } finally {
      deadline.clear();
    }
  }

  async #arrivalBy(guildId: GuildId, revision: number, deadline: AbortSignal): Promise<Omit<Arrival, 'revision'>> {
    for (;;) {
      if (!this.#isSettled(guildId, revision)) await this.#waiters.wait(guildId, revision, deadline);
      const isOver = deadline.aborted;
      // Another process may have registered a watcher that this one does not know yet.
      const isComplete = !(await this.#shared.refresh());
      // Those that register after the end would prolong the wait, for as long as watchers go on to connect.
      if (isOver || (isComplete && this.#isSettled(guildId, revision))) return this.#arrivalOf(guildId, revision);
    }
  }

  /** Ends every wait: the service stops. */
  end(): void {
    this.#closing.abort();
  }

  /** Resolves when nothing is left to store. */
  async close(): Promise<void> {
    this.end();
    await this.#tracker.ended();
    await this.#shared.close();
  }

  #arrivalOf(guildId: GuildId, revision: number): Omit<Arrival, 'revision'> {
    this.#watchers.forgetExpired();
    const watchers = arrivalsAt(this.#watchers.of(guildId), guildId, revision);
    const state = watchers[0]?.state ?? 'away';
    const latencyMs = state === 'live' ? this.#commits.latencyMs(revision) : null;
    return { state, latencyMs, watchers: watchers.slice(0, LIMITS.arrivalWatchers) };
  }

  /** Applies the state of a watcher that another process has sent. */
  async #receiveState(
    watcher: Watcher,
    { generation, epoch, revision, rejected: sent = [] }: WatcherState,
  ): Promise<void> {
    if (generation !== undefined && generation < watcher.generation) return;
    if (generation !== undefined && generation > watcher.generation) watcher.begin(generation);
    // Earlier versions, which have no generations, send the newest rejections alone.
    const isBounded = generation !== undefined;
    const rejected = isBounded ? sent : merged(watcher.rejections, sent);
    if (epoch !== '') await this.#advance(watcher, { epoch, revision }, { rejected, isOurs: false, isBounded });
  }

  async #advance(
    watcher: Watcher,
    cursor: Cursor,
    { rejected, isOurs, isBounded = false }: AdvanceOptions,
  ): Promise<number | null> {
    const { clock, onArrival } = this.#options;
    const { generation } = watcher;
    if (!(await this.#isOfThisHistory(cursor))) return null;
    // It has registered since: this was about its position before.
    if (watcher.generation !== generation || cursor.revision < watcher.revision) return null;
    const isRoomNeeded = rejected.length > 0 && !isBounded;
    const room = isRoomNeeded ? this.#watchers.rejectionRoom(watcher) : Number.POSITIVE_INFINITY;
    const claimed = claimedPosition({ revision: cursor.revision, rejected }, room);
    // Less is known to be in use than before.
    if (claimed.revision < watcher.revision) watcher.begin(generation + 1);
    watcher.epoch = cursor.epoch;
    const nowMs = clock.monotonicMs();
    const covered = watcher.acknowledge(claimed.revision, claimed.rejected, clock.nowMs());
    let newest: TimedAcknowledgement | undefined;
    for (const revision of covered) {
      newest = this.#commits.acknowledge(revision, nowMs);
      // One process observes each commit: the one that received its last acknowledgement.
      if (newest?.isLast && isOurs) onArrival(newest.latencyMs);
    }
    if (isOurs) void this.#shared.publish(watcher);
    this.#waiters.endSettled((guildId, revision) => this.#isSettled(guildId, revision));
    return newest?.latencyMs ?? null;
  }

  #isSettled(guildId: GuildId, revision: number): boolean {
    return isSettled(this.#watchers.of(guildId), guildId, revision);
  }

  /** Whether everything up to a cursor is committed. A watcher that has more has another history, of which nothing counts here. */
  async #isOfThisHistory(cursor: Cursor): Promise<boolean> {
    return this.#tracker.hasPassed(cursor) || this.#options.store.canResume(cursor);
  }
}

/** Returns all of the rejections, the newer one of each guild. */
function merged(known: readonly RejectedChange[], sent: readonly RejectedChange[]): readonly RejectedChange[] {
  const isSent = ({ guild, revision }: RejectedChange) =>
    sent.some((one) => one.guild === guild && one.revision >= revision);
  return [...known.filter((one) => !isSent(one)), ...sent];
}
