import type { Cursor, GuildId, Shard } from '@guild-settings/contract';
import { createTurns } from '../clock.ts';
import type { Records } from '../domain/record.ts';
import type { FeedPage, FeedStore } from '../store/guild-store.ts';
import { viewOf } from './events.ts';
import { Tail } from './tail.ts';
import { Watch, type WatchSource } from './watch.ts';

/** Records in one page: the backlog of a watch that is in memory at once. */
const PAGE_RECORDS = 250;

/** Time without another event after which a stream sends a sign of life, in milliseconds. */
const IDLE_MS = 5_000;

/** Age at which a page that several watches share is read again, should a wake-up be lost. */
const PAGE_MAX_AGE_MS = 1_000;

export interface WatchOptions {
  readonly cursor: Cursor | undefined;
  readonly shard: Shard | undefined;
  readonly guildId?: GuildId;
  /** The types of events that the watcher accepts; undefined: those that every watcher reads. */
  readonly accepts: readonly string[] | undefined;
  /** True: requests may wait until the watcher has a change, so changes are sent to it first. False unless given. */
  readonly isRegistered?: boolean;
  /** The expiry of the caller's token, in monotonic milliseconds. */
  readonly untilMs: number;
  readonly signal: AbortSignal;
}

/**
 * Sends the changes of guilds to watches, in the order of revisions.
 *
 * A watch is a position in the feed: it reads the next page when it is woken or has sent the last one. A slow client
 * therefore costs nothing and skips overtaken records, and watches at the same position share one page.
 */
export class Feed {
  readonly #store: FeedStore;
  readonly #monotonicMs: () => number;
  readonly #tail: Tail;
  readonly #source: WatchSource;
  readonly #records: Records;
  /** Time without another event after which a stream sends a sign of life, in milliseconds. */
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

  /** The time at which the last commit became known, in monotonic milliseconds. */
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

  /** Returns the end of the feed: a watch that starts there receives what is committed from now on. */
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
    // Watches at the end of the feed share its last page. Pages of a backlog are not kept.
    page.then(
      ({ isLast }) => isLast || this.#pages.delete(revision),
      () => this.#pages.delete(revision),
    );
    return page;
  }
}
