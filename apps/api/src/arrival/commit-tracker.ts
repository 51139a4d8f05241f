import type { GuildId, WatchEvent } from '@guild-settings/contract';
import type { Feed } from '../feed/feed.ts';
import { TrackedCommit } from './tracked-commit.ts';
import type { Watchers } from './watchers.ts';

/** Newest commits whose times are known. */
const MAX_COMMITS = 1_024;

/** What a {@link CommitTracker} uses. */
export interface CommitTrackerOptions {
  readonly feed: Feed;
  readonly watchers: Watchers;
  /** Called when the history ends that was acknowledged: an older copy of the database was put back. */
  readonly onReset: () => void;
  readonly onError: (error: unknown) => void;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/** Knows when each of the newest changes was committed, by following the feed, and which watchers have to acknowledge it. */
export class CommitTracker {
  readonly #options: CommitTrackerOptions;
  readonly #commits = new Map<number, TrackedCommit>();
  #following: Promise<void> | undefined;
  #epoch: string | undefined;

  constructor(options: CommitTrackerOptions) {
    this.#options = options;
  }

  /** The epoch of the newest event; undefined: none was received. */
  get epoch(): string | undefined {
    return this.#epoch;
  }

  /** Follows the feed from now on. */
  start(): void {
    const { onError, signal } = this.#options;
    this.#following ??= this.#follow().catch((error: unknown) => {
      this.#following = undefined;
      if (!signal.aborted) onError(error);
    });
  }

  /** Resolves when it has ended. */
  async ended(): Promise<void> {
    await this.#following;
  }

  /** Records the time of a commit, in monotonic milliseconds. */
  track(guildId: GuildId, revision: number, committedAtMs: number): void {
    if (this.#commits.has(revision)) return;
    const commit = new TrackedCommit(committedAtMs, revision);
    this.#commits.set(revision, commit);
    for (const { watcher } of this.#options.watchers.of(guildId)) watcher.expect(commit);
    const [oldest] = this.#commits.keys();
    if (this.#commits.size > MAX_COMMITS && oldest !== undefined) this.#commits.delete(oldest);
  }

  /** Returns the milliseconds from a commit to its last acknowledgement so far; null: unknown. */
  latencyMs(revision: number): number | null {
    return this.#commits.get(revision)?.latencyMs ?? null;
  }

  async #follow(): Promise<void> {
    const { feed, signal } = this.#options;
    const watch = await feed.watch({
      cursor: await feed.end(),
      shard: undefined,
      accepts: undefined,
      untilMs: Number.POSITIVE_INFINITY,
      signal,
    });
    for await (const { cursor, event } of watch) {
      this.#epoch = cursor.epoch;
      this.#observe(event);
    }
  }

  #observe(event: WatchEvent): void {
    const committedAtMs = this.#options.feed.wokenAtMs;
    if (event.type === 'guild') this.track(event.guild.id, event.revision, committedAtMs);
    if (event.type === 'removed') this.track(event.guild, event.revision, committedAtMs);
    if (event.type === 'guilds') {
      for (const { guild, revision } of event.guilds) this.track(guild.id, revision, committedAtMs);
    }
    if (event.type === 'reset') {
      this.#commits.clear();
      this.#options.onReset();
    }
  }
}
