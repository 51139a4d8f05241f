import { setTimeout as delay } from 'node:timers/promises';
import type { Arrival, ArrivalState, Cursor, GuildId, WatcherArrivalState } from '@guild-settings/contract';
import type { FeedItem } from '../feed/events.ts';
import type { Feed } from '../feed/feed.ts';
import type { KnownAt, TrackedWatcher, WatchedShard } from './watchers.ts';

/**
 * In order of precedence: a change has the first of these states that one of its watchers has, not counting watchers
 * that are gone.
 */
const STATES: readonly WatcherArrivalState[] = ['rejected', 'pending', 'away', 'live', 'left'];

/** Shortest pause between two evaluations of one wait, because the state at other processes may be read later. */
const JUDGEMENT_PAUSE_MS = 100;

interface Asked extends KnownAt {
  readonly guildId: GuildId;
  readonly revision: number;
}

/** A watcher of a guild with its state; `isGone`: changes do not wait for it. */
interface Judged extends WatchedShard {
  readonly state: WatcherArrivalState;
  readonly isGone: boolean;
}

/** The state of a revision at the watchers of a guild. */
export class GuildArrival {
  readonly #asked: Asked;
  readonly #watchers: readonly Judged[];

  constructor(watchers: Iterable<WatchedShard>, asked: Asked) {
    const { guildId, revision } = asked;
    this.#asked = asked;
    this.#watchers = Array.from(watchers, ({ watcher, shard }) => ({
      watcher,
      shard,
      state: watcher.stateOf(guildId, revision, asked),
      isGone: watcher.absenceAt(asked) !== undefined,
    }));
  }

  get state(): ArrivalState {
    const states = this.#watchers.flatMap(({ state, isGone }) => (isGone ? [] : [state]));
    const [first = 'away'] = states.sort((a, b) => STATES.indexOf(a) - STATES.indexOf(b));
    return first as ArrivalState;
  }

  /** True: the change is live, or a watcher has rejected it, so that it will not be. */
  get isSettled(): boolean {
    return this.state === 'live' || this.state === 'rejected';
  }

  /** The watchers for which the change is not live yet. */
  get lacking(): readonly TrackedWatcher[] {
    return this.#watchers.flatMap(({ watcher, state, isGone }) => (isGone || state === 'live' ? [] : [watcher]));
  }

  /**
   * True: the wait is over, because the change is settled, or because an earlier wait for all lacking watchers was in
   * vain.
   */
  get isOver(): boolean {
    return this.isSettled || this.lacking.every(({ isMissed }) => isMissed);
  }

  /** Milliseconds until a watcher without a connection may count as gone. */
  get nextGoneMs(): number {
    const { nowMs, knownMs } = this.#asked;
    const disconnected = this.lacking.filter((watcher) => !watcher.isConnected(nowMs));
    return Math.max(JUDGEMENT_PAUSE_MS, Math.min(...disconnected.map((watcher) => watcher.reconnectMsAt(knownMs))));
  }

  /** The time at which the last watcher acknowledged the change; undefined: unknown. */
  get lastAcknowledgedAtMs(): number | undefined {
    const { revision } = this.#asked;
    const live = this.#watchers.filter(({ state }) => state === 'live');
    const last = Math.max(...live.map(({ watcher }) => watcher.acknowledgedAtMs(revision) ?? Number.NEGATIVE_INFINITY));
    return Number.isFinite(last) ? last : undefined;
  }

  /** Numbers of watchers that have the change, and that are gone without a leave; absent if none is gone. */
  get counts(): Pick<Arrival, 'processes' | 'away'> {
    const numberOf = (counted: WatcherArrivalState) =>
      new Set(this.#watchers.filter(({ state }) => state === counted).map(({ watcher }) => watcher)).size;
    const away = numberOf('away');
    return away === 0 ? {} : { processes: numberOf('live'), away };
  }

  /** The watchers in order of precedence: first those with the state of the change, last those that have left. */
  get watchers(): Arrival['watchers'] {
    const sorted = this.#watchers.toSorted((a, b) => STATES.indexOf(a.state) - STATES.indexOf(b.state));
    return sorted.map(({ watcher, shard, state }) => ({
      name: watcher.name,
      shard,
      revision: watcher.position?.revision ?? 0,
      state,
      since: new Date(watcher.sinceMs).toISOString(),
    }));
  }
}

