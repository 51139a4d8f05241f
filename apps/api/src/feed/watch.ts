import type { Cursor, WatchEvent } from '@guild-settings/contract';
import type { FeedPage } from '../store/store.ts';
import { type Audience, eventsOf } from './page-events.ts';
import type { PageGuilds } from './page-guilds.ts';
import type { WaitingWatch, Wakeups } from './wakeups.ts';

/** Time without another event after which a watch emits a bookmark. */
const BOOKMARK_INTERVAL_MS = 5_000;

/** An event, and the position of its watch after it. */
export interface FeedEvent {
  readonly cursor: Cursor;
  readonly event: WatchEvent;
}

/** The parts of the feed that a watch reads from. */
export interface WatchSource {
  readonly wakeups: Wakeups;
  /** Returns monotonic time in milliseconds. */
  readonly monotonicMs: () => number;
  /** Reads the page after a revision. */
  read(revision: number): Promise<FeedPage>;
  canResume(cursor: Cursor): Promise<boolean>;
}

export interface WatchState extends Audience {
  /** The start; undefined: the beginning of the feed, with a reset. */
  readonly cursor: Cursor | undefined;
  /** When it ends, in monotonic milliseconds. */
  readonly untilMs: number;
  readonly signal: AbortSignal;
}

/** The remaining events of a page. */
interface OpenPage {
  readonly events: Iterator<WatchEvent, undefined>;
  readonly end: Cursor;
  readonly isLast: boolean;
  /** The count of wake-ups before the page was read: a later commit shortens the wait after it. */
  readonly wakeups: number;
}

/**
 * One watch: a position in the feed, and the page that it is emitting. It is an iterator and not a generator, because a
 * generator that waits retains the last values of its variables: the previous page, for each watch.
 */
export class Watch implements AsyncIterableIterator<FeedEvent, undefined>, WaitingWatch {
  readonly #source: WatchSource;
  readonly #state: WatchState;
  #position: Cursor | undefined;
  #isLive = false;
  #emittedAtMs: number;
  #page: OpenPage | undefined;
  /** At the end of the feed: the count of wake-ups to wait after. */
  #waitAfter: number | undefined;

  constructor(source: WatchSource, state: WatchState) {
    this.#source = source;
    this.#state = state;
    this.#position = state.cursor;
    this.#emittedAtMs = source.monotonicMs();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<FeedEvent, undefined>> {
    while (!this.#hasEnded()) {
      const value = this.#page === undefined ? await this.#advance() : this.#nextOf(this.#page);
      if (value !== undefined && !this.#state.signal.aborted) return { done: false, value };
    }
    return { done: true, value: undefined };
  }

  get revision(): number {
    return this.#position?.revision ?? 0;
  }

  skip({ epoch, upTo, isLast }: FeedPage, guilds: PageGuilds): boolean {
    if (!isLast || epoch !== this.#position?.epoch || guilds.concern(this.#state)) return false;
    if (upTo > this.revision) this.#position = { epoch, revision: upTo };
    return true;
  }

  #hasEnded(): boolean {
    return this.#state.signal.aborted || this.#source.monotonicMs() >= this.#state.untilMs;
  }

  /** Waits at the end of the feed, opens the next page elsewhere. */
  async #advance(): Promise<FeedEvent | undefined> {
    const { wakeups, monotonicMs } = this.#source;
    if (this.#waitAfter !== undefined) {
      const { signal, untilMs } = this.#state;
      const untilBookmarkMs = BOOKMARK_INTERVAL_MS - (monotonicMs() - this.#emittedAtMs);
      const timeoutMs = Math.max(1, Math.min(untilBookmarkMs, untilMs - monotonicMs()));
      await wakeups.wait(this, { count: this.#waitAfter, timeoutMs, signal });
      this.#waitAfter = undefined;
      return undefined;
    }
    const { count } = wakeups;
    const page = await this.#source.read(this.revision);
    const { epoch, upTo, isLast } = page;
    // In a new epoch, perhaps that of a restored backup, the page may or may not follow from the position.
    const isOtherEpoch = this.#position !== undefined && this.#position.epoch !== epoch;
    if (isOtherEpoch && !(await this.#source.canResume(this.#position as Cursor))) this.#position = undefined;
    if (this.#position === undefined) {
      this.#position = { epoch, revision: 0 };
      this.#isLive = false;
      return this.#emit(epoch, { type: 'reset', epoch });
    }
    const events = eventsOf(page, this.#state);
    this.#page = { events, end: { epoch, revision: upTo }, isLast, wakeups: count };
    return undefined;
  }

  /** Returns the next event of a page; after the last page, `live` or a due bookmark. */
  #nextOf({ events, end, isLast, wakeups }: OpenPage): FeedEvent | undefined {
    const { value } = events.next();
    if (value !== undefined) return this.#emit(end.epoch, value);
    this.#page = undefined;
    this.#position = end;
    if (!isLast) return undefined;
    this.#waitAfter = wakeups;
    const { revision } = end;
    if (!this.#isLive) {
      this.#isLive = true;
      return this.#emit(end.epoch, { type: 'live', revision });
    }
    const isBookmarkDue = this.#source.monotonicMs() - this.#emittedAtMs >= BOOKMARK_INTERVAL_MS;
    return isBookmarkDue ? this.#emit(end.epoch, { type: 'bookmark', revision }) : undefined;
  }

  /** Returns undefined for an event that the watcher does not understand. */
  #emit(epoch: string, event: WatchEvent): FeedEvent | undefined {
    if (!this.#state.view.types.has(event.type)) return undefined;
    this.#emittedAtMs = this.#source.monotonicMs();
    return { cursor: { epoch, revision: 'revision' in event ? event.revision : 0 }, event };
  }
}
