import { setTimeout as delay } from 'node:timers/promises';
import type { Cursor, GuildId, WatchEvent } from '@guild-settings/contract';
import type { Clock } from '../clock.ts';
import type { Feed } from '../feed/feed.ts';
import type { CommitTimes } from './commit-times.ts';
import type { Watchers } from './watchers.ts';

/** Pause after the feed could not be read, in milliseconds. */
const RETRY_DELAY_MS = 1_000;

/** What a {@link CommitTracker} uses. */
export interface CommitTrackerOptions {
  readonly feed: Feed;
  readonly commits: CommitTimes;
  readonly watchers: Watchers;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  /** Called when the history ends that was acknowledged: an older copy of the database was put back. */
  readonly onReset: () => void;
  readonly onError: (error: unknown) => void;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/** Records when each change was committed, by following the feed, and which watchers have to acknowledge it. */
export class CommitTracker {
  readonly #options: CommitTrackerOptions;
  #following: Promise<void> | undefined;
  /** That of the newest event, or of the end of the feed where it started. */
  #cursor: Cursor | undefined;

  constructor(options: CommitTrackerOptions) {
    this.#options = options;
  }

  /** Returns whether everything up to a cursor is known to be committed. */
  hasPassed({ epoch, revision }: Cursor): boolean {
    return this.#cursor?.epoch === epoch && revision <= this.#cursor.revision;
  }

  /** Follows the feed from now on. */
  start(): void {
    this.#following ??= this.#followOn();
  }

  /** Resolves when it has ended. */
  async ended(): Promise<void> {
    await this.#following;
  }

  /**
   * Records the time of a commit that a request has made, in monotonic milliseconds. Of a revision that the feed has passed already it
   * is known, or was not observed.
   */
  track(guildId: GuildId, revision: number, committedAtMs: number): void {
    if (this.#cursor === undefined || revision > this.#cursor.revision) this.#add(guildId, revision, committedAtMs);
  }

  #add(guildId: GuildId, revision: number, committedAtMs: number): void {
    const { commits, watchers, clock } = this.#options;
    if (!commits.add(revision, committedAtMs)) return;
    const nowMs = clock.monotonicMs();
    for (const { watcher } of watchers.of(guildId)) watcher.expect(revision, nowMs);
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
    this.#cursor ??= await feed.end();
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
      // All records would follow. They are no new commits.
      if (this.#cursor === undefined) return;
    }
  }

  #observe(event: WatchEvent): void {
    const committedAtMs = this.#options.feed.wokenAtMs;
    if (event.type === 'guild') this.#add(event.guild.id, event.revision, committedAtMs);
    if (event.type === 'removed') this.#add(event.guild, event.revision, committedAtMs);
    if (event.type === 'guilds') {
      for (const { guild, revision } of event.guilds) this.#add(guild.id, revision, committedAtMs);
    }
    if (event.type === 'reset') {
      this.#cursor = undefined;
      this.#options.commits.clear();
      this.#options.onReset();
    }
  }
}