/** Number of newest commits whose times are kept: at least one second of them at the highest rate of changes. */
const MAX_COMMITS = 8_192;

const RETRY_DELAY_MS = 1_000;

/** The guild that a commit has changed, and the monotonic time in milliseconds at which the commit became known. */
interface Commit {
  readonly guildId: GuildId;
  readonly atMs: number;
}

interface CommitsOptions {
  readonly feed: Feed;
  /** Called when the acknowledged history ends because an older copy of the database was restored. */
  readonly onReset: () => void;
  readonly onError: (error: unknown) => void;
  readonly signal: AbortSignal;
}

/** Keeps the times of the newest commits, by following the feed. */
export class Commits {
  readonly #options: CommitsOptions;
  /** By revision, oldest first. */
  readonly #commits = new Map<number, Commit>();
  #following: Promise<void> | undefined;
  /** Cursor of the newest event; before the first event, the end of the feed. */
  #cursor: Cursor | undefined;

  constructor(options: CommitsOptions) {
    this.#options = options;
  }

  get epoch(): string {
    return this.#cursor?.epoch ?? '';
  }

  hasPassed({ epoch, revision }: Cursor): boolean {
    return this.#cursor?.epoch === epoch && revision <= this.#cursor.revision;
  }

  get(revision: number): Commit | undefined {
    return this.#commits.get(revision);
  }

  async begin(): Promise<void> {
    this.#cursor ??= await this.#options.feed.end();
  }

  start(): void {
    this.#following ??= this.#followOn();
  }

  async ended(): Promise<void> {
    await this.#following;
  }

  /** Records a commit that a request has made, unless the feed has passed it. */
  add(revision: number, commit: Commit): void {
    if (this.#cursor === undefined || revision > this.#cursor.revision) this.#add(revision, commit);
  }

  #add(revision: number, commit: Commit): void {
    if (this.#commits.has(revision)) return;
    this.#commits.set(revision, commit);
    if (this.#commits.size <= MAX_COMMITS) return;
    const [oldest] = this.#commits.keys();
    if (oldest !== undefined) this.#commits.delete(oldest);
  }

  async #followOn(): Promise<void> {
    const { onError, signal } = this.#options;
    while (!signal.aborted) {
      await this.#follow().catch((error: unknown) => signal.aborted || onError(error));
      await delay(RETRY_DELAY_MS, undefined, { signal }).catch(() => {});
    }
  }

  async #follow(): Promise<void> {
    const { feed, signal } = this.#options;
    await this.begin();
    const watch = await feed.watch({
      cursor: this.#cursor,
      shard: undefined,
      accepts: undefined,
      untilMs: Number.POSITIVE_INFINITY,
      signal,
    });
    for await (const { cursor, event } of watch) {
      this.#cursor = cursor;
      this.#observe(event);
      // Without a position in the feed, all existing records would count as new commits.
      if (this.#cursor === undefined) return;
    }
  }

  #observe(event: FeedItem): void {
    const atMs = this.#options.feed.wokenAtMs;
    if (event.type === 'guild') this.#add(event.revision, { guildId: event.guild.id, atMs });
    if (event.type === 'removed') this.#add(event.revision, { guildId: event.guild, atMs });
    if (event.type === 'guilds') {
      for (const { guild, revision } of event.guilds) this.#add(revision, { guildId: guild.id, atMs });
    }
    if (event.type === 'reset') {
      this.#cursor = undefined;
      this.#commits.clear();
      this.#options.onReset();
    }
  }
}

export class Waiters {
  readonly #waiters = new Set<{ readonly isSettled: () => boolean; readonly end: () => void }>();

  /** Resolves when {@link endSettled} or {@link endAll} ends the wait, after a time in milliseconds, or when a signal aborts. */
  async wait(isSettled: () => boolean, waitMs: number, signal: AbortSignal | undefined): Promise<void> {
    if (signal?.aborted || waitMs <= 0) return;
    await new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', end);
        this.#waiters.delete(waiter);
        resolve();
      };
      const waiter = { isSettled, end };
      const timer = setTimeout(end, waitMs);
      signal?.addEventListener('abort', end);
      this.#waiters.add(waiter);
    });
  }

  endSettled(): void {
    for (const { isSettled, end } of this.#waiters) if (isSettled()) end();
  }

  endAll(): void {
    for (const { end } of this.#waiters) end();
  }
}
