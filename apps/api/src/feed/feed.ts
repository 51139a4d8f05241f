import { setMaxListeners } from 'node:events';
import type { Cursor, Shard } from '@guild-settings/contract';
import type { FeedPage, Store } from '../store/store.ts';
import { Wakeups } from './wakeups.ts';
import { Watch } from './watch.ts';

/** Records in one page: what a watcher's backlog holds in memory at once. */
const PAGE = 250;

/** How long a page that several watchers read may serve, should a wake-up be lost, in milliseconds. */
const PAGE_LIFE = 1_000;

/** From where on, of which shard, and for how long somebody watches. */
export interface WatchOptions {
  readonly cursor: Cursor | undefined;
  readonly shard: Shard | undefined;
  /** When the watcher's token expires, in monotonic milliseconds. */
  readonly untilMs: number;
  readonly signal: AbortSignal;
}

/**
 * Tells watchers what happens to guilds, in the order of revisions.
 *
 * A watcher is no more than a position: it reads the page after it when it is woken or has sent the last one. So a slow
 * one costs nothing and skips what has been overtaken, and watchers at the same position share one page.
 */
export class Feed {
  readonly #store: Store;
  readonly #monotonicMs: () => number;
  readonly #wakeups = new Wakeups();
  readonly #closing = new AbortController();
  readonly #pages = new Map<number, { readonly page: Promise<FeedPage>; readonly readAt: number }>();

  constructor(store: Store, monotonicMs: () => number) {
    this.#store = store;
    this.#monotonicMs = monotonicMs;
    // One listener a watcher.
    setMaxListeners(0, this.#closing.signal);
  }

  /** Something was committed. */
  wake(): void {
    this.#pages.clear();
    this.#wakeups.wake();
  }

  /** Ends every watch. */
  close(): void {
    this.#closing.abort();
  }

  /** Everything from the cursor on, or from the beginning where it cannot be resumed; then whatever happens. */
  async watch({ cursor, signal, ...options }: WatchOptions): Promise<Watch> {
    const canResume = (from: Cursor) => this.#store.canResume(from);
    return new Watch(
      { wakeups: this.#wakeups, monotonicMs: this.#monotonicMs, read: (position) => this.#read(position), canResume },
      {
        ...options,
        cursor: cursor !== undefined && (await canResume(cursor)) ? cursor : undefined,
        signal: AbortSignal.any([signal, this.#closing.signal]),
      },
    );
  }

  #read(position: number): Promise<FeedPage> {
    const now = this.#monotonicMs();
    const known = this.#pages.get(position);
    if (known && now - known.readAt < PAGE_LIFE) return known.page;
    const page = this.#store.readFeed(position, PAGE);
    this.#pages.set(position, { page, readAt: now });
    // Only those who stand at the end share a page; a backlog is not kept.
    page.then(
      ({ isLast }) => isLast || this.#pages.delete(position),
      () => this.#pages.delete(position),
    );
    return page;
  }
}
