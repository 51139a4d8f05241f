import type { ArrivalState, GuildId, Rejection, Shard } from '@guild-settings/contract';
import type { CommitTimes } from './commit-times.ts';
import { digestShards, includesShard, packShards, unpackShards } from './packed-shards.ts';

/** Commits of one watcher whose acknowledgement is timed. */
const MAX_TIMED_COMMITS = 8;

/** A change that a watcher could not apply. */
export type RejectedChange = Pick<Rejection, 'guild' | 'revision'>;

const NONE: readonly RejectedChange[] = [];
const NOWHERE: readonly string[] = [];

/** Id, name and shards of a watcher. */
export interface WatcherOptions {
  readonly id: string;
  readonly name: string;
  readonly shards: readonly Shard[];
}

/** What a {@link Watcher} begins with. */
export interface WatcherStart {
  /** When it acknowledged, connected or left, in milliseconds since 1970. */
  readonly sinceMs: number;
  /** When it left, in monotonic milliseconds. */
  readonly leftAtMs: number;
  /** The times of the commits that it has to acknowledge. */
  readonly commits: CommitTimes;
  /** Called with the difference when the number of its rejections changes. */
  readonly onRejections: (difference: number) => void;
}

/** A registered watcher: how far it has acknowledged, and whether it is connected. */
export class Watcher {
  readonly id: string;
  name: string;
  #shards: string;
  /** Generation of its position: see {@link begin}. The process with the greatest one has the newest position. */
  generation = 0;
  /** Revision up to which its file and its memory have every change of its guilds; 0: none is known. */
  revision = 0;
  /** The epoch of the cursor that it acknowledged last; empty: its position is not known. */
  epoch = '';
  /** Its open streams of this process. */
  streams = 0;
  /** Its registrations at this process that are not stored yet: they are newer than its row. */
  registrations = 0;
  /** When it acknowledged, connected or left, whichever was last, in milliseconds since 1970. */
  sinceMs: number;
  /** When it left, in monotonic milliseconds; undefined: it is connected. */
  leftAtMs: number | undefined;
  /** Other processes of the service with a stream of it. */
  #others: readonly string[] = NOWHERE;
  #rejections = NONE;
  readonly #commits: CommitTimes;
  readonly #onRejections: (difference: number) => void;
  #isForgotten = false;
  /** Revisions of commits whose acknowledgement is timed, the oldest first. */
  #timed: number[] = [];

  constructor({ id, name, shards }: WatcherOptions, { sinceMs, leftAtMs, commits, onRejections }: WatcherStart) {
    this.id = id;
    this.name = name;
    this.#shards = packShards(shards);
    this.sinceMs = sinceMs;
    this.leftAtMs = leftAtMs;
    this.#commits = commits;
    this.#onRejections = onRejections;
  }

  get shards(): readonly Shard[] {
    return unpackShards(this.#shards);
  }

  set shards(shards: readonly Shard[]) {
    this.#shards = packShards(shards);
  }

  /** A number that is the same in every process for the same shards. */
  get shardsDigest(): number {
    return digestShards(this.#shards);
  }

  /** Returns whether it has these shards, in whichever order. */
  hasShards(shards: readonly Shard[]): boolean {
    return this.#shards === packShards(shards);
  }

  /** Returns whether this is one of its shards. */
  hasShard(shard: Shard): boolean {
    return includesShard(this.#shards, shard);
  }

  /** Whether a process of the service has a stream of it. */
  get hasStream(): boolean {
    return this.streams > 0 || this.#others.length > 0;
  }

  /** The changes that it has rejected, one for each guild. */
  get rejections(): readonly RejectedChange[] {
    return this.#rejections;
  }

  /** Records whether another process of the service has a stream of it. */
  setElsewhere(processId: string, hasStream: boolean): void {
    if (this.#others.includes(processId) === hasStream) return;
    const others = this.#others.filter((other) => other !== processId);
    this.#others = hasStream ? [...others, processId] : others;
  }

  /** Returns whether it has a change. */
  stateOf(guildId: GuildId, revision: number): ArrivalState {
    if (this.#rejections.some((one) => one.guild === guildId && one.revision >= revision)) return 'rejected';
    // Revision 0 are the defaults, which a watcher with another history does not have.
    if (this.epoch !== '' && this.revision >= revision) return 'live';
    return this.leftAtMs === undefined ? 'pending' : 'away';
  }

  /** Adds a commit that it has to acknowledge, unless it has done so already. The time is monotonic, in milliseconds. */
  expect(revision: number, nowMs: number): void {
    if (this.revision >= revision) {
      this.#commits.wasAcknowledged(revision, nowMs);
      return;
    }
    this.#commits.expect(revision);
    // `push` would reserve twice the memory.
    if (this.#timed.length < MAX_TIMED_COMMITS) this.#timed = this.#timed.concat(revision);
    else {
      this.#commits.forgo(this.#timed[0] ?? 0);
      this.#timed.copyWithin(0, 1)[MAX_TIMED_COMMITS - 1] = revision;
    }
  }

  /**
   * Records an acknowledgement. One that is older than the last changes nothing.
   * @param rejected all changes up to the revision that it does not have. What it rejected before and can use now is not among them
   * @returns the revisions of timed commits that it newly covers, the oldest first
   */
  acknowledge(revision: number, rejected: readonly RejectedChange[], sinceMs: number): readonly number[] {
    if (revision < this.revision) return [];
    this.#setRejections(rejected);
    if (revision === this.revision) return [];
    this.revision = revision;
    this.sinceMs = sinceMs;
    const left = this.#timed.findIndex((timed) => timed > revision);
    const covered = left === -1 ? this.#timed : this.#timed.slice(0, left);
    this.#timed = this.#timed.slice(covered.length);
    return covered;
  }

  /**
   * Begins a generation of its position, at 0. The position only grows within a generation, so a process of the service ignores
   * what it receives of an earlier one, and applies what it receives of a later one, also when that is lower.
   */
  begin(generation: number): void {
    this.generation = generation;
    this.#forgetPosition();
  }

  /** Forgets its position: the history that it acknowledged has ended. */
  reset(): void {
    this.#forgetPosition();
    for (const revision of this.#timed) this.#commits.forgo(revision);
    this.#timed = [];
  }

  /** It is no longer registered: what is recorded of it from now on does not count. */
  forget(): void {
    this.reset();
    this.#isForgotten = true;
  }

  #forgetPosition(): void {
    this.epoch = '';
    this.revision = 0;
    this.#setRejections(NONE);
  }

  #setRejections(rejections: readonly RejectedChange[]): void {
    const difference = rejections.length - this.#rejections.length;
    this.#rejections = rejections;
    if (difference !== 0 && !this.#isForgotten) this.#onRejections(difference);
  }
}
