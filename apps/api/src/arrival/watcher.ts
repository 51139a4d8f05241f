import type { ArrivalState, GuildId, Rejection, Shard } from '@guild-settings/contract';
import type { TrackedCommit } from './tracked-commit.ts';

/** Commits of one watcher whose acknowledgement is timed. */
const MAX_TIMED_COMMITS = 8;

/** Guilds of one watcher whose rejected changes are known. */
const MAX_REJECTIONS = 100;

/** Id, name and shards of a watcher. */
export interface WatcherOptions {
  readonly id: string;
  readonly name: string;
  readonly shards: readonly Shard[];
}

/** A registered watcher: how far it has acknowledged, and whether it is connected. */
export class Watcher {
  readonly id: string;
  name: string;
  /** Ids and counts of its shards in turn: objects would take twice as much memory. */
  #shards: readonly number[] = [];
  /** Revision up to which its file and its memory have every change of its guilds; 0: none is known. */
  revision = 0;
  /** The epoch of the cursor that it acknowledged last. */
  epoch = '';
  /** Its open streams of this process. */
  streams = 0;
  /** When it acknowledged, connected or left, whichever was last, in milliseconds since 1970. */
  sinceMs: number;
  /** When it left, in monotonic milliseconds; undefined: it is connected. */
  leftAtMs: number | undefined;
  /** Other processes of the service with a stream of it. */
  #others: Set<string> | undefined;
  #rejections: Map<GuildId, Rejection> | undefined;
  #timed: readonly TrackedCommit[] = [];

  constructor({ id, name, shards }: WatcherOptions, sinceMs: number, leftAtMs: number) {
    this.id = id;
    this.name = name;
    this.shards = shards;
    this.sinceMs = sinceMs;
    this.leftAtMs = leftAtMs;
  }

  get shards(): readonly Shard[] {
    const [numbers, shards] = [this.#shards, [] as Shard[]];
    for (let at = 0; at < numbers.length; at += 2) shards.push({ id: numbers[at] ?? 0, count: numbers[at + 1] ?? 1 });
    return shards;
  }

  set shards(shards: readonly Shard[]) {
    // The copy has no room to grow.
    this.#shards = shards.flatMap(({ id, count }) => [id, count]).slice();
  }

  /** Returns whether it has these shards, in this order. */
  hasShards(shards: readonly Shard[]): boolean {
    const numbers = this.#shards;
    if (numbers.length !== 2 * shards.length) return false;
    return shards.every(({ id, count }, at) => numbers[2 * at] === id && numbers[2 * at + 1] === count);
  }

  /** Whether a process of the service has a stream of it. */
  get hasStream(): boolean {
    return this.streams > 0 || (this.#others?.size ?? 0) > 0;
  }

  /** The changes that it has rejected. */
  get rejections(): readonly Rejection[] {
    return [...(this.#rejections?.values() ?? [])];
  }

  /** Records whether another process of the service has a stream of it. */
  setElsewhere(processId: string, hasStream: boolean): void {
    if (hasStream) {
      this.#others ??= new Set();
      this.#others.add(processId);
    } else this.#others?.delete(processId);
  }

  /** Returns whether it has a change. */
  stateOf(guildId: GuildId, revision: number): ArrivalState {
    const rejection = this.#rejections?.get(guildId);
    if (rejection !== undefined && rejection.revision >= revision) return 'rejected';
    if (this.revision >= revision) return 'live';
    return this.leftAtMs === undefined ? 'pending' : 'away';
  }

  /** Adds a commit that it has to acknowledge, unless it has done so already. The time is monotonic, in milliseconds. */
  expect(commit: TrackedCommit, nowMs: number): void {
    if (this.revision >= commit.revision) {
      commit.wasAcknowledgedBy(nowMs);
      return;
    }
    if (this.#timed.length === MAX_TIMED_COMMITS) this.#timed[0]?.forgo();
    this.#timed = this.#timed.slice(1 - MAX_TIMED_COMMITS).concat(commit);
    commit.expect();
  }

  /**
   * Records an acknowledgement. One that is older than the last changes nothing.
   * @returns the timed commits that it newly covers, the oldest first
   */
  acknowledge(revision: number, rejected: readonly Rejection[], sinceMs: number): readonly TrackedCommit[] {
    for (const rejection of rejected) this.#reject(rejection);
    if (revision <= this.revision) return [];
    this.revision = revision;
    this.sinceMs = sinceMs;
    const covered = this.#timed.filter((commit) => commit.revision <= revision);
    this.#timed = this.#timed.slice(covered.length);
    return covered;
  }

  /** Forgets its position: the history that it acknowledged has ended, or it is no longer registered. */
  reset(): void {
    this.revision = 0;
    this.#rejections = undefined;
    for (const commit of this.#timed) commit.forgo();
    this.#timed = [];
  }

  #reject(rejection: Rejection): void {
    this.#rejections ??= new Map();
    this.#rejections.delete(rejection.guild);
    this.#rejections.set(rejection.guild, rejection);
    const [oldest] = this.#rejections.keys();
    if (this.#rejections.size > MAX_REJECTIONS && oldest !== undefined) this.#rejections.delete(oldest);
  }
}
