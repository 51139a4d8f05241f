import { setMaxListeners } from 'node:events';
import type { Cursor, Shard, WatchEvent } from '@guild-settings/contract';
import type { FeedPage, Store } from '../store/store.ts';
import { eventsOf } from './page-events.ts';
import { Wakeups } from './wakeups.ts';

/** Records in one page: what a watcher's backlog holds in memory at once. */
const PAGE = 500;

/** How long a watcher may hear nothing, in milliseconds. */
const BOOKMARK_INTERVAL = 5_000;

/** How long a page that several watchers read may serve, should a wake-up be lost, in milliseconds. */
const PAGE_LIFE = 1_000;

/** From where on, of which shard, and for how long somebody watches. */
export interface WatchOptions {
  readonly cursor: Cursor | undefined;
  readonly shard: Shard | undefined;
  /** When the watcher's token expires, in milliseconds since 1970. */
  readonly until: number;
  readonly signal: AbortSignal;
}

/** An event, and where its watcher is after it. */
export interface FeedEvent {
  readonly cursor: Cursor;
  readonly event: WatchEvent;
}

/**
 * Tells watchers what happens to guilds, in the order of revisions.
 *
 * A watcher is no more than a position: it reads the page after it when it is woken or has sent the last one. So a slow
 * one costs nothing and skips what has been overtaken, and watchers at the same position share one page.
 */
export class Feed {
  readonly #store: Store;
  readonly #clock: () => number;
  readonly #wakeups = new Wakeups();
  readonly #closing = new AbortController();
  readonly #pages = new Map<number, { readonly page: Promise<FeedPage>; readonly readAt: number }>();

  constructor(store: Store, clock: () => number) {
    this.#store = store;
    this.#clock = clock;
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
  async *watch({ cursor, shard, until, signal: caller }: WatchOptions): AsyncGenerator<FeedEvent, void> {
    const signal = AbortSignal.any([caller, this.#closing.signal]);
    let at = cursor !== undefined && (await this.#store.canResume(cursor)) ? cursor : undefined;
    let isLive = false;
    let spokeAt = this.#clock();
    const say = (epoch: string, event: WatchEvent): FeedEvent => {
      spokeAt = this.#clock();
      return { cursor: { epoch, revision: 'revision' in event ? event.revision : 0 }, event };
    };

    while (!signal.aborted && this.#clock() < until) {
      // Taken before reading: what is committed meanwhile cuts the wait short.
      const { count } = this.#wakeups;
      const page = await this.#read(at?.revision ?? 0);
      const { epoch } = page;
      // The database was opened anew, be it an older copy: this page follows from where the watcher is, or does not.
      if (at !== undefined && at.epoch !== epoch && !(await this.#store.canResume(at))) at = undefined;
      if (at === undefined) {
        at = { epoch, revision: 0 };
        isLive = false;
        yield say(epoch, { type: 'reset', epoch });
        continue;
      }
      for (const event of eventsOf(page, shard)) {
        if (signal.aborted) return;
        yield say(epoch, event);
      }
      at = { epoch, revision: page.upTo };
      if (!page.isLast) continue;
      if (!isLive) {
        isLive = true;
        yield say(epoch, { type: 'live', revision: at.revision });
      } else if (this.#clock() - spokeAt >= BOOKMARK_INTERVAL) {
        yield say(epoch, { type: 'bookmark', revision: at.revision });
      }
      const silence = BOOKMARK_INTERVAL - (this.#clock() - spokeAt);
      await this.#wakeups.wait(count, Math.max(1, Math.min(silence, until - this.#clock())), signal);
    }
  }

  #read(position: number): Promise<FeedPage> {
    const now = this.#clock();
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
