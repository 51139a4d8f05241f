import { setTimeout as delay } from 'node:timers/promises';
import type { Cursor, GuildId } from '@guild-settings/contract';
import type { Feed } from '../feed/feed.ts';
import type { FeedItem } from '../feed/feed-event.ts';

/** Newest commits whose times are known: those of a second and more at the highest rate of changes. */
const MAX_COMMITS = 8_192;

const RETRY_DELAY_MS = 1_000;

/** The guild that a commit has changed, and when it became known, in monotonic milliseconds. */
export interface Commit {
  readonly guildId: GuildId;
  readonly atMs: number;
}

export interface CommitsOptions {
  readonly feed: Feed;
  /** Called when the history ends that was acknowledged: an older copy of the database was put back. */
  readonly onReset: () => void;
  readonly onError: (error: unknown) => void;
  readonly signal: AbortSignal;
}

/** Knows when each of the newest changes was committed, by following the feed. */
export class Commits {
  readonly #options: CommitsOptions;
  /** By revision, the oldest first. */
  readonly #commits = new Map<number, Commit>();
  #following: Promise<void> | undefined;
  /** Cursor of the newest event; before the first event, the end of the feed. */
  #cursor: Cursor | undefined;

  constructor(options: CommitsOptions) {
    this.#options = options;
  }

  get epoch(): string {
    return this.#cursor?.epoch ?? '';
  }

  hasPassed({ epoch, revision }: Cursor): boolean {
    return this.#cursor?.epoch === epoch && revision <= this.#cursor.revision;
  }

  get(revision: number): Commit | undefined {
    return this.#commits.get(revision);
  }

  async begin(): Promise<void> {
    this.#cursor ??= await this.#options.feed.end();
  }

  start(): void {
    this.#following ??= this.#followOn();
  }

  async ended(): Promise<void> {
    await this.#following;
  }

  /** Records a commit that a request has made. What the feed has passed already is known, or was not observed. */
  add(revision: number, commit: Commit): void {
    if (this.#cursor === undefined || revision > this.#cursor.revision) this.#add(revision, commit);
  }

  #add(revision: number, commit: Commit): void {
    if (this.#commits.has(revision)) return;
    this.#commits.set(revision, commit);
    if (this.#commits.size <= MAX_COMMITS) return;
    const [oldest] = this.#commits.keys();
    if (oldest !== undefined) this.#commits.delete(oldest);
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
    await this.begin();
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
      // All records would follow, which are not new commits.
      if (this.#cursor === undefined) return;
    }
  }

  #observe(event: FeedItem): void {
    const atMs = this.#options.feed.wokenAtMs;
    if (event.type === 'guild') this.#add(event.revision, { guildId: event.guild.id, atMs });
    if (event.type === 'removed') this.#add(event.revision, { guildId: event.guild, atMs });
    if (event.type === 'guilds') {
      for (const { guild, revision } of event.guilds) this.#add(revision, { guildId: guild.id, atMs });
    }
    if (event.type === 'reset') {
      this.#cursor = undefined;
      this.#commits.clear();
      this.#options.onReset();
    }
  }
}
