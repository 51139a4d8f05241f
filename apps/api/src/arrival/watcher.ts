import type { ArrivalState, GuildId, Rejection, Shard } from '@guild-settings/contract';
import { digestShards, includesShard, packShards, unpackShards } from './packed-shards.ts';
import type { TrackedCommit } from './tracked-commit.ts';

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
  #timed: readonly TrackedCommit[] = [];

  constructor({ id, name, shards }: WatcherOptions, sinceMs: number, leftAtMs: number) {
    this.id = id;
    this.name = name;
    this.#shards = packShards(shards);
    this.sinceMs = sinceMs;
    this.leftAtMs = leftAtMs;
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
   * @param rejected all changes up to the revision that it does not have. What it rejected before and can use now is not among them
   * @returns the timed commits that it newly covers, the oldest first
   */
  acknowledge(revision: number, rejected: readonly RejectedChange[], sinceMs: number): readonly TrackedCommit[] {
    if (revision < this.revision) return [];
    this.#rejections = rejected;
    if (revision === this.revision) return [];
    this.revision = revision;
    this.sinceMs = sinceMs;
    const covered = this.#timed.filter((commit) => commit.revision <= revision);
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

  /** Forgets its position: the history that it acknowledged has ended, or it is no longer registered. */
  reset(): void {
    this.#forgetPosition();
    for (const commit of this.#timed) commit.forgo();
    this.#timed = [];
  }

  #forgetPosition(): void {
    this.epoch = '';
    this.revision = 0;
    this.#rejections = NONE;
  }
}
