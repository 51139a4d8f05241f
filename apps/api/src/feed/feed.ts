import { setMaxListeners } from 'node:events';
import type { Cursor, GuildId, Shard } from '@guild-settings/contract';
import type { FeedPage, Store } from '../store/store.ts';
import { Wakeups } from './wakeups.ts';
import { Watch } from './watch.ts';
import { viewOf } from './watcher-view.ts';

/** Records in one page: the backlog of a watch that is in memory at once. */
const PAGE_RECORDS = 250;

/** Age at which a page that several watches share is read again, should a wake-up be lost. */
const PAGE_MAX_AGE_MS = 1_000;

/** The start, the filter and the end of a watch. */
export interface WatchOptions {
  readonly cursor: Cursor | undefined;
  readonly shard: Shard | undefined;
  /** Restricts the watch to one guild. */
  readonly guildId?: GuildId;
  /** The types of events that the watcher understands; undefined: those of the first version. */
  readonly accepts: readonly string[] | undefined;
  /** When the caller's token expires, in monotonic milliseconds. */
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
  readonly #store: Pick<Store<never>, 'readFeed' | 'readLogBounds' | 'canResume'>;
  readonly #monotonicMs: () => number;
  readonly #wakeups = new Wakeups((revision) => this.#read(revision));
  readonly #closing = new AbortController();
  #wokenAtMs: number;
  readonly #pages = new Map<number, { readonly page: Promise<FeedPage>; readonly readAtMs: number }>();

  constructor(store: Pick<Store<never>, 'readFeed' | 'readLogBounds' | 'canResume'>, monotonicMs: () => number) {
    this.#store = store;
    this.#monotonicMs = monotonicMs;
    this.#wokenAtMs = monotonicMs();
    // Each watch adds a listener.
    setMaxListeners(0, this.#closing.signal);
  }

  /** When the last commit became known, in monotonic milliseconds. */
  get wokenAtMs(): number {
    return this.#wokenAtMs;
  }

  /** Wakes the watches after a commit, of this process or another one. */
  wake(): void {
    this.#wokenAtMs = this.#monotonicMs();
    this.#pages.clear();
    this.#wakeups.wake();
  }

  /** Whether the service stops. */
  get isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  /** Whether a watch can start after a cursor. */
  canResume(cursor: Cursor): Promise<boolean> {
    return this.#store.canResume(cursor);
  }

  /** Ends every watch. */
  close(): void {
    this.#closing.abort();
  }

  /** Returns the end of the feed: a watch that starts there receives what is committed from now on. */
  async end(): Promise<Cursor> {
    const { newest: revision } = await this.#store.readLogBounds();
    const { epoch } = await this.#store.readFeed(revision, 1);
    return { epoch, revision };
  }

  /** Starts a watch after the cursor, or from the beginning if the cursor cannot be resumed. */
  async watch({ cursor, signal, accepts, ...options }: WatchOptions): Promise<Watch> {
    const canResume = (from: Cursor) => this.#store.canResume(from);
    return new Watch(
      { wakeups: this.#wakeups, monotonicMs: this.#monotonicMs, read: (revision) => this.#read(revision), canResume },
      {
        ...options,
        view: viewOf(accepts),
        cursor: cursor !== undefined && (await canResume(cursor)) ? cursor : undefined,
        signal: AbortSignal.any([signal, this.#closing.signal]),
      },
    );
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
