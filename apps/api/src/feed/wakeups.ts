import type { FeedPage } from '../store/store.ts';
import { PageGuilds } from './page-guilds.ts';

/** A watch that waits at the end of the feed. */
export interface WaitingWatch {
  /** The revision after which it reads on. */
  readonly revision: number;
  /** Moves it to the end of a page with nothing for it. Returns whether the page has nothing for it and is the last one. */
  skip(page: FeedPage, guilds: PageGuilds): boolean;
}

/** How long a watch waits. */
export interface WaitOptions {
  /** The number of wake-ups before the watch read its last page. */
  readonly count: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * Wakes waiting watches after a commit: those for which there is something in the page that was committed. The page is read once
 * for all of them. The others, which are most of the watches of a bot with many shards, move past it without being woken.
 */
export class Wakeups {
  readonly #read: (revision: number) => Promise<FeedPage>;
  readonly #waiting = new Map<WaitingWatch, () => void>();
  #count = 0;
  #isDue = false;

  /** @param read returns the page after a revision */
  constructor(read: (revision: number) => Promise<FeedPage>) {
    this.#read = read;
  }

  /** The number of wake-ups so far. A watch reads it before a page, and passes it to the {@link wait} after that page. */
  get count(): number {
    return this.#count;
  }

  /** Wakes the watches, after a commit. Commits that became known together are one wake-up for them. */
  wake(): void {
    this.#count += 1;
    if (this.#isDue) return;
    this.#isDue = true;
    queueMicrotask(() => {
      this.#isDue = false;
      for (const [revision, watches] of this.#waitingByRevision()) void this.#wakeAt(revision, watches);
    });
  }

  /** Resolves after a wake-up beyond `count`, after a timeout, or when the signal aborts, whichever is first. */
  wait(watch: WaitingWatch, { count, timeoutMs, signal }: WaitOptions): Promise<void> {
    if (this.#count !== count || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        this.#waiting.delete(watch);
        resolve();
      };
      const timer = setTimeout(done, timeoutMs);
      signal.addEventListener('abort', done, { once: true });
      this.#waiting.set(watch, done);
    });
  }

  /** Most watches wait at the same revision: the end of the feed. */
  #waitingByRevision(): ReadonlyMap<number, readonly WaitingWatch[]> {
    const watches = new Map<number, WaitingWatch[]>();
    for (const watch of this.#waiting.keys()) {
      const others = watches.get(watch.revision);
      if (others === undefined) watches.set(watch.revision, [watch]);
      else others.push(watch);
    }
    return watches;
  }

  /** Wakes the watches that waited at a revision, except those that move past the page there. */
  async #wakeAt(revision: number, watches: readonly WaitingWatch[]): Promise<void> {
    // A watch that is woken reads the page itself, and handles the error.
    const page = await this.#read(revision).catch(() => undefined);
    const guilds = new PageGuilds(page?.entries ?? []);
    for (const watch of watches) {
      // Meanwhile a watch may have moved on to the end of another page, or to a new epoch.
      const isSkipped = page !== undefined && revision <= watch.revision && watch.skip(page, guilds);
      if (!isSkipped) this.#waiting.get(watch)?.();
    }
  }
}
