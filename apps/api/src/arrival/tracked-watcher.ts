import type { ArrivalState, GuildId, Shard } from '@guild-settings/contract';
import type { RejectedChange } from '../store/store.ts';

/** Id, name and shards of a watcher. */
export interface WatcherOptions {
  readonly id: string;
  readonly name: string;
  readonly shards: readonly Shard[];
}

/** The changes that a watcher has: those up to a revision of the present history, except the rejected ones. */
export interface Position {
  readonly revision: number;
  readonly rejected: readonly RejectedChange[];
}

/** A registered watcher: how far it has acknowledged, and whether it is connected. Times are monotonic, in milliseconds. */
export class TrackedWatcher {
  readonly id: string;
  name: string;
  shards: readonly Shard[];
  /** Number of its last registration: greater than those before it, at any process of the service. */
  registration = 0;
  /** Undefined: it has acknowledged nothing of the present history since it registered. */
  position: Position | undefined;
  /** Its open streams of this process. */
  streams = 0;
  /** Until when it counts as connected to another process of the service. */
  elsewhereUntilMs = Number.NEGATIVE_INFINITY;
  /** When it was last known to be connected. */
  seenAtMs: number;
  /** When it acknowledged, connected or left, whichever was last, in milliseconds since 1970. */
  sinceMs: number;
  /** When this process learnt of the last acknowledgement, and the revision of the one before it. */
  #last: { readonly atMs: number; readonly after: number } | undefined;

  constructor(
    { id, name, shards }: WatcherOptions,
    { seenAtMs, sinceMs }: { readonly seenAtMs: number; readonly sinceMs: number },
  ) {
    this.id = id;
    this.name = name;
    this.shards = shards;
    this.seenAtMs = seenAtMs;
    this.sinceMs = sinceMs;
  }

  /** Returns whether it has these shards, in whichever order. */
  hasShards(shards: readonly Shard[]): boolean {
    const keys = new Set(this.shards.map(shardKey));
    return keys.size === shards.length && shards.every((shard) => keys.has(shardKey(shard)));
  }

  /** Returns whether a process of the service has a stream of it. */
  isConnected(nowMs: number): boolean {
    return this.streams > 0 || nowMs < this.elsewhereUntilMs;
  }

  /** Returns whether it has a change. */
  stateOf(guildId: GuildId, revision: number, nowMs: number): ArrivalState {
    const { position } = this;
    if (position?.rejected.some((one) => one.guild === guildId && one.revision >= revision)) return 'rejected';
    // Revision 0 are the defaults, which a watcher with another history does not have.
    if (position !== undefined && position.revision >= revision) return 'live';
    return this.isConnected(nowMs) ? 'pending' : 'away';
  }

  /** Begins a registration. A position of before counts no longer: a file may have lost its newest changes. */
  register(registration: number): void {
    this.registration = registration;
    this.reset();
  }

  /** Forgets its position: the history that it acknowledged has ended. */
  reset(): void {
    this.position = undefined;
    this.#last = undefined;
  }

  /** Records an acknowledgement. Returns false for one of an older revision than the last, which changes nothing. */
  acknowledge(position: Position, { nowMs, sinceMs }: { readonly nowMs: number; readonly sinceMs: number }): boolean {
    const after = this.position?.revision ?? -1;
    if (position.revision < after) return false;
    this.position = { revision: position.revision, rejected: position.rejected };
    if (position.revision > after) {
      this.sinceMs = sinceMs;
      this.#last = { atMs: nowMs, after };
    }
    return true;
  }

  /** Returns when this process learnt that the watcher has a revision; undefined: not with its last acknowledgement. */
  acknowledgedAtMs(revision: number): number | undefined {
    return this.#last !== undefined && revision > this.#last.after ? this.#last.atMs : undefined;
  }
}

/** Returns a string that identifies a shard. */
export function shardKey({ id, count }: Shard): string {
  return `${id}/${count}`;
}
