import { setImmediate } from 'node:timers/promises';
import type { Cursor } from '@guild-settings/contract';
import type { FeedPage } from '../store/guild-store.ts';
import {
  type Audience,
  eventsOf,
  type FeedEvent,
  type FeedItem,
  feedEvent,
  type Outlet,
  positionAfter,
  sentDeclaration,
} from './events.ts';
import type { Tail, TailMember } from './tail.ts';

export interface WatchSource {
  readonly tail: Tail;
  readonly isClosed: () => boolean;
  readonly monotonicMs: () => number;
  /** Milliseconds without an event after which a watch emits a bookmark. */
  readonly idleMs: number;
  /** Resolves when a page before the end of the feed may be read. */
  readonly turn: () => Promise<void>;
  read(revision: number): Promise<FeedPage>;
  canResume(cursor: Cursor): Promise<boolean>;
}

export interface WatchState {
  readonly audience: Audience;
  readonly isRegistered: boolean;
  /** The start position; undefined: the beginning of the feed, with a reset. */
  readonly cursor: Cursor | undefined;
  readonly untilMs: number;
  readonly signal: AbortSignal;
}

interface OpenPage {
  readonly events: Iterator<FeedItem, undefined>;
  readonly end: Cursor;
  readonly isLast: boolean;
}

/**
 * A position in the feed, and the page that is being emitted. An iterator instead of a generator, because a waiting
 * generator would retain the previous page in its variables, for each watch.
 *
 * At the end of the feed, the {@link Tail} writes to a watch that has an outlet. Its iteration then emits nothing until
 * the outlet is full.
 */
export class Watch implements AsyncIterableIterator<FeedEvent, undefined>, TailMember {
  readonly #source: WatchSource;
  readonly #state: WatchState;
  #position: Cursor | undefined;
  #isLive = false;
  #isDeclared = false;
  #emittedAtMs: number;
  #page: OpenPage | undefined;
  #isAtEnd = false;
  /** True: there are more pages before the end of the feed. */
  #isBehind: boolean;
  #outlet: Outlet | undefined;
  #resume = () => {};

  constructor(source: WatchSource, state: WatchState) {
    this.#source = source;
    this.#state = state;
    this.#position = state.cursor;
    this.#isBehind = state.cursor === undefined;
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

  /**
   * Lets the tail write events at the end of the feed to an outlet. The caller writes the events of the iteration
   * there.
   */
  writeTo(outlet: Outlet): void {
    this.#outlet = outlet;
  }

  get audience(): Audience {
    return this.#state.audience;
  }

  get outlet(): Outlet | undefined {
    return this.#outlet;
  }

  get isRegistered(): boolean {
    return this.#state.isRegistered;
  }

  get revision(): number {
    return this.#position?.revision ?? 0;
  }

  get epoch(): string | undefined {
    return this.#position?.epoch;
  }

  get untilMs(): number {
    return this.#state.untilMs;
  }

  get dueAtMs(): number {
    return Math.min(this.#emittedAtMs + this.#source.idleMs, this.#state.untilMs);
  }

  receive(bytes: Buffer | undefined, end: Cursor): boolean {
    this.#position = end;
    this.#emittedAtMs = this.#source.monotonicMs();
    return bytes === undefined || this.#outlet === undefined || this.#outlet.write(bytes);
  }

  release(at: Cursor): void {
    if (at.revision > this.revision) this.#position = at;
    this.#resume();
  }

  #hasEnded(): boolean {
    const { signal, untilMs } = this.#state;
    return signal.aborted || this.#source.isClosed() || this.#source.monotonicMs() >= untilMs;
  }

  /** Waits at the end of the feed; otherwise opens the next page. */
  async #advance(): Promise<FeedEvent | undefined> {
    if (this.#isAtEnd) {
      this.#isAtEnd = false;
      await this.#wait();
      return undefined;
    }
    // An embedded store returns pages without a wait, so other requests get turns in between.
    if (this.#isBehind) await this.#source.turn();
    const page = await this.#source.read(this.revision);
    const { epoch, upTo, isLast } = page;
    this.#isBehind = !isLast;
    if (!this.#isDeclared) {
      this.#isDeclared = true;
      const declaration = sentDeclaration(this.#state.audience.records.settings);
      const event = declaration && this.#emit(this.#position ?? { epoch, revision: 0 }, declaration);
      if (event !== undefined) return event;
    }
    // In a new epoch, such as of a restored backup, the page may not continue from the position.
    const isOtherEpoch = this.#position !== undefined && this.#position.epoch !== epoch;
    if (isOtherEpoch && !(await this.#source.canResume(this.#position as Cursor))) this.#position = undefined;
    if (this.#position === undefined) {
      this.#position = { epoch, revision: 0 };
      this.#isLive = false;
      return this.#emit(this.#position, { type: 'reset', epoch });
    }
    this.#page = { events: eventsOf(page, this.#state.audience), end: { epoch, revision: upTo }, isLast };
    return undefined;
  }

  async #wait(): Promise<void> {
    const { tail } = this.#source;
    const { signal } = this.#state;
    if (!tail.join(this)) return setImmediate();
    const leave = () => {
      tail.leave(this);
      this.#resume();
    };
    signal.addEventListener('abort', leave, { once: true });
    await new Promise<void>((resolve) => {
      this.#resume = resolve;
    });
    signal.removeEventListener('abort', leave);
    await this.#outlet?.drained();
  }

  /** Returns the next event of a page; after the last page, `live` or a due bookmark. */
  #nextOf({ events, end, isLast }: OpenPage): FeedEvent | undefined {
    const { value } = events.next();
    if (value !== undefined) return this.#emit(positionAfter(end.epoch, value), value);
    this.#page = undefined;
    this.#position = end;
    if (!isLast) return undefined;
    this.#isAtEnd = true;
    const { revision } = end;
    if (!this.#isLive) {
      this.#isLive = true;
      return this.#emit(end, { type: 'live', revision });
    }
    const isBookmarkDue = this.#source.monotonicMs() - this.#emittedAtMs >= this.#source.idleMs;
    return isBookmarkDue ? this.#emit(end, { type: 'bookmark', revision }) : undefined;
  }

  /** Returns undefined for an event that the watcher does not understand. */
  #emit(cursor: Cursor, event: FeedItem): FeedEvent | undefined {
    if (event.type !== 'access' && !this.#state.audience.view.types.has(event.type)) return undefined;
    this.#emittedAtMs = this.#source.monotonicMs();
    return feedEvent(cursor, event);
  }
}
