import type { Cursor, Shard, WatchEvent } from '@guild-settings/contract';
import type { FeedPage } from '../store/store.ts';
import { eventsOf } from './page-events.ts';
import type { Wakeups } from './wakeups.ts';

/** How long a watcher may hear nothing, in milliseconds. */
const BOOKMARK_INTERVAL = 5_000;

/** An event, and where its watcher is after it. */
export interface FeedEvent {
  readonly cursor: Cursor;
  readonly event: WatchEvent;
}

/** What a watch is told from. */
export interface WatchSource {
  readonly wakeups: Wakeups;
  /** Monotonic time in milliseconds. */
  readonly monotonicMs: () => number;
  read(position: number): Promise<FeedPage>;
  canResume(cursor: Cursor): Promise<boolean>;
}

export interface WatchState {
  /** Where it begins; undefined: at the beginning, with a reset. */
  readonly cursor: Cursor | undefined;
  readonly shard: Shard | undefined;
  /** When it ends, in monotonic milliseconds. */
  readonly untilMs: number;
  readonly signal: AbortSignal;
}

/** What is left of the page that is being told. */
interface Telling {
  readonly events: Iterator<WatchEvent, undefined>;
  readonly end: Cursor;
  readonly isLast: boolean;
  /** The count of wake-ups before it was read: what was committed since then cuts the wait after it short. */
  readonly wakeups: number;
}

/**
 * One watcher: a position, and the page that it is being told. It is an iterator and not a generator, because a generator
 * that waits for news keeps what its variables last held: the page before, for each watcher.
 */
export class Watch implements AsyncIterableIterator<FeedEvent, undefined> {
  readonly #source: WatchSource;
  readonly #state: WatchState;
  #at: Cursor | undefined;
  #isLive = false;
  #spokeAt: number;
  #telling: Telling | undefined;
  /** Everything is told; the count of wake-ups to wait after. */
  #toldAll: number | undefined;

  constructor(source: WatchSource, state: WatchState) {
    this.#source = source;
    this.#state = state;
    this.#at = state.cursor;
    this.#spokeAt = source.monotonicMs();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<FeedEvent, undefined>> {
    while (!this.#isOver()) {
      const value = this.#telling === undefined ? await this.#goOn() : this.#tell(this.#telling);
      if (value !== undefined && !this.#state.signal.aborted) return { done: false, value };
    }
    return { done: true, value: undefined };
  }

  #isOver(): boolean {
    return this.#state.signal.aborted || this.#source.monotonicMs() >= this.#state.untilMs;
  }

  /** Waits where everything is told, and turns to the next page otherwise. */
  async #goOn(): Promise<FeedEvent | undefined> {
    const { wakeups, monotonicMs } = this.#source;
    if (this.#toldAll !== undefined) {
      const { signal, untilMs } = this.#state;
      const silence = BOOKMARK_INTERVAL - (monotonicMs() - this.#spokeAt);
      await wakeups.wait(this.#toldAll, Math.max(1, Math.min(silence, untilMs - monotonicMs())), signal);
      this.#toldAll = undefined;
      return undefined;
    }
    const { count } = wakeups;
    const page = await this.#source.read(this.#at?.revision ?? 0);
    const { epoch, upTo, isLast } = page;
    // The database was opened anew, be it an older copy: this page follows from where the watcher is, or does not.
    const isElsewhere = this.#at !== undefined && this.#at.epoch !== epoch;
    if (isElsewhere && !(await this.#source.canResume(this.#at as Cursor))) this.#at = undefined;
    if (this.#at === undefined) {
      this.#at = { epoch, revision: 0 };
      this.#isLive = false;
      return this.#say(epoch, { type: 'reset', epoch });
    }
    const events = eventsOf(page, this.#state.shard);
    this.#telling = { events, end: { epoch, revision: upTo }, isLast, wakeups: count };
    return undefined;
  }

  /** The next event of a page or, after the last page, that the watcher is up to date. */
  #tell({ events, end, isLast, wakeups }: Telling): FeedEvent | undefined {
    const { value } = events.next();
    if (value !== undefined) return this.#say(end.epoch, value);
    this.#telling = undefined;
    this.#at = end;
    if (!isLast) return undefined;
    this.#toldAll = wakeups;
    const { revision } = end;
    if (!this.#isLive) {
      this.#isLive = true;
      return this.#say(end.epoch, { type: 'live', revision });
    }
    const isSilent = this.#source.monotonicMs() - this.#spokeAt >= BOOKMARK_INTERVAL;
    return isSilent ? this.#say(end.epoch, { type: 'bookmark', revision }) : undefined;
  }

  #say(epoch: string, event: WatchEvent): FeedEvent {
    this.#spokeAt = this.#source.monotonicMs();
    return { cursor: { epoch, revision: 'revision' in event ? event.revision : 0 }, event };
  }
}
