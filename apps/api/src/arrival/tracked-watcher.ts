import type { ArrivalState, GuildId, Shard } from '@guild-settings/contract';
import type { RejectedChange } from '../store/store.ts';

export interface WatcherOptions {
  readonly id: string;
  readonly name: string;
  readonly shards: readonly Shard[];
}

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
  streams = 0;
  elsewhereUntilMs = Number.NEGATIVE_INFINITY;
  seenAtMs: number;
  /** The time of its last acknowledgement, connection or end, in milliseconds since 1970. */
  sinceMs: number;
  /** The time at which this process learnt of the last acknowledgement, and the revision of the one before it. */
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

  hasShards(shards: readonly Shard[]): boolean {
    const keys = new Set(this.shards.map(shardKey));
    return keys.size === shards.length && shards.every((shard) => keys.has(shardKey(shard)));
  }

  isConnected(nowMs: number): boolean {
    return this.streams > 0 || nowMs < this.elsewhereUntilMs;
  }

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

  acknowledgedAtMs(revision: number): number | undefined {
    return this.#last !== undefined && revision > this.#last.after ? this.#last.atMs : undefined;
  }
}

export function shardKey({ id, count }: Shard): string {
  return `${id}/${count}`;
}
