import type { Cursor, GuildId, Shard } from '@guild-settings/contract';
import { createTurns } from '../clock.ts';
import type { Records } from '../domain/record.ts';
import type { FeedPage, FeedStore } from '../store/guild-store.ts';
import { viewOf } from './events.ts';
import { Tail } from './tail.ts';
import { Watch, type WatchSource } from './watch.ts';

/** Records per page: the part of a watch's backlog that is in memory at a time. */
const PAGE_RECORDS = 250;

/** Milliseconds without an event after which a stream sends a heartbeat. */
const IDLE_MS = 5_000;

/** Age at which a page shared by several watches is read again, in case a wake-up was lost. */
const PAGE_MAX_AGE_MS = 1_000;

export interface WatchOptions {
  readonly cursor: Cursor | undefined;
  readonly shard: Shard | undefined;
  readonly guildId?: GuildId;
  /** The event types that the watcher accepts; undefined: the default types. */
  readonly accepts: readonly string[] | undefined;
  /** True: requests may wait until the watcher has a change, so it receives changes first. False unless given. */
  readonly isRegistered?: boolean;
  /** The expiry of the caller's token, in monotonic milliseconds. */
  readonly untilMs: number;
  readonly signal: AbortSignal;
}

/**
 * Sends the changes of guilds to watches, in the order of revisions.
 *
 * A watch is a position in the feed: it reads the next page when it is woken or has sent the last one. A slow client
 * therefore uses no memory for a backlog and skips superseded records, and watches at the same position share a page.
 */
export class Feed {
  readonly #store: FeedStore;
  readonly #monotonicMs: () => number;
  readonly #tail: Tail;
  readonly #source: WatchSource;
  readonly #records: Records;
  /** Milliseconds without an event after which a stream sends a heartbeat. */
  readonly idleMs: number;
  #isClosed = false;
  #wokenAtMs: number;
  readonly #pages = new Map<number, { readonly page: Promise<FeedPage>; readonly readAtMs: number }>();

  constructor(store: FeedStore, records: Records, monotonicMs: () => number, idleMs = IDLE_MS) {
    this.#store = store;
    this.#records = records;
    this.idleMs = idleMs;
    this.#monotonicMs = monotonicMs;
    this.#wokenAtMs = monotonicMs();
    const read = (revision: number) => this.#read(revision);
    this.#tail = new Tail({ read, forgetPages: () => this.#pages.clear(), monotonicMs });
    this.#source = {
      tail: this.#tail,
      read,
      canResume: (cursor) => this.canResume(cursor),
      isClosed: () => this.#isClosed,
      monotonicMs,
      idleMs,
      turn: createTurns(),
    };
  }

  /** The time at which this process learned of the last commit, in monotonic milliseconds. */
  get wokenAtMs(): number {
    return this.#wokenAtMs;
  }

  wake(): void {
    this.#wokenAtMs = this.#monotonicMs();
    this.#pages.clear();
    this.#tail.wake();
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  canResume(cursor: Cursor): Promise<boolean> {
    return this.#store.canResume(cursor);
  }

  close(): void {
    this.#isClosed = true;
    this.#tail.end();
  }

  /** Returns the end of the feed: a watch that starts there receives later commits. */
  async end(): Promise<Cursor> {
    const { newest: revision } = await this.#store.readLogBounds();
    const { epoch } = await this.#store.readFeed(revision, 1);
    return { epoch, revision };
  }

  /** Starts a watch after the cursor, or from the beginning if the cursor cannot be resumed. */
  async watch({
    cursor,
    shard,
    guildId,
    accepts,
    untilMs,
    signal,
    isRegistered = false,
  }: WatchOptions): Promise<Watch> {
    return new Watch(this.#source, {
      audience: { shard, ...(guildId !== undefined && { guildId }), view: viewOf(accepts), records: this.#records },
      cursor: cursor !== undefined && (await this.canResume(cursor)) ? cursor : undefined,
      untilMs,
      signal,
      isRegistered,
    });
  }

  #read(revision: number): Promise<FeedPage> {
    const nowMs = this.#monotonicMs();
    const known = this.#pages.get(revision);
    if (known && nowMs - known.readAtMs < PAGE_MAX_AGE_MS) return known.page;
    const page = this.#store.readFeed(revision, PAGE_RECORDS);
    this.#pages.set(revision, { page, readAtMs: nowMs });
    // Watches at the end of the feed share its last page. Pages of a backlog are not cached.
    page.then(
      ({ isLast }) => isLast || this.#pages.delete(revision),
      () => this.#pages.delete(revision),
    );
    return page;
  }
}
